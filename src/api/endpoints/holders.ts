/** Accounts by their balance. */
import { coinHolderList, coinHolderRow } from '../coin-holders.js';
import { byTake } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { keyPages, sendKeyPage } from '../key-pages.js';
import * as q from '../query.js';
import * as o from '../schemas/ledger.js';
import * as p from '../schemas/parameters.js';

export const holders = endpoint({
  method: 'get',
  path: '/middleware/holders',
  operationId: 'getHolders',
  tag: 'transactions',
  summary: 'All accounts that have coins, the richest first',
  description:
    'By what changed their balances, which is written a moment after the chain. Balances change with each block: to read each account once, over several pages, use `by=account`, the order in which they were seen first in this copy. 503 while a copy of an earlier version is being completed.',
  query: { by: q.optional('by', p.coinHolderOrder), slice: keyPages },
  answer: o.holders,
  cost: byTake,
  // Balances are written a moment behind the chain. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/holders', plan: 'all accounts by balance' },
  async handle({ ctx, query: { by = 'balance', slice } }, { db, logger }) {
    await sendKeyPage(ctx, await coinHolderList(db, by), slice, (rows) => rows.map(coinHolderRow), logger);
  },
});
