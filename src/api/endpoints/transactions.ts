import { ListKind } from '../../chain/derive.js';
import { widenedTransactions } from '../../store/queries/account-transactions.js';
import { intervalTransactions } from '../../store/queries/paging/interval.js';
import { listTransactions, listTransactionsWithTime } from '../../store/queries/paging/list-pages.js';
import { listCount } from '../../store/queries/lists.js';
import { linkNext } from '../cursor.js';
import { byHeights, byRows } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { accountExport, intervalExport, widenedExport } from '../export/lists.js';
import { sendTable } from '../export/stream.js';
import { badRequest } from '../parse.js';
import * as q from '../query.js';
import { reportCut, requireRow, sendJson, sendList } from '../reply.js';
import * as p from '../schemas/parameters.js';
import { countAnswer } from '../schemas/service.js';
import { listedTransactions, timedTransactions } from '../schemas/transactions.js';

export const transactionsOfAccount = endpoint({
  method: 'get',
  path: '/middleware/transactions/account/{account}',
  operationId: 'getTxByAccount',
  tag: 'transactions',
  summary: 'Transactions of an account, newest first',
  description:
    'Those that name the account as sender, recipient, owner, caller or another party, also by a name of its.',
  params: { account: p.account },
  query: { slice: q.keysetPages, type: q.byType, include: q.include, after: q.after },
  answer: timedTransactions,
  wallets: true,
  cost: (request) => (request.query.include === null ? byRows(request) : 'heavy'),
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/account-transactions', plan: 'the last page of an account' },
  async handle({ ctx, params: { account }, query: { slice, type, include } }, { db, logger }) {
    if (include !== null) {
      const after = slice.by === 'cursor' ? slice.after : null;
      const { take, wanted } = slice;
      const row = requireRow(ctx, await widenedTransactions(db, account, include, { after, take }));
      linkNext(ctx, row.next);
      reportCut(ctx, row.next !== null && (wanted === null || wanted > BigInt(take)), logger);
      return sendJson(ctx, row.body);
    }
    const of = { kind: ListKind.account, id: account, type };
    sendList(ctx, await listTransactionsWithTime(db, of, slice), slice, logger);
  },
  async tables({ ctx, params: { account }, query: { slice, type, include, after } }, { db, logger }) {
    const name = `transactions-${account}`;
    if (include !== null)
      return sendTable(ctx, name, logger, await widenedExport(db, account, include, slice.wanted, after));
    const of = { kind: ListKind.account, id: account, type };
    return sendTable(ctx, name, logger, await accountExport(db, of, slice, after));
  },
});

export const transactionCountOfAccount = endpoint({
  method: 'get',
  path: '/middleware/transactions/account/{account}/count',
  operationId: 'getTxCountByAddress',
  tag: 'transactions',
  summary: 'Number of transactions of an account',
  description: 'The length of the list that `getTxByAccount` gives in parts; with `txtype` of that type alone.',
  params: { account: p.account },
  query: { type: q.byType },
  answer: countAnswer,
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/account-transactions', plan: 'the length of an account' },
  async handle({ ctx, params: { account }, query: { type } }, { db }) {
    sendJson(ctx, requireRow(ctx, await listCount(db, { kind: ListKind.account, id: account, type })).body);
  },
});

export const spendsBetween = endpoint({
  method: 'get',
  path: '/middleware/transactions/account/{sender}/to/{receiver}',
  operationId: 'getTxBetweenAddress',
  tag: 'transactions',
  summary: 'Spends from one account to another, newest first',
  description: 'Not those in the other direction.',
  params: { sender: p.account, receiver: p.account },
  query: { slice: q.keysetPages, type: q.byType },
  answer: listedTransactions,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/spends', plan: 'the last page of a pair' },
  async handle({ ctx, params: { sender, receiver }, query: { slice, type } }, { db, logger }) {
    const of = { kind: ListKind.pair, id: `${sender}>${receiver}`, type };
    sendList(ctx, await listTransactions(db, of, 'newest first', slice), slice, logger);
  },
});

export const transactionsInInterval = endpoint({
  method: 'get',
  path: '/middleware/transactions/interval/{from}/{to}',
  operationId: 'getTxByGenerationRange',
  tag: 'transactions',
  summary: 'Transactions of the generations between two heights, newest first',
  description: 'Without `limit` a range of more than 1000 heights is refused when it holds more than the cap.',
  params: { from: p.fromHeight, to: p.toHeight },
  query: { slice: q.keysetPages, type: q.byType, after: q.after },
  upTo: ({ params: { to } }) => to,
  answer: listedTransactions,
  wallets: true,
  cost: byHeights,
  cache: 'until-change',
  evidence: { source: 'the suite itself', test: 'api/interval', plan: 'the last page of an interval' },
  async handle({ ctx, params: { from, to }, query: { slice, type } }, { db, logger }) {
    const answer = await intervalTransactions(db, from, to, type, slice);
    if (answer.row?.refused === true) {
      const { total } = answer.row;
      throw badRequest(`Invalid input: the interval holds ${total} transactions, give a limit or fewer heights`);
    }
    sendList(ctx, answer, slice, logger);
  },
  async tables({ ctx, params: { from, to }, query: { slice, type, after } }, { db, logger }) {
    return sendTable(ctx, `transactions-${from}-${to}`, logger, await intervalExport(db, from, to, type, slice, after));
  },
});
