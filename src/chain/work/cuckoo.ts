/**
 * Cuckoo Cycle, the proof of work of key blocks. Header and nonce define a random bipartite graph of 2^edgeBits edges. A proof is 42 of its
 * edges that form one cycle. The main network uses 29 bits, networks for tests use 15.
 */
import { hash } from '../encoding/encoding.js';
import type { Json } from '../encoding/json.js';
import { PROOF_LENGTH } from '../protocol/blocks.js';
import { keyHeaderBytes } from '../serialize/headers.js';
import { targetToInteger } from './target.js';

export const MIN_EDGE_BITS = 8;
export const MAX_EDGE_BITS = 31;
/** As in networks for tests. Finding a proof takes a fraction of a second. */
export const DEFAULT_EDGE_BITS = 15;

/** Size of the text whose hash is the keys of a graph: header hash and nonce in base64, padded with zeros. */
const KEY_TEXT_BYTES = 80;
const MAX_NONCE = 2n ** 64n - 1n;

type Members = { readonly [key: string]: Json };

/** The keys of a graph: four words of 64 bits, each as low and high half. */
export type GraphKeys = Uint32Array;

/** Hash from which the graphs of a key block are made: that of its header with nonce and proof zero. Throws MalformedError. */
export function miningHash(block: Members): Uint8Array {
  const { nonce: _, pow: __, ...candidate } = block;
  return hash(keyHeaderBytes(candidate));
}

export function graphKeys(header: Uint8Array, nonce: bigint): GraphKeys {
  const nonceBytes = Buffer.alloc(8);
  nonceBytes.writeBigUInt64LE(nonce);
  const text = Buffer.alloc(KEY_TEXT_BYTES);
  text.write(Buffer.from(header).toString('base64') + nonceBytes.toString('base64'), 'latin1');
  const bytes = hash(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Uint32Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4, true));
}

/**
 * Number of the graph node at the end of an edge on side 0 or 1, below 2^edgeBits. It is SipHash-2-4 of `2 * edge + side` without the usual
 * constants, rotated by 17 bits. Words are split into halves, because JavaScript has no fast 64-bit integers.
 */
export function endpoint(keys: GraphKeys, edge: number, side: 0 | 1, edgeBits: number): number {
  const nonce = (edge * 2 + side) | 0;
  let al = keys[0]! | 0;
  let ah = keys[1]! | 0;
  let bl = keys[2]! | 0;
  let bh = keys[3]! | 0;
  let cl = keys[4]! | 0;
  let ch = keys[5]! | 0;
  let dl = (keys[6]! ^ nonce) | 0;
  let dh = keys[7]! | 0;
  let low = 0;
  for (let round = 0; round < 6; round += 1) {
    if (round === 2) {
      al ^= nonce;
      cl ^= 0xff;
    }
    // a += b, c += d. If the sum of the low halves is smaller than one of them, it has overflowed.
    low = (al + bl) | 0;
    ah = (ah + bh + (low >>> 0 < al >>> 0 ? 1 : 0)) | 0;
    al = low;
    low = (cl + dl) | 0;
    ch = (ch + dh + (low >>> 0 < cl >>> 0 ? 1 : 0)) | 0;
    cl = low;
    // b is rotated by 13, d by 16, a by 32 bits.
    low = ((bl << 13) | (bh >>> 19)) ^ al;
    bh = ((bh << 13) | (bl >>> 19)) ^ ah;
    bl = low;
    low = ((dl << 16) | (dh >>> 16)) ^ cl;
    dh = ((dh << 16) | (dl >>> 16)) ^ ch;
    dl = low;
    low = al;
    al = ah;
    ah = low;
    low = (cl + bl) | 0;
    ch = (ch + bh + (low >>> 0 < cl >>> 0 ? 1 : 0)) | 0;
    cl = low;
    low = (al + dl) | 0;
    ah = (ah + dh + (low >>> 0 < al >>> 0 ? 1 : 0)) | 0;
    al = low;
    // b by 17, d by 21, c by 32 bits.
    low = ((bl << 17) | (bh >>> 15)) ^ cl;
    bh = ((bh << 17) | (bl >>> 15)) ^ ch;
    bl = low;
    low = ((dl << 21) | (dh >>> 11)) ^ al;
    dh = ((dh << 21) | (dl >>> 11)) ^ ah;
    dl = low;
    low = cl;
    cl = ch;
    ch = low;
  }
  low = al ^ bl ^ cl ^ dl;
  const high = ah ^ bh ^ ch ^ dh;
  return (((low << 17) | (high >>> 15)) >>> 0) & (2 ** edgeBits - 1);
}

/** Whether the edges are ascending and form one cycle of 42 edges in the graph. */
export function isCycle(keys: GraphKeys, proof: readonly number[], edgeBits: number): boolean {
  if (proof.length !== PROOF_LENGTH) return false;
  const edges = 2 ** edgeBits;
  if (proof.some((edge, i) => !(edge >= 0 && edge < edges) || (i > 0 && edge <= proof[i - 1]!))) return false;
  const ends = ([0, 1] as const).map((side) => proof.map((edge) => endpoint(keys, edge, side, edgeBits)));
  let at = 0;
  let side = 0;
  let steps = 0;
  do {
    const node = ends[side]![at]!;
    const others = ends[side]!.flatMap((end, edge) => (end === node && edge !== at ? [edge] : []));
    // Each node of a cycle has exactly two edges.
    if (others.length !== 1) return false;
    at = others[0]!;
    side = 1 - side;
    steps += 1;
  } while (at !== 0 && steps <= PROOF_LENGTH);
  return at === 0 && side === 0 && steps === PROOF_LENGTH;
}

/** Whether the hash of the proof is below the compact target. */
export function meetsTarget(proof: readonly number[], target: number): boolean {
  const bytes = Buffer.alloc(PROOF_LENGTH * 4);
  proof.forEach((edge, i) => bytes.writeUInt32BE(edge, i * 4));
  return BigInt(`0x${Buffer.from(hash(bytes)).toString('hex')}`) < targetToInteger(target);
}

/**
 * Whether a key block, as the node prints it, has a valid proof of work: a cycle in the graph of its header and nonce whose hash is below its
 * target. Throws MalformedError.
 */
export function hasProofOfWork(block: Members, edgeBits: number): boolean {
  const { nonce, pow, target } = block;
  if (!(typeof nonce === 'bigint' || Number.isSafeInteger(nonce)) || typeof target !== 'number') return false;
  const exact = BigInt(nonce as number | bigint);
  if (exact < 0n || exact > MAX_NONCE) return false;
  if (!Array.isArray(pow) || pow.length !== PROOF_LENGTH) return false;
  if (!pow.every((edge): edge is number => typeof edge === 'number' && Number.isInteger(edge) && edge >= 0))
    return false;
  if (pow.some((edge) => edge >= 2 ** edgeBits) || !meetsTarget(pow, target)) return false;
  return isCycle(graphKeys(miningHash(block), exact), pow, edgeBits);
}
