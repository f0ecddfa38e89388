/** Computes `txs_hash` of a micro block: the root of the Merkle Patricia tree of its transactions, keyed by their index. */
import { hash } from '../encoding/encoding.js';
import { encodeRlp, minimalBytes } from '../encoding/rlp.js';
import type { RlpItem } from '../encoding/rlp.js';

interface Entry {
  /** The key as half bytes. */
  path: Uint8Array;
  value: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
const LEAF = 2;
const WIDTH = 16;
/** Root of a micro block without transactions. An empty tree has no root, so the node uses zeros. */
const EMPTY = new Uint8Array(32);

/** `transactions`: the serialised signed transactions, in the order of the block. */
export const transactionsRoot = (transactions: readonly Uint8Array[]): Uint8Array =>
  transactions.length === 0
    ? EMPTY
    : root(
        transactions.map((value, index) => ({ path: nibbles(minimalBytes(index)), value })),
        0,
      );

function nibbles(bytes: Uint8Array): Uint8Array {
  const path = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < path.length; i += 1) path[i] = i % 2 === 0 ? bytes[i >> 1]! >> 4 : bytes[i >> 1]! & 15;
  return path;
}

/** Root of at least one entry. The paths of all entries have the first `from` half bytes in common. */
function root(entries: readonly Entry[], from: number): Uint8Array {
  const { path, value } = entries[0]!;
  if (entries.length === 1) return hash(encodeRlp([hexPrefixed(path, from, path.length, LEAF), value]));
  let shared = from;
  while (shared < path.length && entries.every((entry) => entry.path[shared] === path[shared])) shared += 1;
  if (shared === from) return branch(entries, from);
  return hash(encodeRlp([hexPrefixed(path, from, shared, 0), branch(entries, shared)]));
}

function branch(entries: readonly Entry[], from: number): Uint8Array {
  const children: Entry[][] = [];
  let ownValue: Uint8Array = NO_BYTES;
  for (const entry of entries) {
    const half = entry.path[from];
    if (half === undefined) ownValue = entry.value;
    else (children[half] ??= []).push(entry);
  }
  const items: RlpItem[] = [];
  for (let half = 0; half < WIDTH; half += 1) {
    const below = children[half];
    items.push(below === undefined ? NO_BYTES : root(below, from + 1));
  }
  items.push(ownValue);
  return hash(encodeRlp(items));
}

/** Hex-prefix encoding of a part of a path: the first byte has the flag for leaves and, if the number of half bytes is odd, the first of them. */
function hexPrefixed(path: Uint8Array, from: number, to: number, flag: number): Uint8Array {
  const odd = (to - from) % 2;
  const bytes = new Uint8Array(1 + ((to - from) >> 1));
  bytes[0] = odd === 1 ? (flag + 1) * 16 + path[from]! : flag * 16;
  for (let at = 1, i = from + odd; i < to; at += 1, i += 2) bytes[at] = path[i]! * 16 + path[i + 1]!;
  return bytes;
}
