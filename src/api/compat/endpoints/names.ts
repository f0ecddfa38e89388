import { z } from 'zod';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { nameHash } from '../../../chain/protocol/ids.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/names.js';
import type { CompatNameRow, NameOrder } from '../../../store/queries/compat/names.js';
import { counted, sumOf } from '../../../store/queries/compat/totals.js';
import { compatTransactionsAt } from '../../../store/queries/compat/transactions.js';
import { ListKind } from '../../../chain/lists.js';
import { effectList } from '../effects.js';
import type { Effect } from '../effects.js';
import { compatible } from '../endpoint.js';
import type { Version } from '../endpoint.js';
import { invalid, notFound } from '../errors.js';
import { memberIs, mentionAs } from '../mentions.js';
import { inOrder, list, partOf } from '../page.js';
import type { ReadPart, Row } from '../page.js';
import { id, nameId, text, word } from '../parameters.js';
import type { Parameter } from '../parameters.js';
import { auctionRow, auctionRowOfV2, nameRow, nameRowOfV2, pointersByKey } from '../render/names.js';
import type { Referred } from '../render/names.js';
import { transactionRow } from '../render/transactions.js';
import { textOf } from '../render/values.js';
import * as s from '../schemas.js';
import { heightsOf, positionsOf } from '../scope.js';

/** Reads records, with what their rows refer to. */
async function readRecords(db: Queryable, positions: readonly bigint[], version: Version) {
  const { rows, head } = await queries.compatNamesAt(db, positions);
  const running = rows.flatMap(({ running_position: position }) => (position === null ? [] : [BigInt(position)]));
  const auctions = running.length === 0 ? [] : (await queries.compatNamesAt(db, running)).rows;
  const wanted = [
    ...rows.flatMap((row) => (row.running ? [row.bid_position] : [])),
    ...rows.flatMap(({ revoke_position: position }) => (position === null ? [] : [position])),
    ...auctions.map(({ bid_position: position }) => position),
  ].map(BigInt);
  const shown = wanted.length === 0 ? [] : (await compatTransactionsAt(db, wanted, version === 'v2')).rows;
  const transactions = new Map(shown.map((row) => [row.position, transactionRow(row, { version })]));
  const referred: Referred = {
    transactions,
    auctions: new Map(auctions.map((row) => [row.position, auctionRow(row, { transactions })])),
  };
  return { rows, head, referred };
}

const shownName = (row: CompatNameRow, referred: Referred, version: Version): JsonObject =>
  version === 'v2'
    ? row.running
      ? auctionRowOfV2(row, referred)
      : nameRowOfV2(row, referred)
    : row.running
      ? auctionRow(row, referred)
      : nameRow(row, referred);

/** Rows of names and of running auctions. An auction has the row of a name where it is `asName`. */
const shownAs =
  (version: Version, asName: boolean) =>
  (row: CompatNameRow, referred: Referred): JsonObject =>
    asName && version === 'v3' ? nameRow(row, referred) : shownName(row, referred, version);

/** Reads parts of a list of names. Its keys are turned around, so that of names with the same height the first one comes first. */
function readNames(db: Queryable, filter: queries.NamesFilter, version: Version, asName = false): ReadPart {
  const shown = shownAs(version, asName);
  const hasHeight = filter.order !== 'name' && filter.order !== 'auction_name';
  return async (part) => {
    const [height, name] = hasHeight ? (part.from ?? []) : [0n, part.from?.[0]];
    const from = typeof name === 'string' && typeof height === 'bigint' ? { height: -height, name } : undefined;
    const { rows: keys, head } = await queries.compatNames(db, filter, { ...part, from });
    const positions = keys.map(({ position }) => BigInt(position));
    const { rows, referred } = await readRecords(db, positions, version);
    const byPosition = new Map(rows.map((row) => [row.position, row]));
    const found = keys.flatMap(({ height: sorted, name: own, position }): Row[] => {
      const row = byPosition.get(position);
      const key = hasHeight ? [-BigInt(sorted), own] : [own];
      return row === undefined ? [] : [{ key, value: shown(row, referred) }];
    });
    return { rows: inOrder(found, hasHeight ? { ...part, ascending: !part.ascending } : part), head };
  };
}

const ORDERS: Record<'expiration' | 'deactivation' | 'activation' | 'name', NameOrder> = {
  expiration: 'expiration',
  deactivation: 'expiration',
  activation: 'activation',
  name: 'name',
};

