/** Lists of the compatible API: pages of `{"data", "next", "prev"}`, read forwards and backwards by cursors. */
import { z } from 'zod';
import type { Answer, Head } from '../../store/queries/answer.js';
import { MAX_COUNTED } from '../../store/queries/compat/totals.js';
import type { Total } from '../../store/queries/compat/totals.js';
import type { ApiDeps } from '../deps.js';
import type { Cost } from '../endpoint.js';
import type { Exchange } from '../exchange.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Key, KeyType } from './cursor.js';
import { compatible, valuesOf } from './endpoint.js';
import type { CompatDefinition, CompatEndpoint, CompatRequest, Result, Version } from './endpoint.js';
import { invalid, unsettled } from './errors.js';
import type { Parameters } from './parameters.js';
import { COMPAT_PREFIX } from '../compat-prefix.js';
import { bareCount } from './schemas.js';
import { parseScope } from './scope.js';
import type { Range, Scope, ScopeWord } from './scope.js';

/** The rows of a list that one statement reads. */
interface Part {
  /** Whether the rows are read in ascending order of their keys. */
  ascending: boolean;
  /** Where the part begins; from the beginning of the list if it is absent. */
  from?: Key | undefined;
  /** Whether the row with the key `from` belongs to the part. */
  inclusive: boolean;
  take: number;
}

export interface Row {
  key: Key;
  value: unknown;
}

/** Members of a page beside its rows. */
type Beside = Readonly<Record<string, boolean>>;

/** Reads a part of a list, in its order. */
export type ReadPart = (part: Part) => Promise<{ rows: readonly Row[]; beside?: Beside } & Pick<Result, 'head'>>;

/** What a part reads of a range. */
export function rangeOf({ ascending, from, inclusive }: Part, { low, high }: Range): Range {
  if (from === undefined) return { low, high };
  const start = from[0] as bigint;
  const step = inclusive ? 0n : 1n;
  return ascending
    ? { low: start + step > low ? start + step : low, high }
    : { low, high: start - step < high ? start - step : high };
}

/** Below 0 if `a` comes before `b` in ascending order. Texts are compared by their bytes, as the database does. */
function compareKeys(a: Key, b: Key): number {
  for (const [i, value] of a.entries()) {
    const other = b[i]!;
    if (value === other) continue;
    if (typeof value === 'bigint') return value < (other as bigint) ? -1 : 1;
    return Buffer.compare(Buffer.from(value), Buffer.from(other as string));
  }
  return 0;
}

/** Rows that were read for a part, in its order. */
export const inOrder = (rows: readonly Row[], { ascending }: Part): Row[] =>
  [...rows].sort((a, b) => (ascending ? 1 : -1) * compareKeys(a.key, b.key));

/** A part of a list that is in memory. */
export function partOf(rows: readonly Row[], part: Part): Row[] {
  const { ascending, from, inclusive, take } = part;
  const isOfPart = ({ key }: Row): boolean => {
    const order = from === undefined ? 1 : compareKeys(key, from) * (ascending ? 1 : -1);
    return order > 0 || (order === 0 && inclusive);
  };
  return inOrder(rows.filter(isOfPart), part).slice(0, take);
}

/** A list that is in memory as a whole whenever it is read. */
export const wholeList = (readAll: () => Promise<{ rows: readonly Row[] } & Pick<Result, 'head'>>) => ({
  async total(): Promise<Answer<Total>> {
    const { rows, head } = await readAll();
    return { row: { count: String(rows.length) }, head };
  },
  async read(part: Part) {
    const { rows, head } = await readAll();
    return { rows: partOf(rows, part), head };
  },
});

interface ListRequest<P extends Parameters, Q extends Parameters> extends CompatRequest<P, Q> {
  scope: Scope | undefined;
  /** Whether the request asks for ascending keys; a scope with two ends decides instead. */
  forward: boolean;
}

/** Reads how many rows the whole list has. */
type ReadTotal = () => Promise<Answer<Total>>;

interface OpenList {
  read: ReadPart;
  /** The direction, where the ends of the scope decide. */
  forward?: boolean | undefined;
  /** Absent where the number of rows is not known without reading all of them. */
  total?: ReadTotal | undefined;
}

interface ListDefinition<P extends Parameters, Q extends Parameters> extends Omit<
  CompatDefinition<P, Q>,
  'answer' | 'handle' | 'cost'
