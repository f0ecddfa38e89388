/** Lets `max` callers in at a time. Those who wait are let in by turns of their keys, however many wait with one key. */
export interface Turns {
  /** Resolves when it is the caller's turn, with the function to leave with. */
  enter(key: string): Promise<() => void>;
}

export function createTurns(max: number): Turns {
  /** The callers that wait, by key. The first key is next. */
  const queues = new Map<string, (() => void)[]>();
  let inside = 0;

  function leave(): void {
    inside -= 1;
    const [next] = queues;
    if (next === undefined) return;
    const [key, [first, ...others]] = next;
    queues.delete(key);
    if (others.length > 0) queues.set(key, others);
    inside += 1;
    first!();
  }

  return {
    async enter(key) {
      if (inside < max) inside += 1;
      else {
        await new Promise<void>((resolve) => {
          const queue = queues.get(key);
          if (queue === undefined) queues.set(key, [resolve]);
          else queue.push(resolve);
        });
      }
      return leave;
    },
  };
}
