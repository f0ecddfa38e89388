/** Computes `txs_hash` of a micro block: the root of the Merkle Patricia tree of its transactions, keyed by their index. */
import { hash } from '../encoding/encoding.js';
import { encodeRlp, minimalBytes } from './rlp.js';
import type { RlpItem } from './rlp.js';

interface Entry {
  /** The key as half bytes. */
  path: readonly number[];
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

function nibbles(bytes: Uint8Array): number[] {
  const path: number[] = [];
  for (const byte of bytes) path.push(byte >> 4, byte & 15);
  return path;
}

/** Root of at least one entry. The paths of all entries have the first `from` half bytes in common. */
function root(entries: readonly Entry[], from: number): Uint8Array {
  const [first, ...others] = entries as [Entry, ...Entry[]];
  if (others.length === 0) return hash(encodeRlp([hexPrefixed(first.path.slice(from), LEAF), first.value]));
  let shared = from;
  while (shared < first.path.length && others.every(({ path }) => path[shared] === first.path[shared])) shared += 1;
  if (shared === from) return branch(entries, from);
  return hash(encodeRlp([hexPrefixed(first.path.slice(from, shared), 0), branch(entries, shared)]));
}

function branch(entries: readonly Entry[], from: number): Uint8Array {
  const children: Entry[][] = Array.from({ length: WIDTH }, () => []);
  let ownValue: Uint8Array = NO_BYTES;
  for (const entry of entries) {
    const half = entry.path[from];
    if (half === undefined) ownValue = entry.value;
    else children[half]!.push(entry);
  }
  const items: RlpItem[] = children.map((entriesBelow) =>
    entriesBelow.length === 0 ? NO_BYTES : root(entriesBelow, from + 1),
  );
  items.push(ownValue);
  return hash(encodeRlp(items));
}

/** Hex-prefix encoding: the first byte has the flag for leaves and, if the number of half bytes is odd, the first of them. */
function hexPrefixed(path: readonly number[], flag: number): Uint8Array {
  const odd = path.length % 2 === 1;
  const all = odd ? [flag + 1, ...path] : [flag, 0, ...path];
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => all[2 * i]! * 16 + all[2 * i + 1]!);
}
