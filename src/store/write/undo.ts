import type { DbTransaction } from '../connection/database.js';
import type { Afterwards, Projection, Removed } from '../projections/projection.js';

/** Takes back what removed blocks wrote to projections. Call the result when the facts and list entries of the blocks are removed. */
export async function undoAll(
  tx: DbTransaction,
  projections: readonly Projection[],
  removed: Removed,
): Promise<() => Promise<void>> {
  const steps: Afterwards[] = [];
  for (const { writes } of projections) steps.push(await writes?.undo(tx, removed));
  return () => runAll(steps);
}

/** Runs the second steps of a change, in order. */
export async function runAll(steps: readonly Afterwards[]): Promise<void> {
  for (const step of steps) await step?.();
}
