/** Clients that follow the links from page to page. */
import type { TestApi } from './api.js';

/** A transaction, or what came with one: a name, a contract, an oracle, a question. */
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

/** Rows in their places: what a fork took and put elsewhere is another one. */
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
  /** Rows given, in the places in which they then were. */
  places: string[];
  pages: number;
  /** Where to go on; undefined at the end. */
  at: string | undefined;
  /** Rows that were in the list each time it was looked at since the walk began. */
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

/** Takes a page, after a look at the whole list. */
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

/** Rows that stayed and were not given exactly once. */
export function faultsOf({ places, stayed = new Set() }: Walk): string[] {
  const times = new Map<string, number>();
  for (const row of places) times.set(row, (times.get(row) ?? 0) + 1);
  return [...stayed].filter((row) => times.get(row) !== 1).map((row) => `${row}: ${times.get(row) ?? 0} times`);
}
