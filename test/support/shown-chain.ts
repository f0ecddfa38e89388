/** A chain in memory, and what a node with this chain answers. */
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';

export interface NodeAnswer {
  status: number;
  body: string;
}

/** A block as nodes print it. */
interface PrintedBlock {
  header: string;
  /** Of a micro block. */
  transactions?: readonly string[];
}

/** What a node shows at one time. */
export interface ShownChain {
  /** Answer about the status; height and hash of the head are replaced. */
  status: string;
  /** Hashes of the key blocks, by height. */
  keys: readonly string[];
  /** Hashes of the micro blocks of each generation, oldest first. */
  micros: readonly (readonly string[])[];
  /** Of this chain and of abandoned branches, by hash. */
  blocks: ReadonlyMap<string, PrintedBlock>;
  /** What no hash contains: results of calls, and codes of contracts. */
  additions: (path: string) => NodeAnswer | undefined;
}

const MISSING: NodeAnswer = { status: 404, body: '{"reason":"Not found"}' };
const found = (body: string): NodeAnswer => ({ status: 200, body });

export const headOf = ({ keys, micros }: ShownChain): string => micros.at(-1)!.at(-1) ?? keys.at(-1)!;

export const heightOf = ({ keys }: ShownChain): number => keys.length - 1;

/** Number of blocks of a chain that another one does not have. */
export function blocksOnlyOf(chain: ShownChain, other: ShownChain | undefined): number {
  const known = new Set([...(other?.keys ?? []), ...(other?.micros.flat() ?? [])]);
  return [...chain.keys, ...chain.micros.flat()].filter((hash) => !known.has(hash)).length;
}

const headerIn = (shown: ShownChain, hash: string | undefined): NodeAnswer => {
  const block = hash === undefined ? undefined : shown.blocks.get(hash);
  return block === undefined ? MISSING : found(block.header);
};

function generationIn(shown: ShownChain, height: number): NodeAnswer {
  const key = headerIn(shown, shown.keys[height]);
  if (key === MISSING) return MISSING;
  return found(`{"key_block":${key.body},"micro_blocks":${JSON.stringify(shown.micros[height])}}`);
}

function transactionsIn(shown: ShownChain, hash: string, what: string): NodeAnswer {
  const transactions = shown.blocks.get(hash)?.transactions;
  if (transactions === undefined) return MISSING;
  if (what === 'transactions') return found(`{"transactions":[${transactions.join(',')}]}`);
  if (what === 'transactions/count') return found(`{"count":${transactions.length}}`);
  const one = transactions[Number(what.slice('transactions/index/'.length)) - 1];
  return one === undefined ? { status: 400, body: '{"reason":"Invalid hash or index"}' } : found(one);
}

function statusOf(shown: ShownChain): NodeAnswer {
  const status = parseExact(shown.status) as JsonObject;
  return found(
    stringifyExact({ ...status, top_block_height: heightOf(shown), top_key_block_hash: shown.keys.at(-1)! }),
  );
}

/** The answer to a path, with its prefix. */
export function answerOf(shown: ShownChain, url: string): NodeAnswer {
  const path = url.replace(/^\/v[23]/, '');
  if (path === '/status') return statusOf(shown);
  const [, kind, at] = /^\/(generations|key-blocks)\/(?:current|height\/(\d+))$/.exec(path) ?? [];
  if (kind !== undefined) {
    const height = at === undefined ? heightOf(shown) : Number(at);
    return kind === 'generations' ? generationIn(shown, height) : headerIn(shown, shown.keys[height]);
  }
  const [, hash, what] = /^\/(?:key|micro)-blocks\/hash\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
  if (hash !== undefined) {
    return what === undefined || what === 'header' ? headerIn(shown, hash) : transactionsIn(shown, hash, what);
  }
  if (path === '/headers/top') return headerIn(shown, headOf(shown));
  if (path === '/blocks/top') {
    const head = headOf(shown);
    return found(`{"${head.startsWith('kh_') ? 'key' : 'micro'}_block":${headerIn(shown, head).body}}`);
  }
  return shown.additions(path) ?? MISSING;
}
