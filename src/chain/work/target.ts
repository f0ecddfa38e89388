/** Targets of key blocks: a proof of work counts when its hash is below the target, so the smaller the target, the harder. See docs/protocol/work.md. */
import { FUTURE_MS } from '../protocol/blocks.js';

/** The easiest target there is, compact; the first generations of every chain have it. */
export const HIGHEST_TARGET = 0x2100ffff;
/** Intervals between key blocks that decide the next target. */
export const TARGET_WINDOW = 17;

const MANTISSA_BYTES = 3;
/** Highest bit of the mantissa is a sign and stays clear. */
const SIGN = 0x800000;

/** From the compact form: top byte exponent, low 23 bits mantissa; mantissa * 256^(exponent - 3). */
export function targetToInteger(compact: number): bigint {
  const shift = BigInt(8 * ((compact >>> 24) - MANTISSA_BYTES));
  const mantissa = BigInt(compact & (SIGN - 1));
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}

/** The compact form, rounded down to what it can hold. */
export function integerToTarget(integer: bigint): number {
  let exponent = Math.ceil(integer.toString(16).length / 2);
  const shift = BigInt(8 * (exponent - MANTISSA_BYTES));
  let mantissa = Number(shift >= 0n ? integer >> shift : integer << -shift);
  if (mantissa >= SIGN) {
    mantissa >>>= 8;
    exponent += 1;
  }
  return exponent * 2 ** 24 + mantissa;
}

/** Hashes that were tried, on average, for a block of the easiest target. */
const EASIEST_WORK = 2n ** 24n;

/** Difficulty of a key block from its compact target; 0 for one that no hash can meet. */
export function difficulty(target: number): bigint {
  const integer = targetToInteger(target);
  return integer === 0n ? 0n : (EASIEST_WORK * targetToInteger(HIGHEST_TARGET)) / integer;
}

/** The easiest compact target whose difficulty is at least that. */
export const targetOf = (wanted: bigint): number =>
  integerToTarget((EASIEST_WORK * targetToInteger(HIGHEST_TARGET)) / wanted);

/** Work of key blocks from their compact targets: of two branches, the chain is the one with more of it. */
export function work(targets: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const target of targets) sum += difficulty(Number(target));
  return sum;
}

export interface TargetHeader {
  target: number;
  /** Ms since the epoch. */
  time: number;
}

/**
 * Target of the next key block from the last 18 (the oldest serves for its time only), oldest first; the highest if there are fewer or if the
 * genesis block would be one of them, so give only blocks above it. `intervalMs` is the time between key blocks that is aimed at.
 */
export function nextTarget(headers: readonly TargetHeader[], intervalMs: number): number {
  if (headers.length <= TARGET_WINDOW) return HIGHEST_TARGET;
  const used = headers.slice(-TARGET_WINDOW - 1);
  const desired = BigInt(intervalMs);
  const scale = targetToInteger(HIGHEST_TARGET) << 32n;
  let work = 0n;
  let solveMs = 0;
  for (let i = 1; i < used.length; i += 1) {
    work += scale / targetToInteger(used[i]!.target);
    solveMs += Math.max(-FUTURE_MS, Math.min(used[i]!.time - used[i - 1]!.time, MAX_SOLVE_INTERVALS * intervalMs));
  }
  // Only about a quarter of the measured time counts: single lucky or unlucky blocks must not change the rate much.
  const tempered = (3n * BigInt(TARGET_WINDOW) * desired) / 4n + (2523n * BigInt(solveMs)) / 10000n;
  const next = (tempered * scale) / (desired * work);
  return Math.min(HIGHEST_TARGET, integerToTarget(next));
}

/** A block that took longer counts as if it had taken this many intervals. */
const MAX_SOLVE_INTERVALS = 6;
