import { MiddlewareError } from '../observe/errors.js';

/** Lets `max` callers in at a time. Up to `waiting` others wait; more are refused. */
export interface Semaphore {
  /** Returns the function to leave with; undefined if there is no room now. */
  tryEnter(): (() => void) | undefined;
  /** Resolves when the caller is in, with the function to leave with. Throws `overloaded` if it is refused or waits too long, or `signal` aborts. */
  enter(signal?: AbortSignal): Promise<() => void>;
  /** The same, but waits as long as it takes, and is not counted with the others that wait: the caller limits their number. */
  enterInTurn(signal: AbortSignal): Promise<() => void>;
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

interface Wait {
  signal: AbortSignal | undefined;
  waitMs: number | undefined;
  /** Called when the wait has ended. */
  ended: () => void;
}

export function createSemaphore({ max, waiting = Infinity, waitMs }: SemaphoreOptions): Semaphore {
  const queue = new Set<Waiting>();
  let inside = 0;
  /** Callers of `enter` in the queue. */
  let limited = 0;

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

  const wait = ({ signal, waitMs, ended }: Wait): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        queue.delete(one);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        ended();
      };
      const giveUp = (): void => {
        end();
        reject(overloaded());
      };
      const one: Waiting = {
        admit: (leave) => {
          end();
          resolve(leave);
        },
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(one);
    });

  return {
    tryEnter: () => (inside < max ? admitted() : undefined),
    enter(signal) {
      if (signal?.aborted) return Promise.reject(overloaded());
      if (inside < max) return Promise.resolve(admitted());
      if (limited >= waiting) return Promise.reject(overloaded());
      limited++;
      return wait({ signal, waitMs, ended: () => limited-- });
    },
    enterInTurn(signal) {
      if (signal.aborted) return Promise.reject(overloaded());
      if (inside < max) return Promise.resolve(admitted());
      return wait({ signal, waitMs: undefined, ended: () => undefined });
    },
  };
}

const overloaded = (): MiddlewareError => new MiddlewareError('overloaded', 'more requests than can be answered');
