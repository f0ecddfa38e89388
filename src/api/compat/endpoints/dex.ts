/** Swaps of decentralised exchanges. */
import { z } from 'zod';
import { notFound } from '../errors.js';
import { list } from '../page.js';
import { id, text } from '../parameters.js';
import { swapRow } from '../render/dex.js';
import { positionsOf } from '../scope.js';
import { swapList, swapListOfAccount, swapListOfContract } from '../swaps.js';
import type { Swap } from '../swaps.js';
import type { KeyList } from '../token-lists.js';
import { readList } from '../token-reads.js';
import * as s from '../../schemas/scalars.js';

const row = z
  .object({
    caller: s.account,
    to_account: s.account,
    from_contract: s.contract,
    to_contract: s.contract,
    from_token: z.string().nullable(),
    to_token: z.string().nullable(),
    from_decimals: s.bigNumber.nullable(),
    to_decimals: s.bigNumber.nullable(),
    from_amount: s.bigNumber,
    to_amount: s.bigNumber,
    amounts: z.object({
      amount0_in: s.bigNumber,
      amount1_in: s.bigNumber,
      amount0_out: s.bigNumber,
      amount1_out: s.bigNumber,
    }),
    action: z.enum(['BUY', 'SELL', 'SWAP']),
    tx_hash: s.transactionHash,
    log_idx: s.count,
    micro_time: s.time,
    height: s.height,
  })
  .meta({ id: 'CompatSwap' });

const shared = {
  tag: 'DEX',
  row,
  key: ['int', 'int'],
  scopes: ['gen', 'time', 'transaction', 'txi'],
  // Events that are no swaps may have to be passed over.
  cost: () => 'heavy' as const,
} as const;

const readSwaps = (swapsIn: KeyList<Swap>) => readList(swapsIn, (rows) => rows.map(swapRow));

export const swaps = list({
  ...shared,
  v3: { path: '/dex/swaps', id: 'GetDexSwaps' },
  summary: 'Swaps, newest first',
  async open({ scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    return { forward, read: readSwaps(swapList(db, range)) };
  },
});

export const swapsOfContract = list({
  ...shared,
  v3: { path: '/dex/{id}/swaps', id: 'GetDexSwapsByContract' },
  summary: 'Swaps of a pair, or of all pairs of a token, newest first',
  params: { id: id('A pair or a token.', 'ct') },
  async open({ params, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    const { isTraded, list: swapsIn } = await swapListOfContract(db, params.id, range);
    if (!isTraded) throw notFound(params.id);
    return { forward, read: readSwaps(swapsIn) };
  },
});

export const swapsOfAccount = list({
  ...shared,
  v3: { path: '/accounts/{id}/dex/swaps', id: 'GetAccountDexSwaps' },
  summary: 'Swaps that an account made, newest first',
  params: { id: id('An account.', 'ak', 'ct') },
  query: { token_symbol: text('token_symbol', 'Only those of a token with this symbol.') },
  async open({ params, query: { token_symbol: wanted }, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    const isWanted = ({ tokens }: Swap): boolean =>
      wanted === undefined || tokens.some(({ symbol }) => symbol === wanted);
    return { forward, read: readSwaps(swapListOfAccount(db, params.id, range, isWanted)) };
  },
});