const NAME_FILTERS = {
  by: word('by', 'The order.', ['expiration', 'deactivation', 'activation', 'name']),
  state: word('state', 'Only active names, only those that are not, or names in a running auction.', [
    'active',
    'inactive',
    'auction',
  ]),
  owned_by: id('Only names of this account.', 'ak'),
  prefix: text('prefix', 'Only names that begin so; with `by=name`.'),
};

const NAMES = {
  tag: 'Names',
  strict: true,
  query: NAME_FILTERS,
  row: s.name,
  scopes: ['gen'],
} as const;

/** What `/names` asks for. Throws for parameters that exclude each other. */
function namesFilter(
  {
    by = 'expiration',
    state,
    owned_by: owner,
    prefix,
  }: Partial<{ [Name in keyof typeof NAME_FILTERS]: ReturnType<(typeof NAME_FILTERS)[Name]['read']> }>,
  scope: Parameters<typeof heightsOf>[0],
): queries.NamesFilter & { forward: boolean | undefined } {
  if (by === 'activation' && state !== 'active') throw invalid('query', 'by=activation needs state=active');
  if (by === 'name' && scope !== undefined) throw invalid('query', 'by=name has no scope');
  if (prefix !== undefined && (by !== 'name' || owner !== undefined))
    throw invalid('query', 'prefix needs by=name, and excludes owned_by');
  // The last bidder of an auction does not own the name.
  if (state === 'auction' && owner !== undefined) throw invalid('query', 'state=auction excludes owned_by');
  return {
    ...heightsOf(scope),
    order: state !== 'auction' ? ORDERS[by] : by === 'name' ? 'auction_name' : 'auction_end',
    active: state === undefined || state === 'auction' ? null : state === 'active',
    owner: owner ?? null,
    prefix: prefix?.toLowerCase() ?? null,
  };
}

export const names = list({
  ...NAMES,
  v3: { path: '/names', id: 'GetNames' },
  v2: { path: '/names', id: 'get_names' },
  summary: 'Names, those that expire last first',
  key: ({ query }) => (query.by === 'name' ? ['text'] : ['int', 'text']),
  hasCount: true,
  cost: ({ query }) => (query.owned_by === undefined ? 'light' : 'heavy'),
  open({ query, scope, version }, { db }) {
    const filter = namesFilter(query, scope);
    return {
      forward: filter.forward,
      read: readNames(db, filter, version, true),
      total: () => queries.compatNameTotal(db, filter),
    };
  },
});

export const nameCount = compatible({
  v3: { path: '/names/count', id: 'GetNamesCount' },
  v2: { path: '/names/count', id: 'get_names_count' },
  tag: 'Names',
  summary: 'Number of active names',
  query: { owned_by: id('Only names of this account.', 'ak') },
  strict: true,
  answer: s.bareCount,
  async handle({ query }, { db }) {
    const { row, head } = await queries.compatNameCount(db, query.owned_by ?? null);
    return { value: Number(row?.count ?? 0), head };
  },
});

const NAME_ID = { id: nameId('A name in any spelling, with or without `.chain`, or its hash.') };

/** The record of a name, or of its auction. Throws `not_found`. */
async function oneRecord(db: Queryable, hash: string, of: 'name' | 'auction' | 'either', version: Version) {
  const { row } = await queries.compatNamePositions(db, hash);
  const position =
    of === 'auction' ? row?.auction_position : (row?.name_position ?? (of === 'either' ? row?.auction_position : null));
  if (position == null) throw notFound(hash);
  const { rows, head, referred } = await readRecords(db, [BigInt(position)], version);
  if (rows[0] === undefined) throw notFound(hash);
  return { row: rows[0], head, referred };
}

export const name = compatible({
  v3: { path: '/names/{id}', id: 'GetName' },
  v2: { path: '/names/{id}', id: 'get_name' },
  tag: 'Names',
  summary: 'A name',
  params: NAME_ID,
  answer: s.name,
  async handle({ params, version }, { db }) {
    const { row, head, referred } = await oneRecord(db, params.id, version === 'v2' ? 'either' : 'name', version);
    return { value: shownName(row, referred, version), head };
  },
});

export const auctions = list({
  tag: 'Names',
  v3: { path: '/names/auctions', id: 'GetNamesAuctions' },
  v2: { path: '/names/auctions', id: 'get_names_auctions' },
  summary: 'Running auctions of names',
  query: { by: word('by', 'The order.', ['expiration', 'name']) },
  strict: true,
  row: s.auction,
  key: ({ query }) => (query.by === 'name' ? ['text'] : ['int', 'text']),
  hasCount: true,
  open({ query, version }, { db }) {
    const { low, high } = heightsOf(undefined);
    const order = query.by === 'name' ? 'auction_name' : 'auction_end';
    const filter: queries.NamesFilter = { order, active: null, owner: null, prefix: null, low, high };
    return { read: readNames(db, filter, version), total: () => queries.compatNameTotal(db, filter) };
  },
});

