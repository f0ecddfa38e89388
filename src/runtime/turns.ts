import { clientOf } from './client-of.js';

/** Lets `max` callers in at a time. Those who wait are let in by turns of their clients (`clientOf`), however many wait for one. */
export interface Turns {
  /** Resolves when it is the turn of the client with this address, with the function to leave with. */
  enter(address: string): Promise<() => void>;
}

export function createTurns(max: number): Turns {
  /** The callers that wait, by client. The first client is next. */
  const queues = new Map<string, (() => void)[]>();
  let inside = 0;

  function leave(): void {
    inside -= 1;
    const [next] = queues;
    if (next === undefined) return;
    const [client, [first, ...others]] = next;
    queues.delete(client);
    if (others.length > 0) queues.set(client, others);
    inside += 1;
    first!();
  }

  return {
    async enter(address) {
      if (inside < max) inside += 1;
      else {
        await new Promise<void>((resolve) => {
          const client = clientOf(address);
          const queue = queues.get(client);
          if (queue === undefined) queues.set(client, [resolve]);
          else queue.push(resolve);
        });
      }
      return leave;
    },
  };
}
