import { z } from 'zod';
import { isObject } from '../../../chain/encoding/json.js';
import { integer } from '../../../chain/facts.js';
import { microPosition } from '../../../chain/position.js';
import type { Queryable } from '../../../store/connection/database.js';
import { headAnswer } from '../../../store/queries/answer.js';
import { compatMicroBlock } from '../../../store/queries/compat/blocks.js';
import * as places from '../../../store/queries/compat/places.js';
import { filteredTransactions } from '../../../store/queries/compat/transaction-lists.js';
import type { TransactionFilter } from '../../../store/queries/compat/transaction-lists.js';
import { countOfMention, countsByMember, transactionTotal } from '../../../store/queries/compat/transaction-totals.js';
import * as queries from '../../../store/queries/compat/transactions.js';
import type { ApiDeps } from '../../deps.js';
import { compatible, valuesOf } from '../endpoint.js';
import type { Result } from '../endpoint.js';
import { notFound, refused } from '../errors.js';
import { anyMention, idsOf } from '../mentions.js';
import { inOrder, list, partOf, rangeOf } from '../page.js';
import type { ReadPart, Row } from '../page.js';
import { anyId, hash } from '../parameters.js';
import { transactionRow } from '../render/transactions.js';
import { textOf } from '../render/values.js';
import * as s from '../schemas.js';
import { parseScope, positionsOf } from '../scope.js';
import * as filter from '../transaction-filter.js';

type Rendering = Parameters<typeof transactionRow>[1];

/** Reads parts of a list of transactions. */
function readTransactions(db: Queryable, of: TransactionFilter, rendering: Rendering): ReadPart {
  return async (part) => {
    const wanted = { ...of, ...rangeOf(part, of) };
    const { rows, head } = await filteredTransactions(db, wanted, part, rendering.version === 'v2');
    const found = rows.map((row) => ({ key: [BigInt(row.position)], value: transactionRow(row, rendering) }));
    return { rows: inOrder(found, part), head };
  };
}

const hasConditions = ({ query }: { query: object }): 'light' | 'heavy' =>
  Object.keys(query).some((name) => /_id$|^entrypoint$/.test(name)) || Object.keys(query).length > 2
    ? 'heavy'
    : 'light';

export const transactions = list({
  v3: { path: '/transactions', id: 'GetTransactions' },
  v2: { path: '/txs', id: 'get_txs' },
  tag: 'Transactions',
  summary: 'Transactions, by what they are and what they mention',
  query: filter.FILTERS,
  strict: true,
  row: s.transaction,
  key: ['int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction', 'txi'],
  cost: hasConditions,
  async open({ query, scope, version }, { db }) {
    const { low, high, forward } = await positionsOf(db, scope);
    const of = { ...filter.filterOf(query), low, high };
    const rendering = { version, recipient: version === 'v3' || query.account !== undefined };
    return { forward, read: readTransactions(db, of, rendering), total: () => transactionTotal(db, of) };
  },
});

export const microBlockTransactions = list({
  v3: { path: '/micro-blocks/{hash}/transactions', id: 'GetMicroBlockTransactions' },
  v2: { path: '/micro-blocks/{hash}/txs', id: 'get_micro_block_txs' },
  tag: 'Transactions',
  summary: 'Transactions of a micro block',
  params: { hash: hash('The hash of a micro block.', 'mh') },
  query: filter.FILTERS,
  strict: true,
  row: s.transaction,
  key: ['int'],
  hasCount: true,
  cost: hasConditions,
  async open({ params, query, version }, { db }) {
    const { row } = await compatMicroBlock(db, params.hash);
    if (row === null) throw notFound(params.hash);
    const low = BigInt(row.position);
    const of = { ...filter.filterOf(query), low, high: low + microPosition(0, 1) - 1n };
    return { read: readTransactions(db, of, { version }), total: () => transactionTotal(db, of) };
  },
});

const found = (
  { row, head }: Awaited<ReturnType<typeof queries.compatTransaction>>,
  version: Rendering['version'],
  id: string,
): Result => {
  if (row === null) throw notFound(id);
  return { value: transactionRow(row, { version }), head };
};

const transactionHash = hash('The hash of a transaction.', 'th');

export const transaction = [
  ...compatible({
    v3: { path: '/transactions/{hash}', id: 'GetTransaction' },
    // An alias that clients use.
    plain: '/v3/txs/{hash}',
    tag: 'Transactions',
    summary: 'A transaction',
    params: { hash: transactionHash },
    answer: s.transaction,
    handle: async ({ params: { hash: id } }, { db }) => found(await queries.compatTransaction(db, id, false), 'v3', id),
  }),
  ...compatible({
    v2: { path: '/txs/{hash_or_index}', id: 'get_tx' },
    tag: 'Transactions',
    summary: 'A transaction',
    params: {
      hash_or_index: {
        schema: z.string().meta({ description: 'The hash of a transaction, or its number on the chain from 0.' }),
        read: (text: string): string => (/^\d{1,15}$/.test(text) ? text : transactionHash.read(text)),
      },
    },
    answer: s.transaction,
    async handle({ params: { hash_or_index: id } }, { db }) {
      if (!/^\d/.test(id)) return found(await queries.compatTransaction(db, id, true), 'v2', id);
      const { row } = await places.positionOfIndex(db, BigInt(id));
      if (row === null) throw notFound(id);
      const { rows, head } = await queries.compatTransactionsAt(db, [BigInt(row.position)], true);
      return found({ row: rows[0] ?? null, head }, 'v2', id);
    },
  }),
];

