/**
 * The state after every block there is, so that any of them can be built upon. Recent ones are in memory, those of every few generations in
 * the store's file; what lies between is computed again from there, by executing the transactions of the blocks in between.
 */
import { deserialize, serialize } from 'node:v8';
import { parseExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import { tryExecute } from './execute.js';
import { beginGeneration } from '../ledger/key-block.js';
import type { Rules } from '../ledger/rules.js';
import type { Identities } from './identities.js';
import { applyPosted, resultsOfPosted } from './posted.js';
import { WorldDraft } from './world-draft.js';
import { copyWorld, newWorld } from './world.js';
import type { World } from './world.js';

/** Blocks whose states are in memory: those of a dozen generations. */
const MAX_CACHED = 64;
/** Key blocks of these heights have theirs on disk. To read a state between them takes as long as executing the transactions of up to this many generations. */
const SAVED_EVERY = 32;

interface Worlds {
  /** State after a block, or before the first one (NONE); not to be changed. */
  after(block: number): World;
  /** Takes over the state after a block that was just added. */
  put(block: number, world: World): void;
}

export function createWorlds(store: ChainStore, ids: Identities, rules: Rules, accounts: number): Worlds {
  /** Least recently used first. */
  const cache = new Map<number, World>();
  const posted = resultsOfPosted(store);
  const saved = store.annotations<readonly [at: number, length: number]>('generator');

  function addToCache(block: number, world: World): World {
    cache.delete(block);
    cache.set(block, world);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return world;
  }

  function put(block: number, world: World): void {
    addToCache(block, world);
    if (!store.isKey(block) || world.height % SAVED_EVERY !== 0) return;
    const bytes = serialize(world);
    saved.set(block, [store.file.append(bytes), bytes.length]);
  }

  function load(block: number): World | undefined {
    if (block === NONE) return withAccounts(newWorld(accounts));
    const world = cache.get(block);
    if (world !== undefined) return world;
    const place = saved.get(block);
    return place === undefined ? undefined : withAccounts(deserialize(store.file.read(...place)) as World);
  }

  /** An identifier is known as one of this chain only once its account was made. */
  function withAccounts(world: World): World {
    for (let index = 0; index <= accounts + world.endowed; index += 1) ids.account(index);
    return world;
  }

  /** What the block does to the state before it. */
  function execute(draft: WorldDraft, block: number): void {
    if (store.isKey(block)) {
      const height = store.heightOf(block);
      return beginGeneration(draft, height, rules.protocolAt(height));
    }
    for (const inclusion of store.inclusionsOf(block)) {
      const { hash, tx } = parseExact(store.inclusionText(inclusion).toString()) as { hash: string; tx: JsonObject };
      if (posted.get(hash) !== undefined) applyPosted(draft, tx, rules);
      else if (!tryExecute(draft, tx, rules)) throw new Error(`${hash} cannot be executed again`);
    }
  }

  function after(block: number): World {
    const missing: number[] = [];
    let base = block;
    let world = load(base);
    for (; world === undefined; world = load(base)) {
      missing.push(base);
      base = store.parent(base);
    }
    if (missing.length > 0) {
      world = copyWorld(world);
      const draft = new WorldDraft(world, ids);
      for (const later of missing.reverse()) execute(draft, later);
    }
    return addToCache(block, world);
  }

  return { after, put };
}
