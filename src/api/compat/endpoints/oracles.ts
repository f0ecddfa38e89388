import type { JsonObject } from '../../../chain/encoding/json.js';
import { ListKind } from '../../../chain/lists.js';
import { heightOf } from '../../../chain/position.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/objects.js';
import type { CompatOracleRow, CompatQueryRow } from '../../../store/queries/compat/objects.js';
import { transactionTotal } from '../../../store/queries/compat/transaction-totals.js';
import { compatTransactionsAt } from '../../../store/queries/compat/transactions.js';
import { effectList, effectOf, readEffects } from '../effects.js';
import type { Effect } from '../effects.js';
import { compatible } from '../endpoint.js';
import type { Version } from '../endpoint.js';
import { notFound } from '../errors.js';
import { inOrder, list, rangeOf } from '../page.js';
import type { Row } from '../page.js';
import { id, word } from '../parameters.js';
import { transactionRow } from '../render/transactions.js';
import { base64 } from '../render/values.js';
import * as s from '../schemas.js';
import { heightsOf, positionsOf } from '../scope.js';

/** Rows of oracles, with their keys in the list by expiry. */
async function oracleRows(db: Queryable, rows: readonly CompatOracleRow[], version: Version): Promise<Row[]> {
  const extending = version === 'v2' ? rows.flatMap(({ extends: positions }) => positions ?? []) : [];
  const wanted = [...rows.map(({ position }) => position), ...extending].map(BigInt);
  const { rows: transactions } = await compatTransactionsAt(db, wanted, version === 'v2');
  const byPosition = new Map(transactions.map((row) => [row.position, row]));
  return rows.flatMap((row): Row[] => {
    const registered = byPosition.get(row.position);
    const effect = registered === undefined ? undefined : effectOf(registered, ['OracleRegisterTx']);
    if (registered === undefined || effect === undefined) return [];
    const shown = transactionRow(registered, { version });
    const value = {
      oracle: row.id,
      active: row.active,
      active_from: heightOf(BigInt(row.position)),
      register_time: Number(registered.micro_time),
      expire_height: Number(row.expire_height),
      approximate_expire_time: Number(row.expire_time),
      query_fee: effect.tx['query_fee']!,
      format: { query: effect.tx['query_format']!, response: effect.tx['response_format']! },
      register_tx_hash: shown['hash']!,
      ...(version === 'v3'
        ? { register: { ...shown, tx: { ...(shown['tx'] as JsonObject), tx_hash: shown['hash']! } } }
        : {
            register: shown['tx_index']!,
            extends: (row.extends ?? []).map((position) => Number(byPosition.get(position)?.tx_index ?? 0)),
          }),
    };
    return [{ key: [BigInt(row.expires_at), row.id], value }];
  });
}

export const oracles = list({
  v3: { path: '/oracles', id: 'GetOracles' },
  v2: { path: '/oracles', id: 'get_oracles' },
  tag: 'Oracles',
  summary: 'Oracles, those that expire last first',
  query: { state: word('state', 'Only active oracles, or only those that are not.', ['active', 'inactive']) },
  strict: true,
  row: s.oracle,
  key: ['int', 'text'],
  hasCount: true,
  scopes: ['gen'],
  open({ query, scope, version }, { db }) {
    const { low, high, forward } = heightsOf(scope);
    const active = query.state === undefined ? null : query.state === 'active';
    return {
      forward,
      total: () => queries.compatOracleTotal(db, { active, low, high }),
      async read(part) {
        const from = part.from && { height: part.from[0] as bigint, id: part.from[1] as string };
        const { rows, head } = await queries.compatOracles(db, { active, low, high }, { ...part, from });
        return { rows: inOrder(await oracleRows(db, rows, version), part), head };
      },
    };
  },
});

const ORACLE = { id: id('An oracle.', 'ok') };

export const oracle = compatible({
  v3: { path: '/oracles/{id}', id: 'GetOracle' },
  v2: { path: '/oracles/{id}', id: 'get_oracle' },
  tag: 'Oracles',
  summary: 'An oracle',
  params: ORACLE,
  answer: s.oracle,
  async handle({ params, version }, { db }) {
    const { rows, head } = await queries.compatOracle(db, params.id);
    const [row] = await oracleRows(db, rows, version);
    if (row === undefined) throw notFound(params.id);
    return { value: row.value, head };
  },
});