> {
  row: z.ZodType | Record<Version, z.ZodType>;
  /** Types of the key of a row. */
  key: KeyType | ((request: CompatRequest<P, Q>) => KeyType);
  /** Kinds of scopes that the list has; none if absent. */
  scopes?: readonly ScopeWord[];
  maxLimit?: number;
  /** It has the parameter `count`. */
  hasCount?: true;
  /** Members that each page has beside its rows. */
  beside?: Readonly<Record<string, z.ZodType>>;
  cost?: (request: ListRequest<P, Q>) => Cost;
  /** Checks the filter against the database, and returns how parts of the list are read. */
  open(request: ListRequest<P, Q>, deps: ApiDeps): Promise<OpenList> | OpenList;
}

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

const PAGING = (maxLimit: number): Record<string, z.ZodType> => ({
  limit: z.int().min(1).max(maxLimit).default(DEFAULT_LIMIT).meta({ description: 'Max rows of the page.' }),
  direction: z
    .enum(['backward', 'forward'])
    .default('backward')
    .meta({ description: 'Newest first, or oldest first. A scope with two ends decides instead.' }),
  cursor: z.string().meta({ description: 'Where the page begins: from `next` or `prev` of another page.' }),
});

const COUNT = {
  count: z
    .boolean()
    .default(false)
    .meta({
      description: `Whether the answer has \`total\`: the number of rows of the whole list. Refused where that is not stored and more than ${MAX_COUNTED} rows would have to be read.`,
    }),
};

const SCOPE = z.string().meta({ description: 'A range of the chain, both ends included.', example: 'gen:1-20' });

/** The schema of a page of such rows. */
const pageOf = (row: z.ZodType, hasCount: boolean, beside: Readonly<Record<string, z.ZodType>>): z.ZodType =>
  z.object({
    data: z.array(row),
    next: z.string().nullable(),
    prev: z.string().nullable(),
    ...beside,
    ...(hasCount && { total: bareCount.optional().meta({ description: 'Rows of the whole list; with `count`.' }) }),
  });

export function list<P extends Parameters, Q extends Parameters>(
  definition: ListDefinition<P, Q>,
): readonly CompatEndpoint[] {
  const {
    row,
    key,
    scopes = [],
    maxLimit = MAX_LIMIT,
    hasCount = false,
    beside = {},
    cost,
    open,
    ...rest
  } = definition;
  const asked = (request: CompatRequest<P, Q>): ListRequest<P, Q> => ({
    ...request,
    scope: readScope(request.ctx, scopes),
    forward: readDirection(request.ctx),
  });
  const page = (of: z.ZodType): z.ZodType => pageOf(of, hasCount, beside);
  const answer = 'v3' in row ? { v2: page(row.v2), v3: page(row.v3) } : page(row);
  const isCounted = ({ ctx }: CompatRequest<P, Q>): boolean => hasCount && readCount(ctx);
  const routes = compatible<P, Q>({
    ...rest,
    ...(hasCount && { also: Object.keys(COUNT) }),
    answer,
    cost: (request) => (isCounted(request) ? 'heavy' : (cost?.(asked(request)) ?? 'light')),
    async handle(request, deps) {
      const wanted = asked(request);
      const limit = Math.min(readLimit(request.ctx, maxLimit), deps.config.limitCap);
      const filters = [...Object.keys(rest.query ?? {}), ...OF_SCOPE];
      const listName = nameOf(request.ctx, rest.v3?.id ?? rest.v2!.id, filters, wanted.forward);
      const [cursor] = valuesOf(request.ctx.query, 'cursor');
      const from =
        cursor === undefined
          ? undefined
          : decodeCursor(listName, typeof key === 'function' ? key(request) : key, cursor);
      const { read, forward = wanted.forward, total } = await open(wanted, deps);
      const linkTo = (position: Key, rev: boolean): string =>
        linkOf(request.ctx, encodeCursor(listName, position), rev);
      const isReverse = from !== undefined && valuesOf(request.ctx.query, 'rev').includes('1');
      const readPage = (): Promise<PageResult> =>
        isReverse ? pageBefore(read, forward, from, limit, linkTo) : pageFrom(read, forward, from, limit, linkTo);
      return isCounted(request) ? withTotal(readPage, total) : readPage();
    },
  });
  const paging = { ...PAGING(maxLimit), ...(hasCount && COUNT), ...(scopes.length > 0 && { scope: SCOPE }) };
  return routes.map((route) => ({ ...route, query: { ...route.query, ...paging } }));
}

type LinkTo = (position: Key, rev: boolean) => string;

interface PageResult extends Pick<Result, 'head'> {
  value: { data: unknown[]; next: string | null; prev: string | null };
}

/** Blocks come rarely, and reading takes milliseconds. */
const TRIES = 5;

