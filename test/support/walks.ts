/** Clients that follow the links from page to page. */
import type { TestApi } from './api.js';

/** A row of a list: a transaction, or an object made by one (name, contract, oracle, query). */
export interface ListedRow {
  hash?: string;
  block_hash?: string;
  tx_hash?: string;
  transaction_hash?: string;
  request?: { hash: string };
}

export const rowsOf = (body: string): ListedRow[] => {
  const value = JSON.parse(body) as ListedRow[] | { transactions: ListedRow[] };
  return Array.isArray(value) ? value : value.transactions;
};

/** Target of `rel="next"`, resolved against the path that was requested; undefined when there is none. */
export function nextOf(asked: string, link: string | string[] | undefined): string | undefined {
  const target = /<([^>]*)>; rel="next"/.exec(String(link ?? ''))?.[1];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, new URL(asked, 'http://localhost'));
  return pathname + search;
}

/** Identifies a row with its position. After a reorg, the same transaction at another position is another row. */
async function placed(api: TestApi, rows: readonly ListedRow[]): Promise<string[]> {
  const known = rows.every(({ block_hash }) => block_hash !== undefined);
  const all = known ? [] : rowsOf((await api.get('/middleware/transactions/interval/0/1000000')).body);
  const blocks = new Map([...rows, ...all].map(({ hash, block_hash }) => [hash, block_hash]));
  return rows.map((row) => {
    const hash = row.hash ?? row.tx_hash ?? row.transaction_hash ?? row.request?.hash;
    return `${hash} in ${blocks.get(hash)}`;
  });
}

export interface Walk {
  path: string;
  given: ListedRow[];
  /** Returned rows, with their positions at that time. */
  places: string[];
  pages: number;
  /** Path of the next page; undefined at the end. */
  at: string | undefined;
  /** Rows that were in the list at every check since the first page. */
  stayed: Set<string> | undefined;
}

export const startWalk = (path: string, limit: number): Walk => ({
  path,
  given: [],
  places: [],
  pages: 0,
  at: `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`,
  stayed: undefined,
});

/** Reads the whole list, and then the next page. */
export async function step(api: TestApi, walk: Walk): Promise<void> {
  if (walk.at === undefined) return;
  const whole = new Set(await placed(api, rowsOf((await api.get(walk.path)).body)));
  const { stayed = whole } = walk;
  walk.stayed = new Set([...stayed].filter((row) => whole.has(row)));
  const { status, headers, body } = await api.get(walk.at);
  if (status !== 200) throw new Error(`${walk.at}: ${status} ${body}`);
  walk.given.push(...rowsOf(body));
  walk.places.push(...(await placed(api, rowsOf(body))));
  walk.pages += 1;
  walk.at = nextOf(walk.at, headers.link);
}

/** Rows that were always in the list but were not returned exactly once. */
export function faultsOf({ places, stayed = new Set() }: Walk): string[] {
  const times = new Map<string, number>();
  for (const row of places) times.set(row, (times.get(row) ?? 0) + 1);
  return [...stayed].filter((row) => times.get(row) !== 1).map((row) => `${row}: ${times.get(row) ?? 0} times`);
}
