import { ListKind } from '../../chain/derive.js';
import { contractLogs } from '../../store/queries/contract-logs.js';
import { callOfTransaction, contractCalls, contractCreation, contracts } from '../../store/queries/contracts.js';
import { listTransactions } from '../../store/queries/paging/list-pages.js';
import { isCapped } from '../../store/queries/paging/slice.js';
import { byTake, byRows } from '../cost.js';
import { linkNext } from '../cursor.js';
import { endpoint } from '../endpoint.js';
import { callsExport, logsExport } from '../export/lists.js';
import { sendTable } from '../export/stream.js';
import { logFilter, logPages } from '../log-query.js';
import * as q from '../query.js';
import { reportCut, requireRow, sendJson, sendList } from '../reply.js';
import * as o from '../schemas/objects.js';
import * as p from '../schemas/parameters.js';
import { listedTransactions, rawRecord } from '../schemas/transactions.js';

export const allContracts = endpoint({
  method: 'get',
  path: '/middleware/contracts/all',
  operationId: 'getAllContracts',
  tag: 'contracts',
  summary: 'All contracts, newest first',
  description:
    'Contracts of generalized accounts are among them; those whose creation failed are not, nor those that contracts created inside calls.',
  query: { slice: q.rankedKeysetPages },
  answer: o.contracts,
  wallets: true,
  cost: byRows,
  // A contract is removed from the list when the node reports that its creation failed. No event reports this.
  cache: 'short',
  evidence: { source: 'slow model', test: 'api/contracts', plan: 'a far page of contracts' },
  async handle({ ctx, query: { slice } }, { db, logger }) {
    sendList(ctx, await contracts(db, slice), slice, logger);
  },
});

export const callsOfContract = endpoint({
  method: 'get',
  path: '/middleware/contracts/calls/address/{address}',
  operationId: 'getContractAddressCalls',
  tag: 'contracts',
  summary: 'Decoded calls of a contract, oldest first',
  description:
    'A call is in the list once it is decoded, a moment after its transaction. If a GAMetaTx or PayingForTx wraps the call, `transaction_id` is the hash of that transaction.',
  params: { address: p.contract },
  query: { slice: q.rankedKeysetPages, after: q.after },
  answer: o.contractCalls,
  wallets: true,
  cost: byRows,
  // The list also changes when calls are decoded. No event reports this.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/contracts', plan: 'a far page of decoded calls' },
  async handle({ ctx, params: { address }, query: { slice } }, { db, logger }) {
    sendList(ctx, await contractCalls(db, address, slice), slice, logger);
  },
  async tables({ ctx, params: { address }, query: { slice, after } }, { db, logger }) {
    return sendTable(ctx, `calls-${address}`, logger, await callsExport(db, address, slice, after));
  },
});

export const decodedCall = endpoint({
  method: 'get',
  path: '/middleware/contracts/calls/transaction/{hash}',
  operationId: 'getContractCallOfTx',
  tag: 'contracts',
  summary: 'The decoded call of a transaction',
  description: '404 if the transaction calls no contract, or is not decoded yet.',
  params: { hash: p.transactionHash },
  answer: o.contractCall,
  refusals: [404],
  cost: 'light',
  // As for the list of calls.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/contracts', plan: 'the decoded call of a transaction' },
  async handle({ ctx, params: { hash } }, { db }) {
    sendJson(ctx, requireRow(ctx, await callOfTransaction(db, hash)).body);
  },
});

export const transactionsOfContract = endpoint({
  method: 'get',
  path: '/middleware/contracts/transactions/address/{address}',
  operationId: 'getContractTx',
  tag: 'contracts',
  summary: 'Creation and calls of a contract, oldest first',
  description: 'The first is the one that created it.',
  params: { address: p.contract },
  query: { slice: q.keysetPages },
  answer: listedTransactions,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/contracts', plan: 'the last page of a contract' },
  async handle({ ctx, params: { address }, query: { slice } }, { db, logger }) {
    const of = { kind: ListKind.contract, id: address, type: null };
    // The creation must come first: some clients take the first entry for it.
    sendList(ctx, await listTransactions(db, of, 'oldest first', slice), slice, logger);
  },
});

export const creationOfContract = endpoint({
  method: 'get',
  path: '/middleware/contracts/transactions/creation/address/{address}',
  operationId: 'getContractCreationTx',
  tag: 'contracts',
  summary: 'The transaction that created a contract',
  description: '404 if there is no such contract, or if a contract created it inside a call.',
  params: { address: p.contract },
  answer: rawRecord,
  refusals: [404],
  wallets: true,
  cost: 'light',
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/contracts', plan: 'the creation of a contract' },
  async handle({ ctx, params: { address } }, { db }) {
    sendJson(ctx, requireRow(ctx, await contractCreation(db, address)).body);
  },
});

const LOGS =
  'Each event that a contract emitted in a call or at its creation, also in calls by other contracts, in the order in which they were emitted. `complete` is false while call information of these heights is not read yet, or no node has it: an archive node has all.';

export const logsOfContracts = endpoint({
  method: 'get',
  path: '/middleware/contracts/logs',
  operationId: 'getContractLogs',
  tag: 'contracts',
  summary: 'Logs of contracts, newest first',
  description: LOGS,
  query: { of: logFilter, slice: logPages, after: q.afterEvent },
  answer: o.contractLogs,
  cost: byTake,
  // The list also changes when call information is read. The event that reports this is not one of the chain.
  cache: 'short',
  evidence: { source: "node's recording", test: 'api/contract-logs', plan: 'the logs of a contract' },
  async handle({ ctx, query: { of, slice } }, { db, logger }) {
    const row = requireRow(ctx, await contractLogs(db, of, slice));
    linkNext(ctx, row.next);
    reportCut(ctx, row.next !== null && isCapped(slice), logger);
    sendJson(ctx, row.body);
  },
  async tables({ ctx, query: { of, slice, after } }, { db, logger }) {
    return sendTable(ctx, 'contract-logs', logger, await logsExport(db, of, slice.wanted, after));
  },
});