/** A page with the number of rows of the whole list, both of one state of the chain: it is read again if the number or the head changed meanwhile. */
async function withTotal(page: () => Promise<PageResult>, readTotal: ReadTotal | undefined): Promise<Result> {
  if (readTotal === undefined) throw invalid('query', 'count: the number of rows is not known with these filters');
  let before = await readTotal();
  for (let tries = 0; tries < TRIES; tries++) {
    const total = totalOf(before);
    const { value, head } = await page();
    const after = await readTotal();
    if (total === totalOf(after) && isSame(before.head, head) && isSame(head, after.head))
      return { head, value: { ...value, total } };
    before = after;
  }
  throw unsettled();
}

function totalOf({ row }: Answer<Total>): bigint {
  if (row === null) return 0n;
  if (row.count === null)
    throw invalid('query', `count: the number of rows is not known, as more than ${MAX_COUNTED} would have to be read`);
  return BigInt(row.count);
}

const isSame = (a: Head | null, b: Head | null): boolean => a?.hash === b?.hash;

/** The page that begins with a row, or with the first one of the list. */
async function pageFrom(
  read: ReadPart,
  forward: boolean,
  from: Key | undefined,
  limit: number,
  linkTo: LinkTo,
): Promise<PageResult> {
  const { rows, head, beside } = await read({ ascending: forward, from, inclusive: true, take: limit + 1 });
  const after = rows[limit];
  return {
    head,
    value: {
      data: rows.slice(0, limit).map(({ value }) => value),
      next: after === undefined ? null : linkTo(after.key, false),
      prev: from === undefined ? null : linkTo(from, true),
      ...beside,
    },
  };
}

/** The page that ends before a row. Its rows are in the order of the list, too. */
async function pageBefore(
  read: ReadPart,
  forward: boolean,
  before: Key,
  limit: number,
  linkTo: LinkTo,
): Promise<PageResult> {
  const { rows, head, beside } = await read({ ascending: !forward, from: before, inclusive: false, take: limit + 1 });
  const page = rows.slice(0, limit).reverse();
  const rest = await read({ ascending: forward, from: before, inclusive: true, take: 1 });
  return {
    head,
    value: {
      data: page.map(({ value }) => value),
      next: rest.rows.length === 0 ? null : linkTo(before, false),
      prev: rows.length > limit ? linkTo(page[0]!.key, true) : null,
      ...beside,
    },
  };
}

const OF_SCOPE = ['scope', 'range', 'scope_type'];

/** The list that a request asks for, in normal form: which parameters are of no filter, and their order, do not matter. */
function nameOf({ query, params = {} }: Exchange, id: string, filters: readonly string[], forward: boolean): string {
  const filter = [...filters].sort().flatMap((name) => [...valuesOf(query, name)].sort().map((value) => [name, value]));
  return JSON.stringify([id, Object.entries(params), filter, forward]);
}

/** The path and query of the same list at another place: below the prefix, with parameters in alphabetical order. */
function linkOf({ path, query }: Exchange, cursor: string, rev: boolean): string {
  const link = new URLSearchParams();
  const names = [
    ...Object.keys(query).filter((name) => name !== 'cursor' && name !== 'rev'),
    'cursor',
    ...(rev ? ['rev'] : []),
  ];
  for (const name of names.sort()) {
    if (name === 'cursor') link.append(name, cursor);
    else if (name === 'rev') link.append(name, '1');
    else for (const value of valuesOf(query, name)) link.append(name, value);
  }
  return `${path.slice(COMPAT_PREFIX.length)}?${link.toString()}`;
}

function readLimit({ query }: Exchange, max: number): number {
  const text = valuesOf(query, 'limit').at(-1);
  if (text === undefined) return DEFAULT_LIMIT;
  if (!/^\d{1,400}$/.test(text) || /^0*$/.test(text)) throw invalid('query', `invalid limit \`${text}\``);
  const limit = Number(text);
  if (limit > max) throw invalid('query', `limit too large \`${text}\``);
  return limit;
}

function readCount({ query }: Exchange): boolean {
  const text = valuesOf(query, 'count').at(-1) ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalid('query', `count=${text}`);
  return text === 'true';
}

function readDirection({ query }: Exchange): boolean {
  const text = valuesOf(query, 'direction').at(-1) ?? 'backward';
  if (text !== 'forward' && text !== 'backward') throw invalid('query', `invalid direction \`${text}\``);
  return text === 'forward';
}

/** Reads `scope`, or the older `range` with `scope_type`. */
function readScope({ query }: Exchange, words: readonly ScopeWord[]): Scope | undefined {
  const range = valuesOf(query, 'range').at(-1);
  const type = valuesOf(query, 'scope_type').at(-1) ?? 'gen';
  const text = valuesOf(query, 'scope').at(-1) ?? (range === undefined ? undefined : `${type}:${range}`);
  if (text === undefined) return undefined;
  if (words.length === 0) throw invalid('query', 'scope not allowed');
  return parseScope(text, words);
}
