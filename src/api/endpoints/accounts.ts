import { balanceAt, ledgerPage } from '../../store/queries/ledger.js';
import { linkNext } from '../cursor.js';
import { endpoint } from '../endpoint.js';
import { ledgerExport } from '../export/lists.js';
import { sendTable } from '../export/stream.js';
import { ledgerAccount, ledgerFilter } from '../ledger-query.js';
import { logPages } from '../log-query.js';
import * as q from '../query.js';
import { reportCut, requireRow, sendJson } from '../reply.js';
import * as o from '../schemas/ledger.js';
import * as p from '../schemas/parameters.js';

const MISSING =
  'They follow from transactions and key blocks, and are written a moment after them. Not in them are payments inside contract calls and what follows from those, and the coins of the genesis block and of hard forks; on a hyperchain, and on networks that are not built in, rewards neither. So no balance is proven yet: `complete` is false, and `incomplete_since` says from which height on changes of any account may be missing.';

export const ledgerOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/ledger',
  operationId: 'getAccountLedger',
  tag: 'transactions',
  summary: 'What changed the balance of an account, newest first',
  description: `Each change with the balance after it. ${MISSING} With \`kind\` a page may have fewer rows than \`limit\`, even none, and yet a link to the next page. An account without changes has an empty list.`,
  params: { account: p.ledgerAccount },
  query: { of: ledgerFilter, slice: logPages, after: q.after },
  answer: o.ledger,
  cost: ({ query: { of, slice } }) => (slice.take > 100 || of.kinds !== null ? 'heavy' : 'light'),
  // The list is written behind the chain. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/ledger', plan: 'the ledger of an account' },
  async handle({ ctx, params: { account }, query: { of, slice } }, { db, logger }) {
    const row = requireRow(ctx, await ledgerPage(db, { ...of, account: ledgerAccount(account) }, slice));
    linkNext(ctx, row.next);
    reportCut(ctx, row.next !== null && (slice.wanted === null || slice.wanted > BigInt(slice.take)), logger);
    sendJson(ctx, row.body);
  },
  async tables({ ctx, params: { account }, query: { of, slice, after } }, { db, logger }) {
    const all = { ...of, account: ledgerAccount(account) };
    return sendTable(ctx, `ledger-${account}`, logger, await ledgerExport(db, all, slice, after));
  },
});

export const balanceOfAccount = endpoint({
  method: 'get',
  path: '/middleware/accounts/{account}/balance',
  operationId: 'getAccountBalance',
  tag: 'transactions',
  summary: 'The balance of an account at a height or at the head',
  description: `The sum of the changes in its ledger. At a height it is that after the key block of the height, as for the node; without one, that after the newest block. ${MISSING} An account without changes has 0. 404 for a height above the head.`,
  params: { account: p.ledgerAccount },
  query: { height: q.optional('height', p.height) },
  upTo: ({ query: { height } }) => height ?? 0,
  answer: o.balance,
  refusals: [404],
  cost: 'light',
  // As for the ledger.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/ledger', plan: 'a balance at a height' },
  async handle({ ctx, params: { account }, query: { height } }, { db }) {
    const row = requireRow(ctx, await balanceAt(db, ledgerAccount(account), height ?? null));
    sendJson(
      ctx,
      `{"account_id":"${account}","height":${row.height},"block_hash":"${row.block_hash}","balance":${row.balance},${row.rest}}`,
    );
  },
});
