/** The newest state of the copy that this process has answered from or announced: no later answer may be older. */
export interface Floor {
  /** Commit number of the state. */
  number(): bigint;
  /** Height of the head in the last answer from that state; -1 before the first one. */
  height(): number;
  raise(number: bigint): void;
  /** `callback` is called each time the floor is raised. */
  onRaise(callback: () => void): void;
  /** Raises the floor to the state from which the rows were read, if they have a commit number. */
  seen(rows: readonly object[]): void;
  /** Whether the rows were read from this state or a later one. */
  admits(rows: readonly object[]): boolean;
}

/** Columns of statements with a commit number, see `queries/answer.ts`; they are equal in all rows of a statement. */
interface Numbered {
  commit_number?: string;
  head_height?: string | null;
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
      const { head_height: head } = rows[0] as Numbered;
      if (head != null) height = Number(head);
    },
    admits(rows) {
      const found = numberOf(rows);
      return found !== undefined && found >= number;
    },
  };
}
