/** The newest state of the copy that this process has answered from or announced: no later answer may be older. */
export interface Floor {
  /** Its commit number. */
  number(): bigint;
  /** Height of its head, as far as an answer has named it; -1 before. */
  height(): number;
  raise(number: bigint): void;
  /** Calls back each time it has been raised. */
  onRaise(callback: () => void): void;
  /** Raises it to the state that rows were read from, if they name it. */
  seen(rows: readonly object[]): void;
  /** Whether rows were read from this state or a later one. */
  admits(rows: readonly object[]): boolean;
}

/** Columns that statements with a commit number have; all rows of a statement have the same. */
interface Numbered {
  commit_number?: string;
  top_height?: string | null;
}

const numberOf = (rows: readonly object[]): bigint | undefined => {
  const text = (rows[0] as Numbered | undefined)?.commit_number;
  return text === undefined ? undefined : BigInt(text);
};

export function createFloor(): Floor {
  let number = -1n;
  let height = -1;
  let raised: () => void = () => undefined;
  const raise = (to: bigint): void => {
    if (to <= number) return;
    number = to;
    raised();
  };
  return {
    number: () => number,
    height: () => height,
    raise,
    onRaise: (callback) => void (raised = callback),
    seen(rows) {
      const found = numberOf(rows);
      if (found === undefined || found < number) return;
      raise(found);
      const { top_height: top } = rows[0] as Numbered;
      if (top != null) height = Number(top);
    },
    admits(rows) {
      const found = numberOf(rows);
      return found !== undefined && found >= number;
    },
  };
}
