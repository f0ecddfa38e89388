/** Rewards, and fees of names and queries with their refunds. */
import { z } from 'zod';
import { compatTransferTotal, compatTransfers } from '../../../store/queries/compat/transfers.js';
import { list, rangeOf } from '../page.js';
import { id, text } from '../parameters.js';
import { transferRow } from '../render/transfers.js';
import * as s from '../../schemas/scalars.js';
import { positionsOf } from '../scope.js';

const row = z
  .object({
    height: s.height,
    account_id: s.account,
    amount: s.bigNumber,
    kind: z.string(),
    ref_tx_hash: s.transactionHash.nullable(),
    ref_tx_type: z.string().nullable(),
    ref_block_hash: s.microBlockHash.nullable(),
  })
  .meta({ id: 'CompatTransfer' });

export const transfers = list({
  v3: { path: '/transfers', id: 'GetTransfers' },
  v2: { path: '/transfers', id: 'get_transfers' },
  tag: 'Transfers',
  summary: 'Rewards, and fees of names and queries with their refunds, newest first',
  query: {
    account: id('Only those of this account.', 'ak'),
    kind: text('kind', 'Only kinds that begin with this text.'),
  },
  strict: true,
  row,
  key: ['int', 'int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  // All bids of an account are read.
  cost: ({ query }) => (query.account === undefined ? 'light' : 'heavy'),
  async open({ query, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    const of = { account: query.account ?? null, kind: query.kind ?? '' };
    return {
      forward,
      total: () => compatTransferTotal(db, { ...of, ...range }),
      async read(part) {
        const [position, index] = part.from ?? [];
        const step = part.inclusive ? 0n : part.ascending ? 1n : -1n;
        const from =
          position === undefined ? undefined : { position: position as bigint, index: (index as bigint) + step };
        const within = rangeOf({ ...part, inclusive: true }, range);
        const { rows, head } = await compatTransfers(db, { ...of, ...within }, { ...part, from });
        return {
          rows: rows.map((found) => ({
            key: [BigInt(found.position), BigInt(found.index)],
            value: transferRow(found),
          })),
          head,
        };
      },
    };
  },
});
