type Cells = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** A growing array of numbers outside the JavaScript heap, so that a million transactions do not slow down garbage collection. */
interface Column {
  readonly length: number;
  get(index: number): number;
  set(index: number, value: number): void;
  push(value: number): void;
  /** Removes all values from index `length` on. */
  truncate(length: number): void;
}

const FIRST_CELLS = 1024;

function createColumn(make: (cells: number) => Cells): Column {
  let cells = make(FIRST_CELLS);
  let length = 0;
  return {
    get length() {
      return length;
    },
    get: (index) => cells[index]!,
    set: (index, value) => void (cells[index] = value),
    push(value) {
      if (length === cells.length) {
        const wider = make(length * 2);
        wider.set(cells);
        cells = wider;
      }
      cells[length] = value;
      length += 1;
    },
    truncate: (to) => void (length = to),
  };
}

/** Offsets in a file. */
export const offsets = (): Column => createColumn((cells) => new Float64Array(cells));
/** Counts and other integers below 2^32. */
export const counts = (): Column => createColumn((cells) => new Uint32Array(cells));
/** Row numbers; -1 for none. */
export const references = (): Column => createColumn((cells) => new Int32Array(cells));
/** Integers below 256. */
export const states = (): Column => createColumn((cells) => new Uint8Array(cells));
