/** The richest accounts. */
import { z } from 'zod';
import { richest } from '../../../store/queries/holders.js';
import { bigNumber } from '../../schemas/scalars.js';
import { compatible } from '../endpoint.js';
import { requireFilled } from '../filled.js';

/** As many as other services of this API answer. */
const ACCOUNTS = 200;

export const wealth = compatible({
  v3: { path: '/wealth', id: 'GetWealth' },
  v2: { path: '/wealth', id: 'get_wealth' },
  tag: 'Statistics',
  summary: `The accounts with the most coins, at most ${ACCOUNTS}, from what changed their balances`,
  answer: z.array(
    z
      .object({
        account: z.string(),
        balance: bigNumber,
        verified: z.boolean().meta({ description: 'Whether a node had the same balance.' }),
      })
      .meta({ id: 'CompatWealth' }),
  ),
  // Balances are written a moment behind the chain. No event reports this.
  cache: 'short',
  async handle(_request, { db }) {
    await requireFilled(db, ['holders']);
    const { rows, head } = await richest(db, ACCOUNTS);
    const value = rows.map(({ account, balance, verified }) => ({ account, balance: BigInt(balance), verified }));
    return { value: value.sort((a, b) => (a.balance > b.balance ? -1 : a.balance < b.balance ? 1 : 0)), head };
  },
});
