import { isObject, parsePlain } from '../chain/encoding/json.js';
import { memberText } from '../chain/encoding/json-walk.js';
import { readGeneration, readKeyBlock, readMicroBlock, readTransaction, readTransactions } from '../chain/facts.js';
import type { KeyBlock, MicroBlock, Transaction } from '../chain/facts.js';
import { MalformedError } from '../chain/malformed.js';
import { MAX_MICRO, MAX_TX } from '../chain/position.js';
import { isNodeFault, nodeFault } from './faults.js';

/** A generation without its micro blocks' contents; hashes oldest first. */
export interface GenerationOutline {
  keyBlock: KeyBlock;
  microHashes: string[];
}

/** The blocks of a chain. Null if the node itself answers that it does not have the block. */
export interface Blocks {
  /** The running generation. */
  currentGeneration(): Promise<GenerationOutline>;
  /** Generation of the main chain; null above the head. */
  generation(height: number): Promise<GenerationOutline | null>;
  keyBlock(height: number): Promise<KeyBlock | null>;
  /**
   * Header and transactions, without their `info`. Also returns blocks of abandoned branches if the node still has them: the caller must check
   * whether the block is on the main chain. `keyBlock`: that of its generation, whose miner must have signed it, or, if `isFollowed`, a later
   * micro block of the generation: the caller checks that it follows.
   */
  microBlock(hash: string, keyBlock: KeyBlock, isFollowed?: boolean): Promise<MicroBlock | null>;
}

/** Requests a path, given without `/v2` or `/v3`. Null if the node itself answers with one of the statuses in `absent`. */
export type Find = <T>(path: string, absent: readonly number[], interpret: (text: string) => T) => Promise<T | null>;

/** Reads blocks with as few requests as possible. */
export function wholeBlocks(find: Find): Blocks {
  return {
    currentGeneration: async () => (await find('/generations/current', [], readGeneration))!,
    generation: (height) =>
      find(`/generations/height/${height}`, [404], (text) => {
        const generation = readGeneration(text);
        mustBe(generation.keyBlock.height, height, 'height');
        return generation;
      }),
    keyBlock: (height) => find(`/key-blocks/height/${height}`, [404], keyBlockAt(height)),
    async microBlock(hash) {
      const [header, transactions] = await Promise.all([
        find(`/micro-blocks/hash/${hash}/header`, [404], headerOf(hash)),
        find(`/micro-blocks/hash/${hash}/transactions`, [404], transactionsOf(hash)),
      ]);
      return header === null || transactions === null ? null : { ...header, transactions };
    },
  };
}

/**
 * Reads blocks by other paths, for a node that does not answer the usual ones: the micro blocks of a generation one after the other, from the
 * block after it back, and transactions one by one. `headHeader` returns the header of the node's last block.
 */
export function blocksByParts(find: Find, headHeader: () => Promise<string>): Blocks {
  const byHash = async (hash: string, height?: number): Promise<KeyBlock> => {
    const block = (await find(`/key-blocks/hash/${hash}`, [], readKeyBlock))!;
    mustBe(block.hash, hash, 'hash');
    if (height !== undefined) mustBe(block.height, height, 'height');
    return block;
  };

  /** Hashes of the micro blocks from `last` back to the key block. */
  async function microHashes(keyHash: string, last: string): Promise<string[]> {
    const hashes: string[] = [];
    for (let hash = last; hash !== keyHash;) {
      if (!hash.startsWith('mh_') || hashes.length > MAX_MICRO)
        throw nodeFault('node_inconsistent', `micro block ${last} does not follow key block ${keyHash}`);
      hashes.unshift(hash);
      hash = (await find(`/micro-blocks/hash/${hash}/header`, [], headerOf(hash)))!.prevHash;
    }
    return hashes;
  }

  /** The head's generation. */
  async function currentGeneration(): Promise<GenerationOutline> {
    const text = await headHeader();
    const hash = hashOfHead(text);
    if (hash.startsWith('kh_')) return { keyBlock: readKeyBlock(text), microHashes: [] };
    const { prevKeyHash } = headerOf(hash)(text);
    return { keyBlock: await byHash(prevKeyHash), microHashes: await microHashes(prevKeyHash, hash) };
  }

  /** The head's generation, if it is the one at this height; null if the head is below. */
  async function currentAt(height: number): Promise<GenerationOutline | null> {
    const current = await currentGeneration();
    if (current.keyBlock.height < height) return null;
    mustBe(current.keyBlock.height, height, 'height');
    return current;
  }

  const keyBlockAfter = (height: number): Promise<KeyBlock | null> =>
    find(`/key-blocks/height/${height + 1}`, [404], keyBlockAt(height + 1));

  return {
    currentGeneration,
    async keyBlock(height) {
      const next = await keyBlockAfter(height);
      return next === null ? ((await currentAt(height))?.keyBlock ?? null) : byHash(next.prevKeyHash, height);
    },
    async generation(height) {
      const next = await keyBlockAfter(height);
      if (next === null) return currentAt(height);
      const { prevKeyHash, prevHash } = next;
      return { keyBlock: await byHash(prevKeyHash, height), microHashes: await microHashes(prevKeyHash, prevHash) };
    },
    async microBlock(hash) {
      const path = `/micro-blocks/hash/${hash}`;
      const header = await find(`${path}/header`, [404], headerOf(hash));
      const count = await find(`${path}/transactions/count`, [404], countOf);
      if (header === null || count === null) return null;
      const transactions: Transaction[] = [];
      for (let index = 1; index <= count; index++) {
        transactions.push((await find(`${path}/transactions/index/${index}`, [], transactionOf(hash)))!);
      }
      return { ...header, transactions };
    },
  };
}

