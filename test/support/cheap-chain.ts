/**
 * A node that shows the chain of another node up to a height, and above it key blocks that were really mined, but with the easiest target. It
 * answers as a node does that means its chain.
 */
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { keyHeaderBytes } from '../../src/chain/serialize/headers.js';
import { graphKeys, meetsTarget, miningHash } from '../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import { HIGHEST_TARGET } from '../../src/chain/work/target.js';
import { reply, startServer } from './http-server.js';
import type { TestServer } from './http-server.js';

export interface CheapChain extends TestServer {
  top: { height: number; hash: string };
  /** Hashes of its own key blocks. */
  mined: string[];
}

interface CheapChainOptions {
  /** URL of the honest node. */
  url: string;
  /** Height of the last honest key block. */
  from: number;
  count: number;
  /** 0: nothing is mined, the proofs are not valid. */
  edgeBits: number;
  /** Members of the mined key blocks that differ from those of an honest miner. */
  changes?: (height: number) => JsonObject;
  /** Called before each answer about a mined block. */
  delay?: () => Promise<void>;
}

export async function startCheapChain(options: CheapChainOptions): Promise<CheapChain> {
  const { url, from, count, edgeBits, changes = () => ({}), delay = () => Promise.resolve() } = options;
  const ask = async (path: string): Promise<JsonObject> =>
    parseExact(await (await fetch(url + path)).text()) as JsonObject;
  const { key_block: base, micro_blocks: micros } = (await ask(`/v3/generations/height/${from}`)) as {
    key_block: JsonObject;
    micro_blocks: string[];
  };
  const finder = edgeBits === 0 ? undefined : createCycleFinder(edgeBits);
  const mined: JsonObject[] = [];
  let before = base;
  for (let height = from + 1; height <= from + count; height++) {
    const prevHash = height === from + 1 ? (micros.at(-1) ?? before['hash']) : before['hash'];
    const block = sealed(
      {
        ...base,
        height,
        prev_hash: prevHash!,
        prev_key_hash: before['hash']!,
        time: Number(before['time']) + 1,
        target: HIGHEST_TARGET,
        ...changes(height),
      },
      finder,
    );
    mined.push(block);
    before = block;
  }
  const top = { height: from + count, hash: before['hash'] as string };
  const generation = (block: JsonObject): JsonObject => ({ key_block: block, micro_blocks: [] });
  const minedAt = (height: number): JsonObject | undefined => mined[height - from - 1];

  async function answer(path: string): Promise<JsonObject | undefined> {
    const [, kind, height] = /\/(key-blocks|generations)\/height\/(\d+)$/.exec(path) ?? [];
    const found = height === undefined ? before : minedAt(Number(height));
    if (kind !== undefined && found === undefined)
      return Number(height) > from ? { reason: 'Block not found' } : undefined;
    if (kind !== undefined) await delay();
    if (path.endsWith('/generations/current')) return generation(before);
    if (path.endsWith('/key-blocks/current') || path.endsWith('/headers/top')) return before;
    if (path.endsWith('/blocks/top')) return { key_block: before };
    if (kind !== undefined) return kind === 'generations' ? generation(found!) : found;
    if (!path.endsWith('/status')) return undefined;
    const status = await ask(path);
    return { ...status, top_block_height: top.height, top_key_block_hash: top.hash };
  }

  const server = await startServer(async (request, response) => {
    const own = await answer(request.url!);
    if (own !== undefined) return reply(response, own['reason'] === undefined ? 200 : 404, stringifyExact(own));
    const honest = await fetch(url + request.url!);
    reply(response, honest.status, await honest.text());
  });
  return { ...server, top, mined: mined.map((block) => block['hash'] as string) };
}

export function sealed(block: JsonObject, finder: ReturnType<typeof createCycleFinder> | undefined): JsonObject {
  if (finder === undefined) return { ...block, hash: encodeId('kh', hash(keyHeaderBytes(block))) };
  const target = block['target'] as number;
  for (let nonce = 0; ; nonce++) {
    const pow = finder.find(graphKeys(miningHash(block), BigInt(nonce))).find((cycle) => meetsTarget(cycle, target));
    if (pow === undefined) continue;
    const found = { ...block, nonce, pow };
    return { ...found, hash: encodeId('kh', hash(keyHeaderBytes(found))) };
  }
}
