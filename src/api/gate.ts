import { MiddlewareError } from '../observe/errors.js';

/** Lets so many in at a time, has some wait, and turns away the rest. */
export interface Gate {
  /** Lets in at once, if there is room. */
  tryEnter(): (() => void) | undefined;
  /** Resolves, when inside, with what lets the next one in. Throws when it is turned away or `signal` ends. */
  enter(signal?: AbortSignal): Promise<() => void>;
}

export interface GateOptions {
  /** Inside at a time. */
  most: number;
  /** Waiting at a time. */
  waiting: number;
  /** Longest wait, ms. */
  waitMs: number;
}

interface Waiting {
  admit: (leave: () => void) => void;
}

export function createGate({ most, waiting, waitMs }: GateOptions): Gate {
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
    tryEnter: () => (inside < most ? admitted() : undefined),
    enter(signal) {
      if (inside < most) return Promise.resolve(admitted());
      if (queue.size >= waiting) return Promise.reject(overloaded());
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          if (queue.delete(one)) reject(overloaded());
          clearTimeout(timer);
        };
        const timer = setTimeout(giveUp, waitMs);
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

export const overloaded = (): MiddlewareError =>
  new MiddlewareError('unavailable', 'overloaded', 'more requests than can be answered');