async function requireOracle(db: Queryable, oracleId: string): Promise<void> {
  const { rows } = await queries.compatOracle(db, oracleId);
  if (rows.length === 0) throw notFound(oracleId);
}

/** Members of a query or response, without those that say which it is. */
function members({ tx, common: { internal_source: _internal, ...common } }: Effect): JsonObject {
  const { type: _type, version: _version, ...rest } = tx;
  return { ...common, ...rest };
}

const queryRow = (effect: Effect, { id: query }: CompatQueryRow): JsonObject => ({
  ...members(effect),
  query_id: query,
  query: base64(effect.tx['query']),
});

const responseRow = (effect: Effect): JsonObject => ({
  ...members(effect),
  response: base64(effect.tx['response']),
});

/** Effects at the positions of queries and responses. */
async function effectsOf(db: Queryable, asked: readonly CompatQueryRow[]): Promise<Map<string, Effect>> {
  const positions = asked.flatMap(({ position, response_position: response }) => [position, response ?? position]);
  const { rows } = await compatTransactionsAt(db, [...new Set(positions)].map(BigInt));
  const effects = rows.flatMap((row) => effectOf(row, ['OracleQueryTx', 'OracleRespondTx', 'OracleResponseTx']) ?? []);
  return new Map(effects.map((effect) => [String(effect.position), effect]));
}

export const oracleQueries = list({
  v3: { path: '/oracles/{id}/queries', id: 'GetOracleQueries' },
  tag: 'Oracles',
  summary: 'Queries to an oracle, newest first',
  params: ORACLE,
  row: s.oracleQuery,
  key: ['int'],
  hasCount: true,
  async open({ params }, { db }) {
    await requireOracle(db, params.id);
    const { forward: _forward, ...range } = await positionsOf(db, undefined);
    const mentions = [{ lists: [{ kind: ListKind.oracle, id: params.id }] }];
    const render = async (effects: readonly Effect[]): Promise<readonly JsonObject[]> => {
      const { rows } = await queries.compatQueriesAt(
        db,
        effects.map(({ position }) => position),
      );
      const responses = await effectsOf(db, rows);
      const byPosition = new Map(rows.map((row) => [row.position, row]));
      return effects.map((effect) => {
        const asked = byPosition.get(String(effect.position))!;
        const response = asked.response_position === null ? undefined : responses.get(asked.response_position);
        return { ...queryRow(effect, asked), response: response === undefined ? null : responseRow(response) };
      });
    };
    const of = { mentions, types: null, texts: [], ...range };
    return { read: readEffects(db, of, ['OracleQueryTx'], render), total: () => transactionTotal(db, of) };
  },
});

export const oracleResponses = list({
  v3: { path: '/oracles/{id}/responses', id: 'GetOracleResponses' },
  tag: 'Oracles',
  summary: 'Responses of an oracle, newest first',
  params: ORACLE,
  row: s.oracleResponse,
  key: ['int'],
  cost: () => 'heavy',
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  async open({ params, scope }, { db }) {
    await requireOracle(db, params.id);
    const { forward, ...range } = await positionsOf(db, scope);
    return {
      forward,
      total: () => queries.compatResponseTotal(db, params.id, range),
      async read(part) {
        const { rows, head } = await queries.compatResponses(db, params.id, rangeOf(part, range), part);
        const effects = await effectsOf(db, rows);
        const found = rows.flatMap((row): Row[] => {
          const [query, response] = [effects.get(row.position), effects.get(row.response_position!)];
          if (query === undefined || response === undefined) return [];
          const value = { ...responseRow(response), query: queryRow(query, row) };
          return [{ key: [response.position], value }];
        });
        return { rows: inOrder(found, part), head };
      },
    };
  },
});

export const oracleExtends = list({
  v3: { path: '/oracles/{id}/extends', id: 'GetOracleExtends' },
  tag: 'Oracles',
  summary: 'Extensions of an oracle, newest first',
  params: ORACLE,
  row: s.effect,
  key: ['int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  async open({ params, scope }, { db }) {
    await requireOracle(db, params.id);
    const { forward, ...range } = await positionsOf(db, scope);
    const mentions = [{ lists: [{ kind: ListKind.oracleLife, id: params.id }] }];
    const render = (effects: readonly Effect[]) =>
      Promise.resolve(effects.map(({ tx, common }) => ({ ...common, tx })));
    const of = { mentions, types: null, texts: [], ...range };
    return { forward, ...effectList(db, of, ['OracleExtendTx'], render) };
  },
});
