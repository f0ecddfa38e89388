/** The rules of the protocol that a key block must follow because of the key blocks before it. See docs/protocol/work.md. */
import { FUTURE_MS } from '../protocol/blocks.js';
import { versionAt } from '../networks.js';
import type { Network } from '../networks.js';
import type { Consensus } from '../protocol/generations.js';
import { NEWEST_VERSION } from '../serialize/headers.js';
import { TARGET_WINDOW, nextTarget } from './target.js';

/** The members of a key block that the rules read. */
export interface KeyHeader {
  height: number;
  target: number;
  /** Milliseconds since 1970. */
  time: number;
  version: number;
  /** Undefined for the genesis block. */
  consensus: Consensus | undefined;
}

/** Number of key blocks whose median time a key block must exceed. */
const MEDIAN_WINDOW = 11;

/** Max number of key blocks before a key block that the rules read. */
export const RULES_READ = TARGET_WINDOW + 1;

/** How many of them the rules of a network read. */
export const rulesRead = ({ work }: Network): number => (work === undefined ? 1 : RULES_READ);

/**
 * Which rule a key block breaks, in one sentence; undefined if it breaks none. `before`: the key blocks directly below it, ascending, as many as
 * `rulesRead` says, fewer only at the start of the chain. `now`: milliseconds since 1970. The proof of work is checked apart from it.
 */
export function brokenRule(
  block: KeyHeader,
  before: readonly KeyHeader[],
  network: Network,
  now: number,
): string | undefined {
  if (block.height === 0) return undefined;
  return (
    wrongVersion(block, before, network) ??
    wrongConsensus(block, before.at(-1)) ??
    (network.work && wrongTime(block, before, now)) ??
    wrongTarget(block, before, network)
  );
}

function wrongVersion(
  { height, version }: KeyHeader,
  before: readonly KeyHeader[],
  network: Network,
): string | undefined {
  // Whether a version that this release does not know is accepted is decided where hashes are checked.
  if (version > NEWEST_VERSION) return undefined;
  const expected = versionAt(network, height);
  if (expected !== undefined && version !== expected) return `its version is ${version} instead of ${expected}`;
  const last = before.at(-1);
  return last !== undefined && version < last.version
    ? `its version is ${version}, and that of the key block before it is ${last.version}`
    : undefined;
}

const SEALS: Record<Consensus, string> = {
  pow: 'a proof of work',
  on_demand: 'neither proof nor signature',
  hyperchain: 'the signature of its leader',
};

/** A network never changes its form: a node that says so is of another network. */
export function wrongConsensus(
  { consensus }: Pick<KeyHeader, 'consensus'>,
  last: Pick<KeyHeader, 'consensus'> | undefined,
  which = 'the key block before it',
): string | undefined {
  if (consensus === undefined || last?.consensus === undefined || consensus === last.consensus) return undefined;
  return `it has ${SEALS[consensus]}, and ${which} has ${SEALS[last.consensus]}`;
}

function wrongTime({ height, time }: KeyHeader, before: readonly KeyHeader[], now: number): string | undefined {
  if (time > now + FUTURE_MS) return `its time is ${time - now} ms ahead of the clock`;
  if (height <= MEDIAN_WINDOW)
    return time > before[0]!.time ? undefined : 'its time is not after that of the genesis block';
  const times = before.slice(-MEDIAN_WINDOW).map((one) => one.time);
  const median = times.sort((a, b) => a - b)[(MEDIAN_WINDOW - 1) / 2]!;
  return time > median
    ? undefined
    : `its time is not after the median time of the ${MEDIAN_WINDOW} key blocks before it`;
}

function wrongTarget(
  { height, target }: KeyHeader,
  before: readonly KeyHeader[],
  { work }: Network,
): string | undefined {
  if (work?.intervalMs === undefined) return undefined;
  // The first blocks have the target of the genesis block.
  const expected = height <= RULES_READ ? before.at(-1)!.target : nextTarget(before, work.intervalMs);
  return target === expected ? undefined : `its target is ${target} instead of ${expected}`;
}
