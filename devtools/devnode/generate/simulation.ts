/** A generated chain that grows and forks on demand. The same seed and the same calls give the same chain. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { parseExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { pointerIn } from '../ledger/execution.js';
import { beginGeneration, beginMicroBlock } from '../ledger/key-block.js';
import { big, innerOf, originOf } from '../ledger/members.js';
import { createRules } from '../ledger/rules.js';
import type { Protocol } from '../ledger/rules.js';
import type { Consensus } from '../../../src/chain/protocol/generations.js';
import type { GenerateOptions, Retention } from '../options.js';
import type { ChainStore, StoredTransaction } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import { createBlockMaker } from './blocks.js';
import type { PreviousBlocks } from './blocks.js';
import { MICRO_BLOCK_MS } from '../../../src/chain/protocol/blocks.js';
import { NEWEST_VERSION } from '../../../src/chain/serialize/headers.js';
import { HIGHEST_TARGET, difficulty, targetOf } from '../../../src/chain/work/target.js';
import { tryExecute } from './execute.js';
import { createIdentities } from './identities.js';
import type { Maker } from './maker.js';
import { applyPosted, resultsOfPosted } from './posted.js';
import type { PostedTransaction } from './posted.js';
import { propose } from './propose.js';
import { createRandom } from './random.js';
import { createSealer, envelope, hashIn, tailOf } from './seal.js';
import type { Sealed } from './seal.js';
import { executionInfo } from './info.js';
import { WorldDraft } from './world-draft.js';
import { copyWorld, find } from './world.js';
import type { World } from './world.js';
import { createWorlds } from './worlds.js';

/** Default number of accounts that send transactions. */
export const ACCOUNTS = 200;
const START_TIME = 1_700_000_000_000;
/** Time between key blocks, ms. */
const INTERVAL_MS: Record<Consensus, number> = { pow: 180_000, on_demand: 180_000, hyperchain: 3_000 };
/** A target with about 1/90000 of the main network's difficulty. Any value is fine, because nobody mines. */
const TARGET = 522133279;
const ALL_PROTOCOLS: readonly Protocol[] = [1, 2, 3, 4, 5, 6].map((version, index) => ({
  version,
  effective_at_height: index * 2,
}));
/** Hyperchains are younger than the older versions. */
const NEWEST_PROTOCOL: readonly Protocol[] = [{ version: NEWEST_VERSION, effective_at_height: 0 }];

export const protocolsOf = ({ protocols, consensus }: GenerateOptions): readonly Protocol[] =>
  protocols ?? (consensus === 'hyperchain' ? NEWEST_PROTOCOL : ALL_PROTOCOLS);

