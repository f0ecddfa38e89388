/** `txs_hash` of a micro block: root of the Merkle Patricia tree of its transactions, by their place. */
import { hash } from '../encoding.js';
import { encodeRlp, minimalBytes } from './rlp.js';

interface Entry {
  /** Half bytes of the key. */
  path: readonly number[];
  value: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const LEAF = 2;
const WIDTH = 16;

/** `transactions` are serialised and signed, in the order of the block. */
export const transactionsRoot = (transactions: readonly Uint8Array[]): Uint8Array =>
  root(transactions.map((value, index) => ({ path: halves(minimalBytes(index)), value })));

const halves = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);

function root(entries: readonly Entry[]): Uint8Array {
  if (entries.length === 0) return NOTHING;
  const [first] = entries;
  if (entries.length === 1) return hash(encodeRlp([packed(first!.path, LEAF), first!.value]));
  const shared = commonLength(entries);
  if (shared > 0) {
    const below = branch(entries.map(({ path, value }) => ({ path: path.slice(shared), value })));
    return hash(encodeRlp([packed(first!.path.slice(0, shared), 0), below]));
  }
  return branch(entries);
}

function branch(entries: readonly Entry[]): Uint8Array {
  const here = entries.find(({ path }) => path.length === 0);
  const children = Array.from({ length: WIDTH }, (_, half) =>
    root(entries.filter(({ path }) => path[0] === half).map(({ path, value }) => ({ path: path.slice(1), value }))),
  );
  return hash(encodeRlp([...children, here?.value ?? NOTHING]));
}

function commonLength(entries: readonly Entry[]): number {
  const [first, ...others] = entries;
  let length = 0;
  while (length < first!.path.length && others.every(({ path }) => path[length] === first!.path[length])) length += 1;
  return length;
}

/** Hex-prefix form: a flag for leaves, and the first half byte if their number is odd. */
function packed(path: readonly number[], flag: number): Uint8Array {
  const odd = path.length % 2 === 1;
  const all = odd ? [flag + 1, ...path] : [flag, 0, ...path];
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => all[2 * i]! * 16 + all[2 * i + 1]!);
}
