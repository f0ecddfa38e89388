/** Targets of key blocks. The hash of a proof of work must be below the target, so a smaller target is harder. See docs/protocol/work.md. */
import { FUTURE_MS } from '../protocol/blocks.js';

/** The easiest target, in compact form. The first generations of every chain have it. */
export const HIGHEST_TARGET = 0x2100ffff;
/** Number of intervals between key blocks that decide the next target. */
export const TARGET_WINDOW = 17;

const MANTISSA_BYTES = 3;
/** The highest bit of the mantissa is a sign, which is never set. */
const SIGN = 0x800000;

/** Decodes the compact form. The top byte is the exponent, the low 23 bits are the mantissa: mantissa * 256^(exponent - 3). */
export function targetToInteger(compact: number): bigint {
  const shift = BigInt(8 * ((compact >>> 24) - MANTISSA_BYTES));
  const mantissa = BigInt(compact & (SIGN - 1));
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}

/** Encodes in compact form, rounded down to its precision. */
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

/** Average number of hashes to find a block with the easiest target. */
const EASIEST_WORK = 2n ** 24n;

/** Difficulty of a key block from its compact target; 0 for a target that no hash can meet. */
export function difficulty(target: number): bigint {
  const integer = targetToInteger(target);
  return integer === 0n ? 0n : (EASIEST_WORK * targetToInteger(HIGHEST_TARGET)) / integer;
}

/** The easiest compact target with at least this difficulty. */
export const targetOf = (wanted: bigint): number =>
  integerToTarget((EASIEST_WORK * targetToInteger(HIGHEST_TARGET)) / wanted);

/** Sum of the work of key blocks, from their compact targets. Of two branches, the one with more work is the chain. */
export function work(targets: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const target of targets) sum += difficulty(Number(target));
  return sum;
}

export interface TargetHeader {
  target: number;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Target of the next key block, computed from the last 18, oldest first. Only the time of the oldest one counts. With fewer blocks it is the
 * highest target. The genesis block does not count, so pass only blocks above it. `intervalMs` is the intended time between key blocks.
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
  // Only about a quarter of the measured time counts, so that a few lucky or unlucky blocks do not change the rate much.
  const tempered = (3n * BigInt(TARGET_WINDOW) * desired) / 4n + (2523n * BigInt(solveMs)) / 10000n;
  const next = (tempered * scale) / (desired * work);
  return Math.min(HIGHEST_TARGET, integerToTarget(next));
}

/** A block that took more intervals than this counts as if it had taken this many. */
const MAX_SOLVE_INTERVALS = 6;
