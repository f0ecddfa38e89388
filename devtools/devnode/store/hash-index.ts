/** Finds rows by 32-byte hashes. Only the first eight bytes are stored, which is enough to distinguish the hashes of one chain. */
interface HashIndex {
  /** Number of the row, -1 if the hash is not known. */
  find(hash: Uint8Array): number;
  /** Sets the row of a hash, which may be known already. */
  put(hash: Uint8Array, row: number): void;
}

const FIRST_SLOTS = 4096;
const EMPTY = -1;

export function createHashIndex(): HashIndex {
  let slots = FIRST_SLOTS;
  let high = new Uint32Array(slots);
  let low = new Uint32Array(slots);
  let rows = new Int32Array(slots).fill(EMPTY);
  let used = 0;

  function slotOf(first: number, second: number): number {
    let slot = first & (slots - 1);
    while (rows[slot] !== EMPTY && (high[slot] !== first || low[slot] !== second)) slot = (slot + 1) & (slots - 1);
    return slot;
  }

  function widen(): void {
    const [oldHigh, oldLow, oldRows] = [high, low, rows];
    slots *= 2;
    high = new Uint32Array(slots);
    low = new Uint32Array(slots);
    rows = new Int32Array(slots).fill(EMPTY);
    for (let i = 0; i < oldRows.length; i += 1) {
      if (oldRows[i] === EMPTY) continue;
      const slot = slotOf(oldHigh[i]!, oldLow[i]!);
      high[slot] = oldHigh[i]!;
      low[slot] = oldLow[i]!;
      rows[slot] = oldRows[i]!;
    }
  }

  return {
    find: (hash) => rows[slotOf(word(hash, 0), word(hash, 4))]!,
    put(hash, row) {
      const first = word(hash, 0);
      const second = word(hash, 4);
      const slot = slotOf(first, second);
      if (rows[slot] === EMPTY) used += 1;
      high[slot] = first;
      low[slot] = second;
      rows[slot] = row;
      if (used > slots * 0.6) widen();
    },
  };
}

const word = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
