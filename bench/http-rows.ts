/** What `bench/http.ts` asks for. */
import { accountOf, HEAVY, lightCount, PER_GENERATION, txHash } from './http-chain.js';

/** What a row is measured beside: see `http-baseline.mjs`; `page 1` is the service itself, asked for first pages. */
export type Baseline = 'pg' | 'memory' | 'proxy' | 'page 1';

export interface Row {
  what: string;
  paths: readonly string[];
  /** Of the baseline, when it is asked for something else. */
  besidePaths?: readonly string[];
  beside: Baseline;
  /** Least ratio to the baseline at 16 and at 64 connections. */
  goals?: readonly [number, number];
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
  const times = Math.ceil(DISTINCT / paths.length);
  return shuffled(paths.flatMap((path) => numbers(times).map((n) => `${path}${path.includes('?') ? '&' : '?'}n=${n}`)));
}

const account = (id: string): string => `/middleware/transactions/account/${id}`;

/** Requests that vary as those of real clients do, and are answered from the database. */
export function varied(transactions: number, head: number, names: number): Row[] {
  const pages = Math.floor((transactions * 0.3) / 10);
  const hashes = shuffled(numbers(Math.min(transactions, DISTINCT * 2))).map((n) =>
    txHash(Math.floor((n * head) / (DISTINCT * 2)), n % PER_GENERATION),
  );
  return [
    {
      what: 'one transaction, random hash',
      paths: [...new Set(hashes)].map((hash) => `/v2/transactions/${hash}`),
      beside: 'pg',
      goals: [1.2, 2],
    },
    {
      what: 'heavy account, random page of 10',
      paths: shuffled(numbers(pages, 1))
        .slice(0, 10_000)
        .map((page) => `${account(HEAVY)}?limit=10&page=${page}`),
      beside: 'pg',
      goals: [0.7, 0.7],
    },
    {
      what: 'light accounts, page 1 of 10',
      paths: shuffled(numbers(lightCount)).map((i) => `${account(accountOf(i))}?limit=10&page=1`),
      beside: 'pg',
      goals: [0.7, 0.7],
    },
    {
      what: 'count of an account',
      paths: variants(numbers(lightCount).map((i) => `${account(accountOf(i))}/count`)),
      beside: 'pg',
      goals: [1, 1],
    },
    {
      what: 'size up to a height',
      paths: variants(numbers(Math.min(head, 5_000)).map((height) => `/middleware/size/height/${height}`)),
      beside: 'pg',
      goals: [1, 1],
    },
    {
      what: 'names, random page of 10',
      paths: variants(numbers(Math.floor(names / 10), 1).map((page) => `/middleware/names?limit=10&page=${page}`)),
      beside: 'pg',
    },
    {
      what: 'names, page 4000 of 10',
      paths: variants(['/middleware/names?limit=10&page=4000']),
      besidePaths: variants(['/middleware/names?limit=10&page=1']),
      beside: 'page 1',
      goals: [0.83, 0.83],
    },
    { what: 'forwarded', paths: ['/v2/status'], beside: 'proxy', goals: [0.95, 0.95] },
  ];
}

/** Requests that repeat, and are answered from memory. */
export function cached(head: number): Row[] {
  const spread = (count: number): number[] => numbers(count).map((i) => Math.floor((i * head) / count));
  return [
    {
      what: '50 key blocks',
      paths: spread(50).map((height) => `/v2/key-blocks/height/${height}`),
      beside: 'memory',
      goals: [1, 1],
    },
    {
      what: '2000 transactions',
      paths: spread(2_000).map((height, i) => `/v2/transactions/${txHash(height, i % PER_GENERATION)}`),
      beside: 'memory',
      goals: [1, 1],
    },
    { what: 'count of the heavy account', paths: [`${account(HEAVY)}/count`], beside: 'memory', goals: [1, 1] },
    {
      what: 'page 1 of 10 of the heavy account',
      paths: [`${account(HEAVY)}?limit=10&page=1`],
      beside: 'memory',
      goals: [1, 1],
    },
  ];
}
