/** A server of the compatible API over a recorded chain, with its calls decoded. */
import type { Database } from '../../src/store/connection/database.js';
import type { ApiConfig } from '../../src/api/deps.js';
import { testApi } from './api.js';
import type { TestApi } from './api.js';
import { syncContext, syncFully } from './copy.js';
import { decodeAll } from './decoding.js';
import { testDatabase } from './postgres.js';
import { recordedNode } from './recorded-node.js';
import type { Recording } from './recording.js';
import { replayServer } from './replay-server.js';
import { emptyCopy, openCopy } from './roles.js';

export interface RecordedService {
  database: Database;
  /** Of the database, and of a node that answers as recorded. */
  urls: { database: string; node: string };
  api: TestApi;
  /** Loads the recorded chain up to a height; all of it if it is absent. */
  grow(height?: number): Promise<void>;
  close(): Promise<void>;
}

/** Databases with whole recorded chains, by recording, for a process that must not load them again. */
const LOADED = JSON.parse(process.env['RECORDED_COPIES'] ?? '{}') as Partial<Record<Recording, string>>;

/** `top`: the height up to which the chain is loaded. */
export async function recordedService(
  of: Recording = 'realnode',
  top?: number,
  config: Partial<ApiConfig> = {},
): Promise<RecordedService> {
  const loaded = top === undefined ? LOADED[of] : undefined;
  const server = loaded === undefined ? await testDatabase() : { url: loaded, drop: () => Promise.resolve() };
  const database = loaded === undefined ? await emptyCopy(server.url) : openCopy(server.url);
  const node = await replayServer(of);
  const grow = async (height?: number): Promise<void> => {
    await syncFully(syncContext(database, recordedNode(height, of)));
    await decodeAll(database, recordedNode(undefined, of));
  };
  if (loaded === undefined) await grow(top);
  const api = await testApi(database, { nodeUrls: [node.url], ...config });
  return {
    database,
    urls: { database: server.url, node: node.url },
    api,
    grow,
    async close() {
      await api.close();
      await node.close();
      await database.close();
      await server.drop();
    },
  };
}

/** A page of a list. */
export interface Page {
  data: Record<string, unknown>[];
  next: string | null;
  prev: string | null;
  /** Rows of the whole list, where it was asked for. */
  total?: number;
  /** Of what contracts did inside calls. */
  complete?: boolean;
}

/** A path of the compatible API on the main address, from one below the version as in `next`. */
export const below = (path: string): string => `/mdw${path}`;

/** A path with a limit, whether it has other parameters or not. */
export const withLimit = (path: string, limit: number): string =>
  `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;

/** All pages of a list, from the first one on. */
export async function pagesOf(api: TestApi, path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | null = path; at !== null; at = pages.at(-1)!.next) {
    if (pages.length > 1_000) throw new Error(`${path} does not end`);
    pages.push((await api.json(below(at))) as Page);
  }
  return pages;
}

/** All pages from the last one back to the first one. */
export async function pagesBefore(api: TestApi, last: Page): Promise<Page[]> {
  const pages = [last];
  while (pages[0]!.prev !== null) {
    if (pages.length > 1_000) throw new Error('the list does not begin');
    pages.unshift((await api.json(below(pages[0]!.prev))) as Page);
  }
  return pages;
}

/** All rows of a list. */
export const rowsOf = async (api: TestApi, path: string): Promise<Page['data']> =>
  (await pagesOf(api, path)).flatMap(({ data }) => data);
