/** A chain in memory, and what a node with this chain answers. */
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';

export interface ToldAnswer {
  status: number;
  body: string;
}

/** A block as nodes print it. */
interface ToldBlock {
  header: string;
  /** Of a micro block. */
  transactions?: readonly string[];
}

/** What a node shows at one time. */
export interface Told {
  /** Answer about the status; height and hash of the head are replaced. */
  status: string;
  /** Hashes of the key blocks, by height. */
  keys: readonly string[];
  /** Hashes of the micro blocks of each generation, oldest first. */
  micros: readonly (readonly string[])[];
  /** Of this chain and of abandoned branches, by hash. */
  blocks: ReadonlyMap<string, ToldBlock>;
  /** What no hash contains: results of calls, and codes of contracts. */
  additions: (path: string) => ToldAnswer | undefined;
}

const MISSING: ToldAnswer = { status: 404, body: '{"reason":"Not found"}' };
const found = (body: string): ToldAnswer => ({ status: 200, body });

export const headOf = ({ keys, micros }: Told): string => micros.at(-1)!.at(-1) ?? keys.at(-1)!;

export const heightOf = ({ keys }: Told): number => keys.length - 1;

/** Number of blocks of a chain that another one does not have. */
export function blocksOnlyOf(chain: Told, other: Told | undefined): number {
  const known = new Set([...(other?.keys ?? []), ...(other?.micros.flat() ?? [])]);
  return [...chain.keys, ...chain.micros.flat()].filter((hash) => !known.has(hash)).length;
}

const headerIn = (told: Told, hash: string | undefined): ToldAnswer => {
  const block = hash === undefined ? undefined : told.blocks.get(hash);
  return block === undefined ? MISSING : found(block.header);
};

function generationIn(told: Told, height: number): ToldAnswer {
  const key = headerIn(told, told.keys[height]);
  if (key === MISSING) return MISSING;
  return found(`{"key_block":${key.body},"micro_blocks":${JSON.stringify(told.micros[height])}}`);
}

function transactionsIn(told: Told, hash: string, what: string): ToldAnswer {
  const transactions = told.blocks.get(hash)?.transactions;
  if (transactions === undefined) return MISSING;
  if (what === 'transactions') return found(`{"transactions":[${transactions.join(',')}]}`);
  if (what === 'transactions/count') return found(`{"count":${transactions.length}}`);
  const one = transactions[Number(what.slice('transactions/index/'.length)) - 1];
  return one === undefined ? { status: 400, body: '{"reason":"Invalid hash or index"}' } : found(one);
}

function statusOf(told: Told): ToldAnswer {
  const status = parseExact(told.status) as JsonObject;
  return found(stringifyExact({ ...status, top_block_height: heightOf(told), top_key_block_hash: told.keys.at(-1)! }));
}

/** The answer to a path, with its prefix. */
export function answerOf(told: Told, url: string): ToldAnswer {
  const path = url.replace(/^\/v[23]/, '');
  if (path === '/status') return statusOf(told);
  const [, kind, at] = /^\/(generations|key-blocks)\/(?:current|height\/(\d+))$/.exec(path) ?? [];
  if (kind !== undefined) {
    const height = at === undefined ? heightOf(told) : Number(at);
    return kind === 'generations' ? generationIn(told, height) : headerIn(told, told.keys[height]);
  }
  const [, hash, what] = /^\/(?:key|micro)-blocks\/hash\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
  if (hash !== undefined) {
    return what === undefined || what === 'header' ? headerIn(told, hash) : transactionsIn(told, hash, what);
  }
  if (path === '/headers/top') return headerIn(told, headOf(told));
  if (path === '/blocks/top') {
    const head = headOf(told);
    return found(`{"${head.startsWith('kh_') ? 'key' : 'micro'}_block":${headerIn(told, head).body}}`);
  }
  return told.additions(path) ?? MISSING;
}
