/**
 * The chain of a simulated node while it grows and forks, with proofs of work that are really mined for the targets that are due. All blocks
 * are made again from those of the simulated node, and signed by the same leaders; the transactions are the same.
 */
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { RULES_READ } from '../../src/chain/work/key-block-rules.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import { nextTarget, work } from '../../src/chain/work/target.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import { sealed } from './cheap-chain.js';
import { ask, read, readGenerationAt } from './devnode.js';
import type { ReadGeneration } from './devnode.js';
import { leaderKey } from './forged-head.js';
import { changeChain } from './histories.js';
import type { Choices } from './histories.js';
import type { ShownChain, NodeAnswer } from './shown-chain.js';

/** Size of the graphs: a proof is found in some 40 ms. */
export const EDGE_BITS = 11;
/** Longer than the time between the key blocks of the simulated node, so that targets become harder. */
export const INTERVAL_MS = 600_000;
/** Somewhat harder than the easiest one, so that a key block with the easiest target breaks the rules at any height. */
const GENESIS_TARGET = 0x21009fff;
/** More than the key blocks whose target is that of the genesis block. */
const GENERATIONS = 20;
const CHANGES = 5;

export interface MinedChain {
  seed: string;
  /** States of the chain, each with more work than the one before, or other micro blocks at the head. */
  states: readonly ShownChain[];
  close(): Promise<void>;
}

interface Block {
  header: JsonObject;
  transactions?: JsonObject[];
}

export async function mineChain(seed: string, random: Choices): Promise<MinedChain> {
  const devnode = await startDevnode({
    external: '127.0.0.1:0',
    source: {
      generate: { seed, generations: GENERATIONS, txsPerGeneration: 5, microBlocksPerGeneration: 2, accounts: 8 },
    },
  });
  const reading = createReading(devnode, seed);
  const states = [await reading.state()];
  while (states.length <= CHANGES) {
    await changeChain(devnode, random, false);
    let next = await reading.state();
    // A branch of the simulated node has more work by its targets, which are other ones here.
    while (!isFollowed(next, states.at(-1)!)) {
      await devnode.grow(1);
      next = await reading.state();
    }
    states.push(next);
  }
  return { seed, states, close: () => devnode.close() };
}

const isFollowed = (next: ShownChain, before: ShownChain): boolean =>
  next.keys.at(-1) === before.keys.at(-1)
    ? next.micros.at(-1)!.join() !== before.micros.at(-1)!.join()
    : workOf(next) > workOf(before);

const workOf = ({ keys, blocks }: ShownChain): bigint =>
  work(keys.map((key) => BigInt((JSON.parse(blocks.get(key)!.header) as { target: number }).target)));

/** Target of the key block after these, of which the last `RULES_READ` count. */
export function dueTarget(below: readonly JsonObject[]): number {
  const headers = below.slice(-RULES_READ) as unknown as { height: number; target: number; time: number }[];
  const before = headers.at(-1)!;
  return before.height < RULES_READ ? before.target : nextTarget(headers, INTERVAL_MS);
}

interface Reading {
  /** The chain of the simulated node as it is now, made again. */
  state(): Promise<ShownChain>;
}

function createReading(devnode: Devnode, seed: string): Reading {
  const finder = createCycleFinder(EDGE_BITS);
  /** By the hash at the simulated node, with its last micro block: the block and all before it are the same. */
  const made = new Map<string, Block>();
  const blocks = new Map<string, { header: string; transactions?: string[] }>();
  const infos = new Map<string, NodeAnswer>();
  const leaders = new Map<string, ReturnType<typeof leaderKey>>();

  function leaderOf(miner: string): ReturnType<typeof leaderKey> {
    const known = leaders.get(miner) ?? leaderKey(seed, miner);
    leaders.set(miner, known);
    return known;
  }

  function keyBlock(block: JsonObject, parent: string, below: readonly JsonObject[]): Block {
    // The first key blocks have the target of the genesis block.
    if (block['height'] === 0) return { header: sealed({ ...block, target: GENESIS_TARGET }, undefined) };
    const links = { prev_hash: parent, prev_key_hash: below.at(-1)!['hash']!, target: dueTarget(below) };
    return { header: sealed({ ...block, nonce: 1, ...links }, finder) };
  }

  function microBlock(of: ReadGeneration['microBlocks'][number], parent: string, key: JsonObject): Block {
    const unsigned: JsonObject = { ...of.header, prev_hash: parent, prev_key_hash: key['hash']! };
    const { signature: _signature, ...plain } = unsigned;
    const signature = encodeId('sg', leaderOf(key['miner'] as string).sign(microHeaderBytes(plain)));
    const id = encodeId('mh', hash(microHeaderBytes({ ...unsigned, signature })));
    const transactions = of.transactions.map((transaction): JsonObject => ({ ...transaction, block_hash: id }));
    return { header: { ...unsigned, hash: id, signature }, transactions };
  }

  function keep(of: string, make: () => Block): JsonObject {
    let block = made.get(of);
    if (block === undefined) {
      made.set(of, (block = make()));
      const transactions = block.transactions?.map((one) => stringifyExact(one));
      blocks.set(block.header['hash'] as string, {
        header: stringifyExact(block.header),
        ...(transactions !== undefined && { transactions }),
      });
    }
    return block.header;
  }

  async function readInfos(generation: ReadGeneration): Promise<void> {
    for (const { transactions } of generation.microBlocks)
      for (const { hash: id } of transactions) {
        const path = `/transactions/${id as string}/info`;
        if (infos.has(path)) continue;
        const { status, body } = await ask(devnode, `/v3${path}`);
        infos.set(path, { status, body });
      }
  }

  async function readCodes(): Promise<void> {
    for (const { transactions = [] } of made.values())
      for (const { tx } of transactions) {
        const id = (tx as JsonObject)['contract_id'];
        if (typeof id !== 'string' || !id.startsWith('ct_')) continue;
        const path = `/contracts/${id}/code`;
        if (infos.get(path)?.status === 200) continue;
        const { status, body } = await ask(devnode, `/v3${path}`);
        infos.set(path, { status, body });
      }
  }

  return {
    async state() {
      const keys: JsonObject[] = [];
      const micros: string[][] = [];
      let parent = '';
      for (let height = 0; height <= devnode.height(); height++) {
        const generation = await readGenerationAt(devnode, height);
        await readInfos(generation);
        const { keyBlock: old } = generation;
        const key = keep(old['hash'] as string, () => keyBlock(old, parent, keys.slice(-RULES_READ)));
        keys.push(key);
        parent = key['hash'] as string;
        const own = generation.microBlocks.map((one) => {
          const before = parent;
          return (parent = keep(one.header['hash'] as string, () => microBlock(one, before, key))['hash'] as string);
        });
        micros.push(own);
      }
      await readCodes();
      const status = await read(devnode, '/v3/status');
      return {
        status: stringifyExact({ ...status, genesis_key_block_hash: keys[0]!['hash']! }),
        keys: keys.map((key) => key['hash'] as string),
        micros,
        blocks,
        additions: (path) => infos.get(path),
      };
    },
  };
}
