/** What accounts allow others to spend of tokens. */
import { wordOf } from '../../chain/encoding/words.js';
import { compatToken } from '../../store/queries/compat/tokens.js';
import { byTake } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { sendTable } from '../export/stream.js';
import { keyExport, keyPages, sendKeyPage } from '../key-pages.js';
import * as q from '../query.js';
import { requireRow } from '../reply.js';
import * as p from '../schemas/parameters.js';
import * as o from '../schemas/tokens.js';
import { allowanceList, placeAfter } from '../token-lists.js';
import { ALLOWANCE_TABLE, allowanceRow } from '../token-rows.js';

const DESCRIPTION =
  'A row for each pair of accounts about which an event `Allowance` says something, also where nothing is left. The amount is what the token told, asked after the last event; null before it has told (`due`), and where it cannot (`failed`, `malformed`). What the event says is `event_amount`.';

export const allowancesOfToken = endpoint({
  method: 'get',
  path: '/middleware/tokens/{contract}/allowances',
  operationId: 'getTokenAllowances',
  tag: 'tokens',
  summary: 'What accounts allow others to spend of a token, by the keys of both',
  description: `${DESCRIPTION} 404 if the contract is no token of AEX-9.`,
  params: { contract: p.contract },
  query: { slice: keyPages, after: q.afterRow('`owner` and `spender`, separated by a comma') },
  answer: o.allowances,
  refusals: [404],
  cost: byTake,
  // What tokens tell comes later than their events. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/allowances', plan: 'allowances of a token' },
  async handle({ ctx, params: { contract }, query: { slice } }, { db, logger }) {
    requireRow(ctx, await compatToken(db, [9], contract));
    await sendKeyPage(ctx, allowanceList(db, { contract }), slice, (rows) => rows.map(allowanceRow), logger);
  },
  async tables({ ctx, params: { contract }, query: { slice, after } }, { db, logger }) {
    requireRow(ctx, await compatToken(db, [9], contract));
    const list = allowanceList(db, { contract });
    const exported = keyExport(ctx, db, list, slice, ALLOWANCE_TABLE, placeAfter(list, after));
    return sendTable(ctx, `allowances-${contract}`, logger, exported);
  },
});

export const allowancesOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/allowances',
  operationId: 'getAccountAllowances',
  tag: 'tokens',
  summary: 'What an account allows others to spend of tokens, or what others allow it, by token',
  description: DESCRIPTION,
  params: { account: p.ledgerAccount },
  query: {
    as: q.optional('as', p.allowanceSide),
    contract: q.optional('contract', p.contract),
    slice: keyPages,
    after: q.afterRow('`contract` and `spender`, with `as=spender` of `contract` and `owner`, separated by a comma'),
  },
  answer: o.allowances,
  cost: byTake,
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/allowances', plan: 'allowances of an account' },
  async handle({ ctx, params: { account }, query: { as = 'owner', contract, slice } }, { db, logger }) {
    const list = allowanceList(db, { as, account: wordOf(account), contract });
    await sendKeyPage(ctx, list, slice, (rows) => rows.map(allowanceRow), logger);
  },
  tables({ ctx, params: { account }, query: { as = 'owner', contract, slice, after } }, { db, logger }) {
    const list = allowanceList(db, { as, account: wordOf(account), contract });
    const exported = keyExport(ctx, db, list, slice, ALLOWANCE_TABLE, placeAfter(list, after));
    return sendTable(ctx, `allowances-${account}`, logger, exported);
  },
});
