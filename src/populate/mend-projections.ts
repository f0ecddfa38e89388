/** Computes projections again, in short database transactions of few rows each, so that the head can be followed meanwhile. */
import type { Database, DbTransaction } from '../store/connection/database.js';
import { numberAndWake } from '../store/connection/commit-number.js';
import type { Difference } from '../store/facts/difference.js';
import { PROJECTIONS } from '../store/projections/list.js';
import { inChunks } from '../store/projections/projection.js';
import type { Write, WrongKeys } from '../store/projections/projection.js';
import { beginMending } from '../store/write/mend.js';
import { clearUnstored } from '../store/write/unstored.js';

interface Options {
  database: Database;
  fence: (tx: DbTransaction) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Computes the rows again that `differences` name and that no single height decides; other differences are ignored. Deletes rows about the
 * heights `unstored`, which are not stored.
 */
export async function mendProjections(
  options: Options,
  differences: readonly Difference[],
  unstored: readonly number[],
): Promise<void> {
  const wrong: WrongKeys = (name) => {
    const found = differences.filter(({ table, height }) => height === null && table === name);
    return [...new Map(found.map(({ key }) => [key.join(' '), key])).values()];
  };
  const write: Write = async (work) => {
    options.signal.throwIfAborted();
    return options.database.transaction(async (tx) => {
      await beginMending(tx);
      await options.fence(tx);
      const result = await work(tx);
      await numberAndWake(tx);
      return result;
    });
  };
  for (const heights of inChunks(unstored)) await write((tx) => clearUnstored(tx, heights));
  for (const projection of PROJECTIONS) await projection.mend?.(write, wrong);
}