/**
 * Asks the first of `ways`, and after a fault for which `isWorth` holds the others, until one answers. If none does, throws the first fault. A
 * way that does not answer in time is the last one: the node may be silent.
 */
export function firstAnswering(ways: readonly [Blocks, ...Blocks[]], isWorth: (fault: unknown) => boolean): Blocks {
  async function ask<T>(request: (blocks: Blocks) => Promise<T>): Promise<T> {
    const [usual, ...others] = ways;
    try {
      return await request(usual);
    } catch (first) {
      if (!isWorth(first)) throw first;
      for (const other of others) {
        try {
          return await request(other);
        } catch (error) {
          if (!isNodeFault(error) || error.code === 'node_closed') throw error;
          if (error.code === 'node_timeout') throw first;
        }
      }
      throw first;
    }
  }
  return {
    currentGeneration: () => ask((blocks) => blocks.currentGeneration()),
    generation: (height) => ask((blocks) => blocks.generation(height)),
    keyBlock: (height) => ask((blocks) => blocks.keyBlock(height)),
    microBlock: (...of) => ask((blocks) => blocks.microBlock(...of)),
  };
}

/** Reads a header (`/v3`), or an object with one member `key_block` or `micro_block` (`/v2`). Returns the text of the header. */
export function headerOfHead(text: string): string {
  const header = memberText(text, 'key_block') ?? memberText(text, 'micro_block') ?? text;
  hashOfHead(header);
  return header;
}

/** Hash in the header of the last block. */
export function hashOfHead(header: string): string {
  const members = parsePlain(header);
  const hash = isObject(members) ? members['hash'] : undefined;
  if (typeof hash === 'string') return hash;
  throw new MalformedError('head: hash is missing');
}

const NO_TRANSACTIONS = '{"transactions":[]}';

const keyBlockAt = (height: number) => (text: string) => {
  const block = readKeyBlock(text);
  mustBe(block.height, height, 'height');
  return block;
};

const headerOf = (hash: string) => (text: string) => {
  const header = readMicroBlock(text, NO_TRANSACTIONS);
  mustBe(header.hash, hash, 'hash');
  return header;
};

const transactionsOf = (hash: string) => (text: string) => {
  const transactions = readTransactions(text);
  for (const transaction of transactions) mustBeIn(hash, transaction);
  return transactions;
};

const transactionOf = (hash: string) => (text: string) => {
  const transaction = readTransaction(text);
  mustBeIn(hash, transaction);
  return transaction;
};

function mustBeIn(hash: string, { body }: Transaction): void {
  const expected = JSON.stringify(hash);
  // Nodes print this member first: then the text need not be parsed.
  if (!body.startsWith(`{"block_hash":${expected},`)) mustBe(memberText(body, 'block_hash'), expected, 'block_hash');
}

function countOf(text: string): number {
  const answer = parsePlain(text);
  const count = isObject(answer) ? answer['count'] : undefined;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_TX + 1) return count;
  throw new MalformedError('transactions: count is not a number of transactions');
}

function mustBe(found: unknown, requested: unknown, field: string): void {
  if (found === requested) return;
  throw nodeFault('node_lies', `asked for ${field} ${String(requested)}, got ${String(found)}`);
}
