/** Finds the proof of work of candidates in a worker thread. */
import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { miningHash } from '../../../src/chain/work/cuckoo.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { printed } from '../ledger/members.js';

export interface SolverJob {
  id: number;
  /** Hash of the header with nonce and proof zero. */
  header: Uint8Array;
  /** In compact form. */
  target: number;
  edgeBits: number;
  /** First nonce to try. */
  nonce: bigint;
  /** Contains the id of the current job. */
  current: SharedArrayBuffer;
}

export interface Solution {
  id: number;
  nonce: bigint;
  pow: number[];
}

interface Solver {
  /**
   * Returns the candidate with `nonce` and `pow`; undefined if it was aborted or replaced by a newer candidate. Only the newest candidate is
   * solved. Rejects if the thread fails.
   */
  solve(candidate: JsonObject, signal?: AbortSignal): Promise<JsonObject | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  id: number;
  candidate: JsonObject;
  resolve(block: JsonObject | undefined): void;
  reject(error: Error): void;
}

export function createSolver(edgeBits: number): Solver {
  const current = new SharedArrayBuffer(4);
  const wanted = new Int32Array(current);
  let worker: Worker | undefined;
  let waiting: Waiting | undefined;
  let jobs = 0;

  function cancel(): void {
    Atomics.store(wanted, 0, 0);
    waiting?.resolve(undefined);
    waiting = undefined;
  }

  function start(): Worker {
    const made = new Worker(new URL(`${WORKER_FOLDER}solver-worker.js`, import.meta.url));
    // The thread must not keep the process alive.
    made.unref();
    made.on('message', ({ id, nonce, pow }: Solution) => {
      if (waiting?.id !== id) return;
      const { candidate, resolve } = waiting;
      waiting = undefined;
      resolve({ ...candidate, nonce: printed(nonce), pow });
    });
    made.on('error', (error: Error) => {
      worker = undefined;
      waiting?.reject(error);
      waiting = undefined;
    });
    return made;
  }

  return {
    solve(candidate, signal) {
      cancel();
      if (signal?.aborted === true) return Promise.resolve(undefined);
      jobs += 1;
      const id = jobs;
      return new Promise<JsonObject | undefined>((resolve, reject) => {
        const stop = (): void => {
          if (waiting?.id === id) cancel();
        };
        const stopListening = (): void => signal?.removeEventListener('abort', stop);
        signal?.addEventListener('abort', stop, { once: true });
        waiting = {
          id,
          candidate,
          resolve: (block) => (stopListening(), resolve(block)),
          reject: (error) => (stopListening(), reject(error)),
        };
        Atomics.store(wanted, 0, id);
        const job: SolverJob = {
          id,
          header: miningHash(candidate),
          target: candidate['target'] as number,
          edgeBits,
          nonce: randomBytes(8).readBigUInt64LE(),
          current,
        };
        worker ??= start();
        worker.postMessage(job);
      });
    },

    async close() {
      cancel();
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** Worker threads cannot run TypeScript. When tests run the sources, the thread runs the built file. */
const WORKER_FOLDER = import.meta.url.endsWith('.ts') ? '../../../dist/devtools/devnode/mining/' : './';