const COUNT_PARAMETERS = {
  id: anyId('Transactions with this id in any member.'),
  type: filter.type,
  tx_type: filter.type,
  type_group: filter.typeGroup,
  mb_hash: hash('Transactions of this micro block.', 'mh'),
};

/** How many transactions there are by at most one of: id, scope, micro block. */
export const transactionCount = compatible({
  v3: { path: '/transactions/count', id: 'GetTransactionsCount' },
  v2: { path: '/txs/count', id: 'get_txs_count' },
  tag: 'Transactions',
  summary: 'Number of transactions',
  query: COUNT_PARAMETERS,
  answer: z.union([s.bareCount, z.object({ data: s.bareCount })]),
  cost: ({ query }) => (query.id === undefined ? 'light' : 'heavy'),
  async handle({ ctx, query }, { db }) {
    const types = typesIn(query);
    const scope = valuesOf(ctx.query, 'scope').at(-1);
    const others = [scope, query.id, query.mb_hash].filter((one) => one !== undefined);
    const isKnown = Object.keys(ctx.query).every((name) => isCountParameter(name));
    if (others.length > 1 || (scope !== undefined && types !== null) || !isKnown)
      throw refused("can't query by multiple filters and/or invalid filters");
    if (scope !== undefined) return countInScope(db, scope);
    if (query.id !== undefined) return countOf(await countOfMention(db, anyMention(query.id), types));
    if (query.mb_hash === undefined) return countOf(await places.countOfTypes(db, types));
    const { row, head } = await places.countInMicroBlock(db, query.mb_hash, types);
    if (row === null) throw notFound(query.mb_hash);
    return { value: { data: Number(row.count) }, head };
  },
});

const isCountParameter = (name: string): boolean =>
  name in COUNT_PARAMETERS || name === 'scope' || name === 'int-as-string' || name.startsWith('_');

type Typed = Partial<Record<'type' | 'tx_type' | 'type_group', string[]>>;

const typesIn = ({ type, tx_type: other, type_group: group }: Typed): string[] | null =>
  type === undefined && other === undefined && group === undefined
    ? null
    : [...new Set([...(type ?? []), ...(other ?? []), ...(group ?? [])])];

const countOf = ({ row, head }: Awaited<ReturnType<typeof places.countOfTypes>>): Result => ({
  value: Number(row?.count ?? 0),
  head,
});

const countInScope = async (db: Queryable, text: string): Promise<Result> =>
  countOf(await places.countBetween(db, await positionsOf(db, parseScope(text, ['gen', 'time', 'txi'])), null));

export const accountTransactionCount = compatible({
  v3: { path: '/accounts/{id}/transactions/count', id: 'GetAccountTransactionsCount' },
  v2: { path: '/txs/count/{id}', id: 'get_txs_count_by_id' },
  tag: 'Accounts',
  summary: 'Number of transactions with an id, by type and member',
  params: { id: anyId('An account or another object.') },
  query: { type: filter.type, type_group: filter.typeGroup },
  answer: z.union([s.bareCount, z.looseObject({})]),
  cost: 'heavy',
  async handle({ params: { id }, query }, { db }) {
    const types = typesIn(query);
    const mention = anyMention(id);
    const { row, head } = await countOfMention(db, mention, types);
    if (types !== null) return { value: Number(row?.count ?? 0), head };
    const members = await countsByMember(db, mention, idsOf(id), filter.MEMBER_NAMES);
    const byType: Record<string, Record<string, number>> = {};
    for (const { type, member, count } of members.rows)
      (byType[`${filter.typeWord(type)}_tx`] ??= {})[member] = Number(count);
    return { value: { total: Number(row?.count ?? 0), ...byType }, head };
  },
});

/** Rows of the pool of the node, and their keys: those that pay most come last. */
async function pooled({ nodeReader }: ApiDeps): Promise<Row[]> {
  const transactions = await nodeReader.pending();
  return transactions.map((envelope) => {
    const tx = isObject(envelope['tx']) ? envelope['tx'] : {};
    const key = [integer(tx['fee']) ?? 0n, integer(tx['gas_price']) ?? 0n, textOf(envelope['hash'])];
    return { key, value: { ...envelope, block_hash: 'none', block_height: -1, failures: 0 } };
  });
}

const POOL = { tag: 'Transactions', cache: 'never' as const };

export const pendingTransactions = list({
  ...POOL,
  v3: { path: '/transactions/pending', id: 'GetPendingTransactions' },
  summary: 'Transactions that wait in the pool of the node, those with the highest fees first',
  row: z.looseObject({ hash: z.string(), tx: z.looseObject({}) }),
  // While it waits for the node, others must not wait for the database.
  cost: () => 'none',
  key: ['int', 'int', 'text'],
  async open(_request, deps) {
    const rows = await pooled(deps);
    return { read: async (part) => ({ rows: partOf(rows, part), head: (await headAnswer(deps.db)).head }) };
  },
});

export const pendingTransactionsCount = compatible({
  ...POOL,
  v3: { path: '/transactions/pending/count', id: 'GetPendingTransactionsCount' },
  summary: 'Number of transactions that wait in the pool of the node',
  cost: 'none',
  answer: s.bareCount,
  handle: async (_request, deps) => ({ value: (await pooled(deps)).length, head: (await headAnswer(deps.db)).head }),
});
