/** Work of a key block from its compact target (rules.md 7): floor(2^24 * 0xffff * 256^30 / T). */
export function difficulty(target: bigint): bigint {
  const exponent = target >> 24n;
  const mantissa = target & 0x7fffffn;
  const full = exponent >= 3n ? mantissa << (8n * (exponent - 3n)) : mantissa >> (8n * (3n - exponent));
  return full === 0n ? 0n : ((1n << 24n) * 0xffffn * (1n << 240n)) / full;
}

export const work = (targets: Iterable<bigint>): bigint => {
  let sum = 0n;
  for (const target of targets) sum += difficulty(target);
  return sum;
};
