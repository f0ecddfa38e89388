/** Mining of key blocks: candidates for miners, blocks that miners post, and blocks that the node mines itself. */
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_EDGE_BITS, MIN_EDGE_BITS, hasProofOfWork } from '../../../src/chain/work/cuckoo.js';
import { decodeId, hash } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { keyHeaderBytes } from '../../../src/chain/serialize/headers.js';
import { FUTURE_MS, PROOF_LENGTH } from '../../../src/chain/protocol/blocks.js';
import { HIGHEST_TARGET, TARGET_WINDOW, nextTarget } from '../../../src/chain/work/target.js';
import type { TargetHeader } from '../../../src/chain/work/target.js';
import { MiddlewareError } from '../../../src/observe/errors.js';
import type { Answer } from '../wire/answer.js';
import { ok, refused } from '../wire/answer.js';
import { BlockRejected } from '../live/types.js';
import type { LiveChain } from '../live/types.js';
import type { MiningOptions } from '../options.js';
import { NONE } from '../store/chain-store.js';
import { createSolver } from './solver.js';

export interface Mining {
  /** GET key-blocks/pending. */
  pending(): Answer;
  /** POST key-blocks. The body must match the schema. */
  post(block: JsonObject): Answer;
  /** Target of a key block on `parent`, in compact form. */
  target(parent: number): number;
  /** Adds a proof of work to a candidate. */
  seal(candidate: JsonObject): Promise<JsonObject>;
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 3000;
/** A new key block must be later than the median time of this many key blocks. */
const MEDIAN_OF = 11;

const NO_BENEFICIARY = refused(400, 'Beneficiary not configured', 'beneficiary_not_configured');
export const REJECTED = refused(400, 'Block rejected');
const ACCEPTED = ok('{}');

/** Throws `usage` for edge bits out of range, and `no_beneficiary` for `autostart` without a beneficiary. */
export function createMining(chain: LiveChain, options: MiningOptions): Mining {
  const { autostart = false, beneficiary, edgeBits = 0, intervalMs = DEFAULT_INTERVAL_MS, now = Date.now } = options;
  if (edgeBits !== 0 && !(edgeBits >= MIN_EDGE_BITS && edgeBits <= MAX_EDGE_BITS)) {
    const allowed = `0 or ${MIN_EDGE_BITS} to ${MAX_EDGE_BITS}`;
    throw new MiddlewareError('usage', `edge bits: ${allowed}, not ${edgeBits}`);
  }
  if (autostart && beneficiary === undefined)
    throw new MiddlewareError('no_beneficiary', 'mining needs a beneficiary (ak_…)');
  const { store } = chain;
  const solver = createSolver(edgeBits);
  /** Second solver for `seal`, which may be called while the node mines. */
  const sealer = createSolver(edgeBits);
  const closing = new AbortController();
  let pendingOn = NONE;
  let pendingBlock: JsonObject | undefined;

  /** The last `count` key blocks up to that of `block`, oldest first, without the genesis block. */
  function headersUpTo(block: number, count: number): TargetHeader[] {
    const headers: TargetHeader[] = [];
    for (let at = store.keyOf(block); headers.length < count && store.heightOf(at) > 0;) {
      const { target, time } = chain.keyBlock(at) as unknown as TargetHeader;
      headers.push({ target, time });
      at = store.keyOf(store.parent(at));
    }
    return headers.reverse();
  }

  // Without proof of work the target is not adjusted.
  const target = (parent: number): number =>
    edgeBits === 0 ? HIGHEST_TARGET : nextTarget(headersUpTo(parent, TARGET_WINDOW + 1), intervalMs);

  /** A key block on `parent` must be later than this time, ms. */
  function medianTime(parent: number): number {
    const times = headersUpTo(parent, MEDIAN_OF).map(({ time }) => time);
    if (times.length < MEDIAN_OF) return chain.keyBlock(store.keyAt(0))['time'] as number;
    return times.sort((a, b) => a - b)[MEDIAN_OF >> 1]!;
  }

  /** The candidate stays the same until the head changes. */
  function candidate(beneficiary: string): JsonObject {
    const head = store.head();
    if (pendingBlock === undefined || pendingOn !== head) {
      const time = Math.max(now(), medianTime(head) + 1);
      pendingBlock = chain.candidate({ beneficiary: beneficiary, target: target(head), time });
      pendingOn = head;
    }
    return pendingBlock;
  }

  /** Whether parent, target, time and proof of work of a block are valid. */
  function isAcceptable(block: JsonObject): boolean {
    const parent = store.findBlock(decodeId(block['prev_hash'] as string));
    if (parent === NONE || block['target'] !== target(parent)) return false;
    const time = Number(block['time']);
    if (time > now() + FUTURE_MS || time <= medianTime(parent)) return false;
    return edgeBits === 0 || hasProofOfWork(block, edgeBits);
  }

  function post(block: JsonObject): Answer {
    try {
      // Posting a known block is not an error.
      if (store.findBlock(hash(keyHeaderBytes(block))) !== NONE) return ACCEPTED;
      if (!isAcceptable(block)) return REJECTED;
      chain.addKeyBlock(block);
      return ACCEPTED;
    } catch (error) {
      if (error instanceof BlockRejected || error instanceof MalformedError) return REJECTED;
      throw error;
    }
  }

  function withFakeProof(block: JsonObject): JsonObject {
    const seed = hash(keyHeaderBytes(block));
    const step = (i: number): number => 1 + ((seed[i % seed.length]! << 8) | seed[(i * 7 + 3) % seed.length]!);
    let edge = 0;
    const pow = Array.from({ length: PROOF_LENGTH }, (_, i) => (edge += step(i)));
    return { ...block, nonce: Buffer.from(seed).readUInt32BE(), pow };
  }

  async function seal(block: JsonObject): Promise<JsonObject> {
    if (edgeBits === 0) return withFakeProof(block);
    const sealed = await sealer.solve(block, closing.signal);
    if (sealed === undefined) throw new MiddlewareError('stopped', 'mining was cancelled');
    return sealed;
  }

  /** Mines on the newest block until the node is closed. */
  async function mine(miningFor: string): Promise<void> {
    while (!closing.signal.aborted) {
      const changed = new AbortController();
      const stopListening = chain.onHeadChange(() => changed.abort());
      try {
        const block = await mineBlock(miningFor, AbortSignal.any([changed.signal, closing.signal]));
        if (block !== undefined) post(block);
      } finally {
        stopListening();
      }
    }
  }

  async function mineBlock(miningFor: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    if (edgeBits > 0) return solver.solve(candidate(miningFor), signal);
    // A micro block restarts this wait, so it is measured from the time of the last key block.
    const since = chain.keyBlock(store.keyOf(store.head()))['time'] as number;
    await wait(Math.max(0, Math.min(intervalMs, since + intervalMs - now())), undefined, { signal }).catch(
      () => undefined,
    );
    return signal.aborted ? undefined : withFakeProof(candidate(miningFor));
  }

  const ended = autostart && beneficiary !== undefined ? mine(beneficiary) : Promise.resolve();

  return {
    pending: () => (beneficiary === undefined ? NO_BENEFICIARY : ok(stringifyExact(candidate(beneficiary)))),
    post,
    target,
    seal,
    async close() {
      closing.abort();
      await Promise.all([solver.close(), sealer.close()]);
      await ended;
    },
  };
}