export const auction = compatible({
  v3: { path: '/names/auctions/{id}', id: 'GetNameAuction' },
  v2: { path: '/names/{id}/auction', id: 'get_name_auction' },
  tag: 'Names',
  summary: 'The running auction of a name',
  params: NAME_ID,
  answer: s.auction,
  async handle({ params, version }, { db }) {
    const { row, head, referred } = await oneRecord(db, params.id, 'auction', version);
    return { value: shownName(row, referred, version), head };
  },
});

const HASH_OF = ({ tx }: Effect): string => {
  const id = tx['name_id'];
  return typeof id === 'string' ? id : nameHash(textOf(tx['name']));
};

/** Rows of claims, updates and transfers, with the height from which the name is active; of claims also whether they are bids of an auction. */
const effectRows =
  (db: Queryable) =>
  async (effects: readonly Effect[]): Promise<readonly JsonObject[]> => {
    const { rows } = await queries.compatActivations(
      db,
      effects.map(HASH_OF),
      effects.map(({ position }) => position),
    );
    const records = new Map(rows.map((row) => [Number(row.number) - 1, row]));
    return effects.map(({ tx, common }, i) => {
      const record = records.get(i);
      const isClaim = tx['type'] === 'NameClaimTx';
      return {
        active_from: record === undefined ? null : Number(record.active_from),
        ...(isClaim && { auction: record === undefined ? null : record.auctioned }),
        ...common,
        tx,
      };
    });
  };

const ALL = { mentions: [], types: null, texts: [] };

