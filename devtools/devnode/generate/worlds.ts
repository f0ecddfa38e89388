/**
 * The world after every block, so that new blocks can be built on any of them. Recent worlds are in memory, and one in every 32 generations is in
 * the file of the store. The others are computed from these by executing the blocks in between.
 */
import { deserialize, serialize } from 'node:v8';
import { parseExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import { tryExecute } from './execute.js';
import { beginGeneration, beginMicroBlock } from '../ledger/key-block.js';
import type { Rules } from '../ledger/rules.js';
import type { Identities } from './identities.js';
import { applyPosted, resultsOfPosted } from './posted.js';
import { genesisContracts } from './genesis-state.js';
import { WorldDraft } from './world-draft.js';
import { copyWorld, newWorld } from './world.js';
import type { World } from './world.js';

/** Max number of worlds in memory, which is enough for about twelve generations. */
const MAX_CACHED = 64;
/** The world of a key block is written to disk if its height is a multiple of this. So any world is computed from at most this many generations. */
const SAVED_EVERY = 32;

interface Worlds {
  /** World after a block, or before the first one (NONE). The caller must not change it. */
  after(block: number): World;
  /** Stores the world after a new block. */
  put(block: number, world: World): void;
}

export function createWorlds(store: ChainStore, ids: Identities, rules: Rules, accounts: number): Worlds {
  /** Worlds by block, least recently used first. */
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
    if (block === NONE) return withAccounts(newWorld(accounts, genesisContracts(rules.consensus)));
    const world = cache.get(block);
    if (world !== undefined) return world;
    const place = saved.get(block);
    if (place === undefined) return undefined;
    // Earlier releases wrote worlds without tokens.
    const found = deserialize(store.file.read(...place)) as Omit<World, 'tokens'> & Partial<Pick<World, 'tokens'>>;
    return withAccounts({ ...found, tokens: found.tokens ?? [] });
  }

  /** Creates the accounts of a world, so that their identifiers are known. */
  function withAccounts(world: World): World {
    for (let index = 0; index <= accounts + world.endowed; index += 1) ids.account(index);
    return world;
  }

  /** Applies a block to the world of its parent. */
  function execute(draft: WorldDraft, block: number): void {
    if (store.isKey(block)) {
      const height = store.heightOf(block);
      return beginGeneration(draft, height, rules.protocolAt(height));
    }
    beginMicroBlock(draft, store.heightOf(block), rules);
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
