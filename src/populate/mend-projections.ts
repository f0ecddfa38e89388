/** Rows that no height gives, in short transactions of some rows each, so that the head is followed meanwhile. */
import type { Database, DbTransaction } from '../store/connection/database.js';
import { recordRewrite } from '../store/rewrites.js';
import type { Difference } from '../store/verify/difference.js';
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

/** Heights, days, and milestones of a transaction. */
const FEW = 10;

/**
 * What `differences` name is computed again; of those that no computation here is about nothing is changed. What is about heights that are
 * not stored is taken away.
 */
export async function mendProjections(
  options: Options,
  differences: readonly Difference[],
  unstored: readonly number[],
): Promise<void> {
  const keysOf = (...tables: string[]): string[] => [
    ...new Set(
      differences.flatMap(({ table, height, key }) => (height === null && tables.includes(table) ? [key] : [])),
    ),
  ];
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
  for (const heights of inParts(unstored)) await write((tx) => clearUnstored(tx, heights));
  for (const dates of inParts(keysOf('days'))) await write((tx) => mendDays(tx, dates));
  const lists = new Set(keysOf('entries').map((key) => key.split(' ')[0]!));
  for (const list of lists) await write((tx) => mendOrdinals(tx, list));

  const ranked = keysOf('ranks').map(rankOf);
  const [strays, members] = [ranked.filter(isOfKey), ranked.filter((place) => !isOfKey(place))];
  if (strays.length > 0) await write((tx) => mendStrayRanks(tx, strays, RANK_KINDS));
  if (members.length > 0) await write((tx) => mendRanks(tx, members.map(memberOf)));
  // After the members that they count.
  for (const keys of inParts(keysOf('milestones'))) await write((tx) => mendMilestones(tx, keys.map(rankOf)));
  const counted = [...new Set(keysOf('sampled_counts').map((key) => rankOf(key).ranking))];
  for (const rankings of inParts(counted)) await write((tx) => mendSampledCounts(tx, rankings));

  for (const table of ['oracle_queries', 'channels'] as const) {
    const ids = keysOf(table);
    if (ids.length > 0) await write((tx) => mendEmpty(tx, table, ids));
  }
  // Named by the height, or by type and height.
  const heights = keysOf('generations', 'generation_types').map((key) => Number(key.split(' ').at(-1)));
  if (heights.length > 0) await mendAllTotals(write, Math.min(...heights), Math.max(...heights));
}

/** From the first generation on, for what a total is added to may be wrong as well, up to where nothing changes any more. */
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

function* inParts<T>(keys: readonly T[]): Generator<T[]> {
  for (let from = 0; from < keys.length; from += FEW) yield keys.slice(from, from + FEW);
}

/** Of a key that names a ranking by its key or its id, and then the place of a member; its label alone may have spaces. */
function rankOf(text: string): Rank {
  const words = text.split(' ');
  const [ranking = '', key = ''] = words;
  return { ranking, key, label: words.slice(2, -1).join(' '), position: words.at(-1)! };
}

const isOfKey = ({ ranking }: Rank): boolean => /^-?\d+$/.test(ranking);

const memberOf = ({ ranking, ...place }: Rank): Member => ({ id: ranking, ...place });
