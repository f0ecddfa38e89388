/**
 * The state after every block there is, so that any of them can be built upon. Recent ones are in memory, those of every few generations in
 * the store's file; what lies between is computed again from there, by executing the transactions of the blocks in between.
 */
import { deserialize, serialize } from 'node:v8';
import { parseExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import type { ChainStore } from '../store/chain-store.js';
import { applyTransaction } from './apply.js';
import type { Identities } from './identities.js';
import { copyWorld, startGeneration } from './world.js';
import type { World } from './world.js';

/** Blocks whose states are in memory: those of some dozens of generations. */
const REMEMBERED = 256;
/** Key blocks of these heights have theirs on disk. To read a state between them takes as long as executing the transactions of up to this many generations. */
const SAVED_EVERY = 32;

interface Worlds {
  /** State after a block; not to be changed. */
  after(block: number): World;
  /** Takes over the state after a block that was just added. */
  put(block: number, world: World): void;
}

/** `versionAt` gives the protocol of a height. */
export function createWorlds(store: ChainStore, ids: Identities, versionAt: (height: number) => number): Worlds {
  /** Least recently used first. */
  const remembered = new Map<number, World>();
  const saved = store.notes<readonly [at: number, length: number]>('world');

  function remember(block: number, world: World): World {
    remembered.delete(block);
    remembered.set(block, world);
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return world;
  }

  function put(block: number, world: World): void {
    remember(block, world);
    if (!store.isKey(block) || world.height % SAVED_EVERY !== 0) return;
    const bytes = serialize(world);
    saved.set(block, [store.file.append(bytes), bytes.length]);
  }

  function known(block: number): World | undefined {
    const world = remembered.get(block);
    if (world !== undefined) return world;
    const place = saved.get(block);
    return place === undefined ? undefined : (deserialize(store.file.read(...place)) as World);
  }

  /** What the block does to the state before it. */
  function execute(world: World, block: number): void {
    if (store.isKey(block)) {
      const height = store.heightOf(block);
      return startGeneration(world, height, versionAt(height));
    }
    for (const inclusion of store.inclusionsOf(block)) {
      const { hash, tx } = parseExact(store.inclusionText(inclusion).toString()) as { hash: string; tx: JsonObject };
      if (!applyTransaction(world, tx, ids)) throw new Error(`${hash} cannot be executed again`);
    }
  }

  /** Those that the world and the blocks name: an identifier is known as one of this chain only once its account was made. */
  function makeAccounts(world: World, blocks: readonly number[]): void {
    const endowed = blocks.reduce((sum, block) => sum + store.countOf(block), world.endowed);
    for (let index = 0; index <= world.nonces.length + endowed; index += 1) ids.account(index);
  }

  function after(block: number): World {
    const missing: number[] = [];
    let base = block;
    let world = known(base);
    // The genesis block is among those that are saved.
    for (; world === undefined; world = known(base)) {
      missing.push(base);
      base = store.parent(base);
    }
    if (missing.length > 0) {
      world = copyWorld(world);
      makeAccounts(world, missing);
    }
    for (const later of missing.reverse()) execute(world, later);
    return remember(block, world);
  }

  return { after, put };
}