const EFFECTS = {
  tag: 'Names',
  params: NAME_ID,
  row: s.effect,
  key: ['int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
} as const;

export const claims = list({
  ...EFFECTS,
  v3: { path: '/names/{id}/claims', id: 'GetNameClaims' },
  v2: { path: '/names/{id}/claims', id: 'get_name_claims' },
  summary: 'Claims of a name, of all its times, and bids',
  async open({ params, scope }, { db }) {
    await oneRecord(db, params.id, 'either', 'v3');
    const { forward, ...range } = await positionsOf(db, scope);
    const of = { ...ALL, mentions: [mentionAs(params.id, 'nm')], ...range };
    return { forward, ...effectList(db, of, ['NameClaimTx'], effectRows(db)) };
  },
});

/** Effects of a type within the last time of a name, or within its running auction. */
const sinceRecord = (
  of: 'name' | 'auction',
  { type, ...definition }: Pick<Parameters<typeof list>[0], 'v2' | 'v3' | 'summary'> & { type: string },
) =>
  list({
    ...EFFECTS,
    ...definition,
    async open({ params, scope }, { db }) {
      const { row } = await oneRecord(db, params.id, of, 'v3');
      const { forward, low, high } = await positionsOf(db, scope);
      const first = BigInt(row.position);
      const filter = { ...ALL, mentions: [mentionAs(params.id, 'nm')], low: first > low ? first : low, high };
      return { forward, ...effectList(db, filter, [type], effectRows(db)) };
    },
  });

export const auctionClaims = sinceRecord('auction', {
  v3: { path: '/names/auctions/{id}/claims', id: 'GetNameAuctionClaims' },
  summary: 'Bids of the running auction of a name',
  type: 'NameClaimTx',
});

export const updates = sinceRecord('name', {
  v3: { path: '/names/{id}/updates', id: 'GetNameUpdates' },
  v2: { path: '/names/{id}/updates', id: 'get_name_updates' },
  summary: 'Updates of a name since its last claim',
  type: 'NameUpdateTx',
});

export const transfers = sinceRecord('name', {
  v3: { path: '/names/{id}/transfers', id: 'GetNameTransfers' },
  v2: { path: '/names/{id}/transfers', id: 'get_name_transfers' },
  summary: 'Transfers of a name since its last claim',
  type: 'NameTransferTx',
});

const HISTORY = ['NameClaimTx', 'NameUpdateTx', 'NameTransferTx', 'NameRevokeTx'];

export const history = list({
  tag: 'Names',
  v3: { path: '/names/{id}/history', id: 'GetNameHistory' },
  summary: 'All that happened to a name',
  params: NAME_ID,
  row: s.effect.partial(),
  key: ['int', 'int'],
  hasCount: true,
  cost: () => 'heavy',
  async open({ params }, { db }) {
    await oneRecord(db, params.id, 'either', 'v3');
    const { forward: _forward, ...range } = await positionsOf(db, undefined);
    const of = { ...ALL, mentions: [mentionAs(params.id, 'nm')], ...range };
    const { read, total } = effectList(db, of, HISTORY, effectRows(db));
    const { rows: ends } = await queries.compatExpiries(db, params.id);
    const expiries = ends.map(({ active_from: from, expired_at: at }) => ({
      key: [BigInt(at) << 33n, 1n],
      value: { active_from: Number(from), expired_at: Number(at) },
    }));
    return {
      total: async () => {
        const all = await total();
        return sumOf([all, { row: counted(expiries.length), head: all.head }]);
      },
      async read(part) {
        const { rows, head } = await read({
          ...part,
          from: part.from?.slice(0, 1),
          inclusive: true,
          take: part.take + 1,
        });
        const effects = rows.map(({ key, value }) => ({ key: [key[0]!, 0n], value }));
        return { rows: partOf([...effects, ...expiries], part), head };
      },
    };
  },
});

const ACCOUNT = { id: id('An account.', 'ak') };

export const accountClaims = list({
  ...EFFECTS,
  v3: { path: '/accounts/{id}/names/claims', id: 'GetAccountNameClaims' },
  summary: 'Claims and bids of an account',
  params: ACCOUNT,
  cost: () => 'heavy',
  async open({ params, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    const lists = [ListKind.account, ListKind.bid].map((kind) => ({ kind, id: params.id }));
    const texts = [memberIs('account_id', [params.id])];
    const of = { ...ALL, mentions: [{ lists }], texts, ...range };
    return { forward, ...effectList(db, of, ['NameClaimTx'], effectRows(db)) };
  },
});

export const pointers = compatible({
  tag: 'Names',
  v2: { path: '/names/{id}/pointers', id: 'get_name_pointers' },
  summary: 'What a name points to, by the keys of its pointers',
  params: NAME_ID,
  answer: z.record(z.string(), z.string().nullable()),
  async handle({ params }, { db }) {
    const { row, head } = await oneRecord(db, params.id, 'name', 'v2');
    return { value: pointersByKey(row), head };
  },
});

type Found = 'active' | 'inactive' | 'auction';

const ONLY = word('only', 'Only active names, others, or auctions; several are a union.', [
  'active',
  'inactive',
  'auction',
]);

const only: Parameter<Found[]> = {
  schema: ONLY.schema,
  read: (value) => [ONLY.read(value)],
  readAll: (values) => values.map((value) => ONLY.read(value)),
};

/** Names and auctions in the order of the names. A name may be both. */
export const search = list({
  tag: 'Names',
  v2: { path: '/names/search', id: 'search_names' },
  summary: 'Names and auctions that begin with a text',
  query: { prefix: text('prefix', 'Beginning of the name.'), only },
  strict: true,
  row: z.object({ type: z.enum(['name', 'auction']), payload: s.name.v2 }).meta({ id: 'CompatFound' }),
  key: ['text', 'int'],
  hasCount: true,
  open({ query }, { db }) {
    const wanted = new Set(query.only ?? ['active', 'inactive', 'auction']);
    const [active, inactive] = [wanted.has('active'), wanted.has('inactive')];
    const of = { ...heightsOf(undefined), owner: null, prefix: query.prefix?.toLowerCase() ?? null };
    const state = active && inactive ? null : active;
    const sources = [
      ...(active || inactive ? [{ type: 'name', filter: { ...of, order: 'name' as const, active: state } }] : []),
      ...(wanted.has('auction')
        ? [{ type: 'auction', filter: { ...of, order: 'auction_name' as const, active: null } }]
        : []),
    ];
    const reads = sources.map(({ type, filter }) => ({ type, read: readNames(db, filter, 'v2') }));
    return {
      total: async () => sumOf(await Promise.all(sources.map(({ filter }) => queries.compatNameTotal(db, filter)))),
      async read(part) {
        const asked = { ...part, inclusive: true, take: part.take + 1, from: part.from?.slice(0, 1) };
        const parts = await Promise.all(reads.map(({ read }) => read(asked)));
        const found = parts.flatMap(({ rows }, i) =>
          rows.map(({ key, value }): Row => ({
            key: [key[0]!, reads[i]!.type === 'name' ? 0n : 1n],
            value: { type: reads[i]!.type, payload: value },
          })),
        );
        return { rows: partOf(found, part), head: parts[0]?.head ?? null };
      },
    };
  },
});
