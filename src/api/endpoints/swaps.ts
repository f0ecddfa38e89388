/** Swaps of exchanges. */
import { compatToken } from '../../store/queries/compat/tokens.js';
import { endpoint } from '../endpoint.js';
import { sendTable } from '../export/stream.js';
import { keyExport, keyPages, sendKeyPage } from '../key-pages.js';
import { period, positionsOf } from '../ledger-query.js';
import * as q from '../query.js';
import { requireRow } from '../reply.js';
import * as p from '../schemas/parameters.js';
import * as o from '../schemas/tokens.js';
import { eventAfter, swapList, swapListOfAccount, swapListOfContract } from '../token-lists.js';
import { SWAP_TABLE, swapRow } from '../token-rows.js';

const DESCRIPTION =
  'The events `SwapTokens` of pairs: contracts that an event `PairCreated` names, of any factory, and whose shares are a token of AEX-9. The amounts say which token was given. Where a pair got or gave some of both tokens at once, its log has the other two amounts.';

const query = { period, slice: keyPages, after: q.afterEvent };

const rowsOf = (rows: readonly Parameters<typeof swapRow>[0][]) => rows.map(swapRow);

/** What all these lists have in common. Events that are no swaps may have to be passed over. */
const shared = {
  method: 'get',
  tag: 'tokens',
  answer: o.swaps,
  cost: 'heavy',
  // The list also changes when call information is read. No event reports this.
  cache: 'short',
} as const;

export const swaps = endpoint({
  ...shared,
  path: '/middleware/tokens/swaps',
  operationId: 'getSwaps',
  summary: 'Swaps of exchanges, newest first',
  description: DESCRIPTION,
  query,
  evidence: { source: "node's recording", test: 'api/swaps', plan: 'swaps' },
  async handle({ ctx, query: { period: within, slice } }, { db, logger }) {
    await sendKeyPage(ctx, swapList(db, await positionsOf(db, within)), slice, rowsOf, logger);
  },
  async tables({ ctx, query: { period: within, slice, after } }, { db, logger }) {
    const list = swapList(db, await positionsOf(db, within));
    const start = await eventAfter(db, after, slice.ascending);
    return sendTable(ctx, 'swaps', logger, keyExport(ctx, db, list, slice, SWAP_TABLE, start));
  },
});

export const swapsOfToken = endpoint({
  ...shared,
  path: '/middleware/tokens/{contract}/swaps',
  operationId: 'getTokenSwaps',
  summary: 'Swaps of a pair, or of all pairs of a token, newest first',
  description: `${DESCRIPTION} Of a token those of the 200 pairs that were made first. 404 if the contract is no token of AEX-9.`,
  params: { contract: p.contract },
  query,
  refusals: [404],
  evidence: { source: "node's recording", test: 'api/swaps', plan: 'swaps of a pair' },
  async handle({ ctx, params: { contract }, query: { period: within, slice } }, { db, logger }) {
    requireRow(ctx, await compatToken(db, [9], contract));
    const { list } = await swapListOfContract(db, contract, await positionsOf(db, within));
    await sendKeyPage(ctx, list, slice, rowsOf, logger);
  },
  async tables({ ctx, params: { contract }, query: { period: within, slice, after } }, { db, logger }) {
    requireRow(ctx, await compatToken(db, [9], contract));
    const { list } = await swapListOfContract(db, contract, await positionsOf(db, within));
    const start = await eventAfter(db, after, slice.ascending);
    return sendTable(ctx, `swaps-${contract}`, logger, keyExport(ctx, db, list, slice, SWAP_TABLE, start));
  },
});

export const swapsOfAccount = endpoint({
  ...shared,
  path: '/middleware/accounts/{account}/swaps',
  operationId: 'getAccountSwaps',
  summary: 'Swaps that an account made, newest first',
  description: DESCRIPTION,
  params: { account: p.ledgerAccount },
  query,
  evidence: { source: "node's recording", test: 'api/swaps', plan: 'swaps of an account' },
  async handle({ ctx, params: { account }, query: { period: within, slice } }, { db, logger }) {
    const list = swapListOfAccount(db, account, await positionsOf(db, within));
    await sendKeyPage(ctx, list, slice, rowsOf, logger);
  },
  async tables({ ctx, params: { account }, query: { period: within, slice, after } }, { db, logger }) {
    const list = swapListOfAccount(db, account, await positionsOf(db, within));
    const start = await eventAfter(db, after, slice.ascending);
    return sendTable(ctx, `swaps-${account}`, logger, keyExport(ctx, db, list, slice, SWAP_TABLE, start));
  },
});