export function createSimulation(store: ChainStore, options: GenerateOptions, networkId: string) {
  const { seed, startTime = START_TIME, consensus = 'pow', blockIntervalMs = INTERVAL_MS[consensus] } = options;
  const rules = createRules({
    consensus: options.consensus,
    epochs: options.epochs,
    protocols: protocolsOf(options),
  });
  const ids = createIdentities(seed);
  const blocks = createBlockMaker(ids, seed, {
    consensus: rules.consensus,
    epochs: rules.epochs,
    edgeBits: options.edgeBits,
  });
  const usualTarget = options.edgeBits === undefined ? TARGET : HIGHEST_TARGET;
  const sealer = createSealer(ids, networkId);
  /** Number of the leader of each generation, by key block. */
  const leaders = store.annotations<number>('leader');
  /** Contract of each call by name, by transaction hash. */
  const calledByName = store.annotations<string>('called by name');
  const resultsByHash = resultsOfPosted(store);
  let followsClock = false;
  /** Time of the last added block, which is nearly always the parent of the next one. */
  let newest = { block: NONE, time: 0 };

  const worlds = createWorlds(store, ids, rules, options.accounts ?? ACCOUNTS);

  /** The seed includes the number of blocks, so that two blocks on the same parent differ. */
  const randomOn = (parent: number): ReturnType<typeof createRandom> =>
    createRandom(seed, parent === NONE ? '' : store.id(parent), String(store.blockCount()));

  /** Adds a key block. It belongs to the main chain only after `store.setHead`. */
  function keyBlock(parent: number, target = usualTarget): number {
    const random = randomOn(parent);
    const height = parent === NONE ? 0 : store.heightOf(parent) + 1;
    const world = copyWorld(worlds.after(parent));
    const version = rules.protocolAt(height);
    beginGeneration(new WorldDraft(world, ids), height, version);
    // The clocks of miners differ, so a key block is sometimes older than its parent.
    const jitter = height === 0 ? 0 : random.int(-blockIntervalMs * 0.6, blockIntervalMs * 0.6);
    const time = timeOn(parent, startTime + height * blockIntervalMs + jitter, 1);
    const previous = parent === NONE ? undefined : previousOf(parent);
    const made = blocks.keyBlock(
      { height, version, target, time, ...(previous === undefined ? {} : { previous }) },
      random,
    );
    const work = (parent === NONE ? 0n : store.work(parent)) + difficulty(made.target);
    const block = store.addKeyBlock({ id: made.id, hash: made.hash, text: made.text, height, parent, work });
    worlds.put(block, world);
    newest = { block, time };
    leaders.set(block, made.leader);
    return block;
  }

  /** What a block on this parent says of the blocks before it. */
  const previousOf = (parent: number): PreviousBlocks => {
    const key = store.keyOf(parent);
    const isLed = rules.consensus === 'hyperchain';
    const { target } = isLed
      ? (parseExact(store.blockText(key).toString()) as { target: number })
      : { target: usualTarget };
    return { id: store.id(parent), keyId: store.id(key), target };
  };

  /** Time of a block: planned, or from the clock. With a clock, it is at least `apart` ms after the time of the parent. */
  function timeOn(parent: number, planned: number, apart: number): number {
    const { clock } = options;
    if (clock === undefined || parent === NONE) return Math.floor(planned);
    return Math.max(timeOf(parent) + apart, Math.floor(followsClock ? clock() : planned));
  }

  const timeOf = (block: number): number =>
    newest.block === block ? newest.time : (parseExact(store.blockText(block).toString()) as { time: number }).time;

  /**
   * Adds a micro block with the posted transactions and `count` others: first those of `waiting` (numbers in the store) that can be executed, then
   * new ones. Waiting transactions that can never be executed any more, because their nonce is used or their `ttl` is over, are returned in `unusable`.
   */
  function microBlock(
    parent: number,
    count: number,
    waiting: Iterable<number>,
    posted: readonly PostedTransaction[] = [],
  ): { block: number; unusable: number[] } {
    const random = randomOn(parent);
    const world = copyWorld(worlds.after(parent));
    const draft = new WorldDraft(world, ids);
    beginMicroBlock(draft, store.heightOf(parent), rules);
    const leader = leaders.get(store.keyOf(parent))!;
    const maker: Maker = { world, random, ids, sign: sealer.sign };
    const sealed: Sealed[] = [...posted];
    for (const { tx } of posted) applyPosted(draft, tx, rules);
    const wanted = posted.length + count;
    const unusable: number[] = [];
    let tries = count * 4;
    for (const transaction of waiting) {
      if (sealed.length >= wanted || tries === 0) break;
      const text = store.inclusionText(store.inclusionOf(transaction)).toString();
      const { hash, tx, encoded_tx } = parseExact(text) as { hash: string; tx: JsonObject; encoded_tx: string };
      if (resultsByHash.get(hash) !== undefined) continue;
      tries -= 1;
      const called = contractBehindName(world, tx);
      if (tryExecute(draft, tx, rules, true)) {
        sealed.push({ hash: ids.decode(hash), signed: decodeId(encoded_tx, 'tx'), tail: tailOf(text) });
        if (called !== undefined) calledByName.set(hash, called);
      } else if (isUnusable(draft, tx)) unusable.push(transaction);
    }
    while (sealed.length < wanted) {
      const proposal = propose(maker, options.tokens);
      const called = contractBehindName(world, proposal.tx);
      if (!tryExecute(draft, proposal.tx, rules)) continue;
      const made = sealer.seal(proposal);
      sealed.push(made);
      if (called !== undefined) calledByName.set(ids.encode('th', made.hash), called);
    }
    const height = world.height;
    const apart = store.isKey(parent) ? 1 : MICRO_BLOCK_MS;
    const time = timeOn(parent, timeOf(parent) + apart + random.int(0, 1_500), apart);
    const previous = previousOf(parent);
    const transactions = sealed.map(({ signed }) => signed);
    const made = blocks.microBlock({ height, version: world.version, time, previous, leader, transactions }, random);
    const stored: StoredTransaction[] = sealed.map(({ hash, tail }) => ({
      hash,
      text: envelope(tail, { id: made.id, height }),
    }));
    const block = store.addMicroBlock({ id: made.id, hash: made.hash, text: made.text, parent, transactions: stored });
    worlds.put(block, world);
    newest = { block, time };
    return { block, unusable: unusable };
  }

  /** The contract of a call by name. The JSON of the call contains only the name. */
  function contractBehindName(world: World, tx: JsonObject): string | undefined {
    if (tx['tx'] !== undefined) return contractBehindName(world, innerOf(tx));
    const called = tx['type'] === 'ContractCallTx' ? (tx['contract_id'] as string) : '';
    return called.startsWith('nm_') ? pointerIn(find(world.names, called)?.name, 'contract_pubkey') : undefined;
  }

  /** Whether a transaction can never be executed: its `ttl` is over, or its nonce is used. */
  function isUnusable(draft: WorldDraft, tx: JsonObject): boolean {
    if (tx['ttl'] !== undefined && Number(tx['ttl']) < draft.height) return true;
    const account = draft.account(originOf(tx));
    return account !== undefined && account.authentication === undefined && big(tx, 'nonce') <= account.nonce;
  }

  /** Of transactions that lost their block, those that stay in the pool. */
  function retained(transactions: readonly number[], which: Retention): number[] {
    if (which === 'all') return [...transactions];
    return which === 'none' ? [] : transactions.filter((transaction) => transaction % 2 === 0);
  }

  function transactionsOf(blockList: readonly number[]): number[] {
    return blockList.flatMap((block) => store.inclusionsOf(block).map(store.transactionOf));
  }

  /** Result for `/info` of a transaction in a block, from its envelope. */
  function info(text: string): string | undefined {
    const result = resultsByHash.get(hashIn(text));
    return result === undefined ? executionInfo(text, ids, calledByName) : (result ?? undefined);
  }

  /** What the tokens of the chain that ends with a block hold. */
  const tokens = (block: number): World['tokens'] => worlds.after(block).tokens;

  return {
    keyBlock,
    microBlock,
    retained,
    transactionsOf,
    heavierTarget,
    info,
    tokens,
    /** From now on, blocks get the time of the clock, if there is one. */
    followClock: () => void (followsClock = true),
  };

  /** Target for `count` key blocks on `base`, so that their branch has more work than `work`; the usual target if it is enough. */
  function heavierTarget(base: number, count: number, work: bigint): number {
    const missing = work - store.work(base);
    const each = missing / BigInt(count) + 1n;
    return each <= difficulty(usualTarget) ? usualTarget : targetOf(each);
  }
}
