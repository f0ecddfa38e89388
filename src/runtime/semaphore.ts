import { MiddlewareError } from '../observe/errors.js';

/** Lets `max` callers in at a time. Up to `waiting` others wait; more are refused. */
export interface Semaphore {
  /** Returns the function to leave with; undefined if there is no room now. */
  tryEnter(): (() => void) | undefined;
  /** Resolves when the caller is in, with the function to leave with. Throws `overloaded` if it is refused or waits too long, or `signal` aborts. */
  enter(signal?: AbortSignal): Promise<() => void>;
}

interface SemaphoreOptions {
  /** Max callers inside. */
  max: number;
  /** Max callers that wait; unlimited if absent. */
  waiting?: number;
  /** Max wait, ms; unlimited if absent. */
  waitMs?: number;
}

interface Waiting {
  admit: (leave: () => void) => void;
}

export function createSemaphore({ max, waiting = Infinity, waitMs }: SemaphoreOptions): Semaphore {
  const queue = new Set<Waiting>();
  let inside = 0;

  function admitted(): () => void {
    inside++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      const [first] = queue;
      if (first === undefined) return;
      queue.delete(first);
      first.admit(admitted());
    };
  }

  return {
    tryEnter: () => (inside < max ? admitted() : undefined),
    enter(signal) {
      if (inside < max) return Promise.resolve(admitted());
      if (queue.size >= waiting) return Promise.reject(overloaded());
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          if (queue.delete(one)) reject(overloaded());
          clearTimeout(timer);
        };
        const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
        signal?.addEventListener('abort', giveUp, { once: true });
        const one: Waiting = {
          admit: (leave) => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', giveUp);
            resolve(leave);
          },
        };
        queue.add(one);
      });
    },
  };
}

const overloaded = (): MiddlewareError => new MiddlewareError('overloaded', 'more requests than can be answered');
