import { LRUCache } from 'lru-cache';
import { offlineContract } from '../compiler/offline.js';
import type { OfflineContract } from '../compiler/offline.js';
import type { Database } from '../store/connection/database.js';
import { reportOf } from '../store/facts/difference.js';
import type { ReportedDifference } from '../store/facts/difference.js';
import { tasksOf } from '../store/verify/tasks.js';
import type { VerifyTask } from '../store/verify/tasks.js';
import type { CallDecoder, HeightRange } from '../store/projections/projection.js';
import { inSnapshot } from '../store/verify/snapshot.js';

export type { ReportedDifference };

interface WindowJournal {
  isVerified: (window: HeightRange) => boolean;
  verified: (window: HeightRange, differences: readonly ReportedDifference[]) => void;
}

interface VerifyProjectionsOptions {
  database: Database;
  /** Inclusive ranges; the whole copy when absent. */
  heights?: readonly HeightRange[] | undefined;
  /** Also prove the facts by their hashes. Set it when no node is asked. */
  prove?: boolean | undefined;
  /** Whether blocks whose protocol version is not known are no difference; false when absent. */
  acceptUnknownProtocol?: boolean | undefined;
  /** Number of database connections that verify in parallel; 1 when absent. */
  jobs?: number | undefined;
  signal?: AbortSignal | undefined;
  onDifference: (difference: ReportedDifference) => void;
  /** Windows of heights that an earlier run has verified are skipped; those of this run are added. */
  windows?: WindowJournal | undefined;
  /** `done` and `total` count pieces of about the same cost. */
  onProgress?: ((done: number, total: number, transactions: number) => void) | undefined;
}

/** Max contracts whose parsed code is cached. */
const MAX_CONTRACTS = 200;

/** Decodes calls by the code of their contract, which is parsed once for many calls. */
export function callReader(): CallDecoder {
  const contracts = new LRUCache<string, { contract: OfflineContract | null }>({ max: MAX_CONTRACTS });
  const contractOf = (code: string): OfflineContract | null => {
    const known = contracts.get(code) ?? { contract: offlineContract(code) };
    contracts.set(code, known);
    return known.contract;
  };
  return {
    decodeCall: (code, callData) => contractOf(code)?.decodeCall(callData) ?? null,
    decodeResult: (code, name, value) => contractOf(code)?.decodeResult(name, value) ?? null,
  };
}

/**
 * Compares the rows of a snapshot of the copy with what follows from its facts. Asks no node and changes nothing. With `heights` only the
 * rows that follow from these heights alone are compared, not those that are ranked or summed up over the whole chain.
 */
export async function verifyProjections(options: VerifyProjectionsOptions): Promise<void> {
  const { database, heights, prove = false, jobs = 1, signal, windows, onDifference, onProgress } = options;
  const means = { calls: callReader(), prove, acceptUnknownProtocol: options.acceptUnknownProtocol ?? false };
  let pieces: Promise<VerifyTask[]> | undefined;
  let next = 0;
  let done = 0;
  let transactions = 0;
  let isOver = false;
  await inSnapshot(database, jobs, async (db) => {
    pieces ??= tasksOf(db, heights, means);
    const all = await pieces;
    try {
      while (next < all.length && !isOver) {
        signal?.throwIfAborted();
        const piece = all[next++]!;
        if (piece.window === undefined || windows?.isVerified(piece.window) !== true) {
          const differences = (await piece.verify(db)).map(reportOf);
          for (const difference of differences) onDifference(difference);
          if (piece.window !== undefined) windows?.verified(piece.window, differences);
        }
        transactions += piece.transactions;
        onProgress?.(++done, all.length, transactions);
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  });
}
