/** A persistent map: every version of it stays readable. A change copies only the few nodes on the path to the entry. */
interface Leaf<V> {
  readonly hash: number;
  readonly key: string;
  readonly value: V;
  /** Entry of another key with the same hash. */
  readonly next: Leaf<V> | undefined;
}

interface Branch<V> {
  /** Only changes with the same owner may change the node in place. */
  readonly owner: object;
  readonly slots: (Branch<V> | Leaf<V> | undefined)[];
}

const BITS = 4;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

const isBranch = <V>(node: Branch<V> | Leaf<V>): node is Branch<V> => 'slots' in node;

/** FNV-1a hash. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** One version of the map, with all its entries. */
export type Version<V> = Branch<V>;

export const emptyVersion = <V>(): Version<V> => ({ owner: {}, slots: new Array<undefined>(WIDTH) });

export function lookUp<V>(version: Version<V>, key: string): V | undefined {
  const hash = hashOf(key);
  let node: Branch<V> | Leaf<V> | undefined = version;
  for (let shift = 0; node !== undefined && isBranch(node); shift += BITS) node = node.slots[(hash >>> shift) & MASK];
  for (let leaf = node; leaf !== undefined; leaf = leaf.next) {
    if (leaf.key === key) return leaf.value;
  }
  return undefined;
}

/** Returns the version with a new value for a key; undefined removes the key. Nodes that `owner` made are changed in place. */
export function withValue<V>(version: Version<V>, key: string, value: V | undefined, owner: object): Version<V> {
  return put(version, hashOf(key), 0, key, value, owner);
}

function put<V>(
  branch: Branch<V>,
  hash: number,
  shift: number,
  key: string,
  value: V | undefined,
  owner: object,
): Branch<V> {
  const slot = (hash >>> shift) & MASK;
  const old = branch.slots[slot];
  const fresh =
    old !== undefined && isBranch(old)
      ? put(old, hash, shift + BITS, key, value, owner)
      : putLeaf(old, hash, shift + BITS, key, value, owner);
  if (fresh === old) return branch;
  const own = branch.owner === owner ? branch : { owner, slots: branch.slots.slice() };
  own.slots[slot] = fresh;
  return own;
}

function putLeaf<V>(
  leaf: Leaf<V> | undefined,
  hash: number,
  shift: number,
  key: string,
  value: V | undefined,
  owner: object,
): Branch<V> | Leaf<V> | undefined {
  if (leaf !== undefined && leaf.hash !== hash) {
    if (value === undefined) return leaf;
    const split: Branch<V> = { owner, slots: new Array<undefined>(WIDTH) };
    split.slots[(leaf.hash >>> shift) & MASK] = leaf;
    return put(split, hash, shift, key, value, owner);
  }
  const others = without(leaf, key);
  return value === undefined ? others : { hash, key, value, next: others };
}

function without<V>(leaf: Leaf<V> | undefined, key: string): Leaf<V> | undefined {
  if (leaf === undefined) return undefined;
  return leaf.key === key ? leaf.next : { ...leaf, next: without(leaf.next, key) };
}

/** All keys with their values, unordered. */
export function* entriesOf<V>(node: Branch<V> | Leaf<V>): Generator<[string, V]> {
  if (isBranch(node)) {
    for (const slot of node.slots) if (slot !== undefined) yield* entriesOf(slot);
    return;
  }
  for (let leaf: Leaf<V> | undefined = node; leaf !== undefined; leaf = leaf.next) yield [leaf.key, leaf.value];
}
