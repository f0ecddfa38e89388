/** Verifies the begin and the end of the oracle queries and channels of a window. */
import type { Queryable } from '../connection/database.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import type { Read } from '../facts/read.js';
import { lifetimesById } from '../facts/window.js';
import type { LifetimeRow, Window } from '../facts/window.js';

/** Compares the rows of a table: the row of an id must have the positions of its begin and of its first end. */
export async function lifetimes(
  db: Queryable,
  table: 'oracle_queries' | 'channels',
  window: Window,
  stored: readonly LifetimeRow[],
  transactions: readonly Read[],
): Promise<Difference[]> {
  const on = table === 'channels' ? 'channel' : 'query';
  const end = table === 'channels' ? 'closed_position' : 'response_position';
  const begun = new Map<string, string>();
  const ended = new Map<string, string>();
  for (const { row, found } of transactions) {
    const effect = found?.effect;
    if (effect?.on !== on) continue;
    if (effect.does === 'begin') begun.set(effect.id, row.position);
    else if (!ended.has(effect.id)) ended.set(effect.id, row.position);
  }
  const known = new Map(stored.map((row) => [row.id, row]));
  const missing = [...begun.keys(), ...ended.keys()].filter((id) => !known.has(id));
  for (const [id, row] of await lifetimesById(db, table, missing)) known.set(id, row);
  const isInside = (position: string | null): boolean =>
    position !== null && BigInt(position) >= window.from << 33n && BigInt(position) < (window.to + 1n) << 33n;
  return [...new Set([...begun.keys(), ...ended.keys(), ...known.keys()])].flatMap((id) => {
    const row = known.get(id);
    const first = begun.get(id) ?? ended.get(id) ?? row?.begun ?? row?.ended;
    const place = { table, key: [id], height: first == null ? null : heightOfPosition(first) };
    if (row === undefined) return compareRows(place, {}, undefined);
    const from = begun.get(id) ?? (isInside(row.begun) ? null : row.begun);
    const here = ended.get(id);
    // If it ended before this window, an end in this window does not count.
    const isLater = here !== undefined && row.ended !== null && BigInt(row.ended) < window.from << 33n;
    const to = isLater ? row.ended : (here ?? (isInside(row.ended) ? null : row.ended));
    const heightOf = (position: string | null): number | null =>
      position === null ? null : heightOfPosition(position);
    return [
      ...compareRows({ ...place, height: heightOf(from ?? row.begun) }, { position: from }, { position: row.begun }),
      ...compareRows({ ...place, height: heightOf(to ?? row.ended) }, { [end]: to }, { [end]: row.ended }),
    ];
  });
}
