import { balanceAt, ledgerPage } from '../../store/queries/ledger.js';
import { ledgerStatement } from '../../store/queries/ledger-statement.js';
import { isCapped } from '../../store/queries/paging/slice.js';
import { linkNext } from '../cursor.js';
import { byTake } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { ledgerExport } from '../export/lists.js';
import { sendTable } from '../export/stream.js';
import {
  balancePlace,
  kinds,
  ledgerAccount,
  ledgerPages,
  nextText,
  period,
  placeOfBalance,
  positionsOf,
} from '../ledger-query.js';
import * as q from '../query.js';
import { reportCut, requireRow, sendJson } from '../reply.js';
import * as o from '../schemas/ledger.js';
import * as p from '../schemas/parameters.js';

const MISSING =
  'They follow from transactions and key blocks, and are written a moment after them. Not in them are payments inside contract calls and what follows from those, unless a node tells them; on a hyperchain, and on networks that are not built in, rewards and the coins of the genesis block neither. `complete` is false from the first height on at which changes of any account may be missing, and `incomplete_since` is that height.';

export const ledgerOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/ledger',
  operationId: 'getAccountLedger',
  tag: 'transactions',
  summary: 'What changed the balance of an account, newest first',
  description: `Each change with the balance after it. ${MISSING} With \`kind\` a page may have fewer rows than \`limit\`, even none, and yet a link to the next page. An account without changes has an empty list.`,
  params: { account: p.ledgerAccount },
  query: { period, kinds, slice: ledgerPages, after: q.after },
  answer: o.ledger,
  cost: (request) => (request.query.kinds !== null ? 'heavy' : byTake(request)),
  // The list is written behind the chain. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/ledger', plan: 'the ledger of an account' },
  async handle({ ctx, params: { account }, query }, { db, logger }) {
    const { slice, kinds: only } = query;
    const of = { account: ledgerAccount(account), kinds: only, ...(await positionsOf(db, query.period)) };
    const { body, next } = requireRow(ctx, await ledgerPage(db, of, slice));
    const more = linkNext(ctx, next);
    reportCut(ctx, next !== null && isCapped(slice), logger);
    sendJson(ctx, `{${body},"next":${nextText(ctx, more)}}`);
  },
  async tables({ ctx, params: { account }, query }, { db, logger }) {
    const of = { account: ledgerAccount(account), kinds: query.kinds, ...(await positionsOf(db, query.period)) };
    return sendTable(ctx, `ledger-${account}`, logger, await ledgerExport(db, of, query.slice, query.after));
  },
});

export const balanceOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/balance',
  operationId: 'getAccountBalance',
  tag: 'transactions',
  summary: 'The balance of an account at a height, a time or a block, or at the head',
  description: `The sum of the changes in its ledger. At a height it is that after the key block of the height, as for the node; at a time, that after the last block up to it; at a block, that after it; without any of them, that after the newest block. ${MISSING} An account without changes has 0. 404 for a height above the head and a block that is not on the chain.`,
  params: { account: p.ledgerAccount },
  query: { at: balancePlace },
  upTo: ({ query: { at } }) => (at !== null && 'height' in at ? at.height : 0),
  answer: o.balance,
  refusals: [404],
  cost: 'light',
  // As for the ledger.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/ledger', plan: 'a balance at a height' },
  async handle({ ctx, params: { account }, query: { at } }, { db }) {
    const row = requireRow(ctx, await balanceAt(db, ledgerAccount(account), await placeOfBalance(db, at)));
    sendJson(
      ctx,
      `{"account_id":"${account}","height":${row.height},"block_hash":"${row.block_hash}","balance":${row.balance},"verified":${row.verified},${row.rest}}`,
    );
  },
});

export const statementOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/statement',
  operationId: 'getAccountStatement',
  tag: 'transactions',
  summary: 'What changed the balance of an account in a period, by kind',
  description: `The balance before the period and after it, and between them the sums of each kind: opening + in + out = closing. The rows are those of the ledger for the same period. ${MISSING}`,
  params: { account: p.ledgerAccount },
  query: { period },
  answer: o.statement,
  // All movements of the period are read.
  cost: 'heavy',
  // As for the ledger.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/ledger', plan: 'the statement of an account' },
  async handle({ ctx, params: { account }, query }, { db }) {
    const of = { account: ledgerAccount(account), ...(await positionsOf(db, query.period)) };
    const { body } = requireRow(ctx, await ledgerStatement(db, of));
    sendJson(ctx, `{"account_id":"${account}",${body}}`);
  },
});
