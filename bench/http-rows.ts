/** What `bench/http.ts` asks for. */
import { CALLS_OF_20, contractOf, CONTRACTS } from './http-bodies.js';
import { accountOf, HEAVY, lightCount, PER_GENERATION, txHash } from './http-chain.js';

/**
 * What a row is measured beside: see `http-baseline.mjs` and `baselines`; `page 1` is the service itself, asked for first pages. `pg` is
 * the stored page: the whole answer, read by primary key.
 */
export type Baseline = 'pg' | 'go' | 'rust' | 'memory' | 'proxy' | 'page 1';

/** Least ratio to the baseline at 16 and at 64 connections. */
type Goals = readonly [number, number];

export interface Row {
  what: string;
  paths: readonly string[];
  /** Of the baseline, when it is asked for something else. */
  besidePaths?: readonly string[];
  /** Its goals by what it is measured beside. */
  beside: Partial<Record<Baseline, Goals | null>>;
  /** At 64 connections its p99 may be no longer than that of Koa. */
  p99?: true;
}

/** The response cache holds fewer answers of each kind, so that none is asked for again while it is there. */
export const DISTINCT = 40_000;

/** A parameter that nobody reads, by which addresses of one answer differ. */
export const VARIANT = /[?&]n=\d+$/;

const shuffled = <T>(items: readonly T[]): T[] => {
  const all = [...items];
  let seed = 1;
  for (let i = all.length - 1; i > 0; i -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    const other = seed % (i + 1);
    [all[i], all[other]] = [all[other]!, all[i]!];
  }
  return all;
};

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);

/** Repeats fewer paths than the cache holds answers, under other addresses. */
export function variants(paths: readonly string[]): string[] {
  if (paths.length >= DISTINCT) return [...paths];
  const times = Math.ceil(DISTINCT / paths.length);
  return shuffled(paths.flatMap((path) => numbers(times).map((n) => `${path}${path.includes('?') ? '&' : '?'}n=${n}`)));
}

const account = (id: string): string => `/middleware/transactions/account/${id}`;

/** Pages of 10 of a path, in no order; `n` of them at most. */
const pagesOf = (path: string, rows: number, n = 10_000): string[] =>
  shuffled(numbers(Math.floor(rows / 10), 1))
    .slice(0, n)
    .map((page) => `${path}?limit=10&page=${page}`);

/** Requests that vary as those of real clients do, and are answered from the database. */
export function varied(transactions: number, head: number, names: number): Row[] {
  const hashes = shuffled(numbers(Math.min(transactions, DISTINCT * 2))).map((n) =>
    txHash(Math.floor((n * head) / (DISTINCT * 2)), n % PER_GENERATION),
  );
  return [
    {
      what: 'one transaction, random hash',
      paths: variants([...new Set(hashes)].map((hash) => `/v2/transactions/${hash}`)),
      beside: { pg: [1.3, 2], go: [1.1, 1.5], rust: [0.8, 1.1] },
      p99: true,
    },
    {
      what: 'count of an account',
      paths: variants(numbers(lightCount).map((i) => `${account(accountOf(i))}/count`)),
      beside: { pg: [1.1, 1.1] },
    },
    {
      what: 'size up to a height',
      paths: variants(numbers(Math.min(head, 5_000)).map((height) => `/middleware/size/height/${height}`)),
      beside: { pg: [1, 1] },
    },
    ...lists(transactions, head, names),
    { what: 'forwarded', paths: ['/v2/status'], beside: { proxy: [1, 1] } },
  ];
}

/** Pages of lists, each beside the stored page. */
function lists(transactions: number, head: number, names: number): Row[] {
  const callsOfEach = Math.floor((transactions * CALLS_OF_20) / 20 / CONTRACTS);
  return [
    {
      what: 'heavy account, random page of 10',
      paths: variants(pagesOf(account(HEAVY), transactions * 0.3)),
      beside: { pg: [0.7, 0.9] },
    },
    {
      what: 'light accounts, page 1 of 10',
      paths: variants(numbers(lightCount).map((i) => `${account(accountOf(i))}?limit=10&page=1`)),
      beside: { pg: [0.9, 1] },
    },
    {
      what: 'ledger of the heavy account, page of 10 up to a random height',
      paths: variants(
        shuffled(numbers(head))
          .slice(0, 5_000)
          .map((height) => `/middleware/accounts/${HEAVY}/ledger?limit=10&to=${height}`),
      ),
      beside: { pg: [0.7, 0.9] },
    },
    {
      what: 'balance of an account at a random height',
      paths: variants(
        shuffled(numbers(head))
          .slice(0, 5_000)
          .map((height, i) => `/middleware/accounts/${accountOf(i)}/balance?height=${height}`),
      ),
      beside: { pg: [1.1, 1.1] },
    },
    {
      what: 'names, random page of 10',
      paths: variants(pagesOf('/middleware/names', names)),
      beside: { pg: [0.7, 0.7] },
    },
    {
      what: 'names, page 4000 of 10',
      paths: variants(['/middleware/names?limit=10&page=4000']),
      besidePaths: variants(['/middleware/names?limit=10&page=1']),
      beside: { 'page 1': [0.83, 0.83] },
    },
    {
      what: 'generations a to a',
      paths: variants(
        shuffled(numbers(head))
          .slice(0, 5_000)
          .map((height) => `/middleware/generations/${height}/${height}`),
      ),
      beside: { pg: [0.7, 0.7] },
    },
    {
      what: 'interval of 50 heights, a page of 10',
      paths: variants(
        numbers(DISTINCT / 2).map((i) => {
          const from = (i * 7) % Math.max(1, head - 50);
          return `/middleware/transactions/interval/${from}/${from + 50}?limit=10&page=${1 + (i % 50)}`;
        }),
      ),
      beside: { pg: [0.7, 0.7] },
    },
    {
      what: 'contract calls, random page of 10',
      paths: variants(
        numbers(CONTRACTS).flatMap((i) =>
          pagesOf(`/middleware/contracts/calls/address/${contractOf(i)}`, callsOfEach, DISTINCT / 2 / CONTRACTS),
        ),
      ),
      beside: { pg: [0.6, 0.6] },
    },
  ];
}

/** Requests that repeat, and are answered from memory. */
export function cached(head: number): Row[] {
  const spread = (count: number): number[] => numbers(count).map((i) => Math.floor((i * head) / count));
  return [
    {
      what: '50 key blocks',
      paths: spread(50).map((height) => `/v2/key-blocks/height/${height}`),
      beside: { memory: [1, 1] },
    },
    {
      what: '2000 transactions',
      paths: spread(2_000).map((height, i) => `/v2/transactions/${txHash(height, i % PER_GENERATION)}`),
      beside: { memory: [1, 1] },
    },
    { what: 'count of the heavy account', paths: [`${account(HEAVY)}/count`], beside: { memory: [1, 1] } },
    {
      what: 'page 1 of 10 of the heavy account',
      paths: [`${account(HEAVY)}?limit=10&page=1`],
      beside: { memory: [1, 1] },
    },
  ];
}
