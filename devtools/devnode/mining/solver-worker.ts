/** Worker thread that searches a proof of work, so that the main thread can answer requests. */
import { parentPort } from 'node:worker_threads';
import { graphKeys, meetsTarget } from '../../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../../src/chain/work/cycles.js';
import type { CycleFinder } from '../../../src/chain/work/cycles.js';
import type { Solution, SolverJob } from './solver.js';

let finder: { edgeBits: number; cycles: CycleFinder } | undefined;

/** Tries nonces one after the other. Returns undefined when another job becomes current. */
function search({ id, header, target, edgeBits, nonce: first, current }: SolverJob): Solution | undefined {
  if (finder?.edgeBits !== edgeBits) finder = { edgeBits, cycles: createCycleFinder(edgeBits) };
  const asked = new Int32Array(current);
  for (let nonce = first; Atomics.load(asked, 0) === id; nonce = BigInt.asUintN(64, nonce + 1n)) {
    for (const pow of finder.cycles.find(graphKeys(header, nonce))) {
      if (meetsTarget(pow, target)) return { id, nonce, pow };
    }
  }
  return undefined;
}

parentPort?.on('message', (job: SolverJob) => {
  const solution = search(job);
  if (solution !== undefined) parentPort?.postMessage(solution);
});
