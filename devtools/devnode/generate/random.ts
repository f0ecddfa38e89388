import { hash } from '../../../src/chain/encoding/encoding.js';

/** Reproducible random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** Integer below 2^32. */
  word(): number;
  /** Integer from `from` to `to`, inclusive. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Like `pick`, but prefers the first items. */
  pickEarly<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

/** Random numbers by sfc32. The seed is the hash of the parts. */
export function createRandom(...parts: (string | Uint8Array)[]): Random {
  const seed = hash(...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const view = new DataView(seed.buffer, seed.byteOffset);
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => view.getUint32(at)) as [number, number, number, number];

  function word(): number {
    const next = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + next;
    return next >>> 0;
  }

  const fraction = (): number => word() / 2 ** 32;

  return {
    word,
    int: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    chance: (probability) => fraction() < probability,
    pick: (items) => items[Math.floor(fraction() * items.length)]!,
    pickEarly: (items) => items[Math.floor(fraction() ** 2 * items.length)]!,
    bytes(length) {
      const out = Buffer.allocUnsafe(length);
      let at = 0;
      for (; at + 4 <= length; at += 4) out.writeUInt32BE(word(), at);
      for (let rest = word(); at < length; at += 1, rest >>>= 8) out[at] = rest & 255;
      return out;
    },
  };
}
