/** Computes projections again, in short database transactions of few rows each, so that the head can be followed meanwhile. */
import type { Database, DbTransaction } from '../store/connection/database.js';
import { recordRewrite } from '../store/rewrites.js';
import type { Difference, Key } from '../store/facts/difference.js';
import { RANK_KINDS } from '../store/verify/tables.js';
import { numberAndWake } from '../store/connection/commit-number.js';
import {
  beginMending,
  mendDays,
  mendEmpty,
  mendMilestones,
  mendOrdinals,
  mendRanks,
  mendSampledCounts,
  mendStrayHashes,
  mendStrayRanks,
  mendTotals,
} from '../store/write/mend.js';
import type { Member, Rank } from '../store/write/mend.js';
import { clearUnstored } from '../store/write/unstored.js';

interface Options {
  database: Database;
  fence: (tx: DbTransaction) => Promise<void>;
  signal: AbortSignal;
}

/** Max heights, days or counts in one database transaction. */
const MAX_KEYS = 10;

/**
 * Computes the rows again that `differences` name and that no single height decides; other differences are ignored. Deletes rows about the
 * heights `unstored`, which are not stored.
 */
export async function mendProjections(
  options: Options,
  differences: readonly Difference[],
  unstored: readonly number[],
): Promise<void> {
  const keysOf = (...tables: string[]): Key[] => {
    const found = differences.filter(({ table, height }) => height === null && tables.includes(table));
    return [...new Map(found.map(({ key }) => [key.join(' '), key])).values()];
  };
  const write = async <T>(work: (tx: DbTransaction) => Promise<T>): Promise<T> => {
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
  for (const dates of inChunks(keysOf('days').map(([date]) => String(date)))) await write((tx) => mendDays(tx, dates));
  const lists = new Set(keysOf('entries').map(([list]) => String(list)));
  for (const list of lists) await write((tx) => mendOrdinals(tx, list));

  const ranked = keysOf('ranks');
  // A ranking that does not exist has a key alone, which is a number; the others are named by their id.
  const strays = ranked.filter(([ranking]) => typeof ranking === 'bigint').map(rankOf);
  const members = ranked.filter(([id]) => typeof id === 'string').map(memberOf);
  if (strays.length > 0) await write((tx) => mendStrayRanks(tx, strays, RANK_KINDS));
  if (members.length > 0) await write((tx) => mendRanks(tx, members));
  // Counts come after the members that they count.
  for (const keys of inChunks(keysOf('milestones'))) await write((tx) => mendMilestones(tx, keys.map(rankOf)));
  const counted = [...new Set(keysOf('sampled_counts').map(([ranking]) => String(ranking)))];
  for (const rankings of inChunks(counted)) await write((tx) => mendSampledCounts(tx, rankings));

  const hashes = keysOf('transaction_hashes').map(([hash]) => String(hash));
  if (hashes.length > 0) await write((tx) => mendStrayHashes(tx, hashes));
  for (const table of ['oracle_queries', 'channels'] as const) {
    const ids = keysOf(table).map(([id]) => String(id));
    if (ids.length > 0) await write((tx) => mendEmpty(tx, table, ids));
  }
  // A key is a height, or a type and a height.
  const heights = keysOf('generations', 'generation_types').map((key) => Number(key.at(-1)));
  if (heights.length > 0) await mendAllTotals(write, Math.min(...heights), Math.max(...heights));
}

/** Mends totals from the first generation on, because each total builds on the one before, up to where nothing changes any more. */
async function mendAllTotals(
  write: <T>(work: (tx: DbTransaction) => Promise<T>) => Promise<T>,
  lowest: number,
  highest: number,
): Promise<void> {
  for (let above = -1; ;) {
    const from = above;
    const done = await write(async (tx) => {
      const mended = await mendTotals(tx, from);
      if (mended?.wasWrong === true) await recordRewrite(tx, Math.min(lowest, from + 1));
      return mended;
    });
    if (done === null || (done.last >= highest && !done.wasWrong)) return;
    above = done.last;
  }
}

function* inChunks<T>(keys: readonly T[]): Generator<T[]> {
  for (let from = 0; from < keys.length; from += MAX_KEYS) yield keys.slice(from, from + MAX_KEYS);
}

function rankOf(columns: Key): Rank {
  const [ranking = '', key = '', label = '', position = ''] = columns.map(String);
  return { ranking, key, label, position };
}

function memberOf(columns: Key): Member {
  const { ranking: id, ...rank } = rankOf(columns);
  return { id, ...rank };
}
