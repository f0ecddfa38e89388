/** Difficulty of key blocks: the branch with the greatest sum wins. */
const EASIEST = (1n << 24n) * 0xffffn * 256n ** 30n;
const MANTISSA_BYTES = 3;
/** Highest bit of the mantissa is a sign and stays clear. */
const SIGN = 0x800000n;

/** From the compact `target` of a key block: top byte exponent, low 23 bits mantissa. */
export function difficultyOf(target: number): bigint {
  const exponent = target >>> 24;
  const mantissa = BigInt(target & 0x7fffff);
  const bits = BigInt(8 * (exponent - MANTISSA_BYTES));
  return EASIEST / (bits >= 0n ? mantissa << bits : mantissa >> -bits);
}

/** The easiest compact target whose difficulty is at least that. */
export function targetFor(difficulty: bigint): number {
  const integer = EASIEST / difficulty;
  let exponent = Math.ceil(integer.toString(16).length / 2);
  let mantissa = integer >> BigInt(8 * (exponent - MANTISSA_BYTES));
  if (mantissa >= SIGN) {
    mantissa >>= 8n;
    exponent += 1;
  }
  return exponent * 2 ** 24 + Number(mantissa);
}
