/** Oracle queries and channels of a window: where they begin and where they end. */
import type { Queryable } from '../connection/database.js';
import { compareRows, heightOfPosition } from './difference.js';
import type { Difference } from './difference.js';
import type { Read } from './read.js';
import { endsById } from './window-rows.js';
import type { EndsRow, Window } from './window-rows.js';

/** What begins and ends: the row of an id names its begin and its first end. */
export async function ends(
  db: Queryable,
  table: 'oracle_queries' | 'channels',
  window: Window,
  stored: readonly EndsRow[],
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
  for (const [id, row] of await endsById(db, table, missing)) known.set(id, row);
  const isInside = (position: string | null): boolean =>
    position !== null && BigInt(position) >= window.from << 33n && BigInt(position) < (window.to + 1n) << 33n;
  return [...new Set([...begun.keys(), ...ended.keys(), ...known.keys()])].flatMap((id) => {
    const row = known.get(id);
    const first = begun.get(id) ?? ended.get(id) ?? row?.begun ?? row?.ended;
    const place = { table, key: id, height: first == null ? null : heightOfPosition(first) };
    if (row === undefined) return compareRows(place, {}, undefined);
    const from = begun.get(id) ?? (isInside(row.begun) ? null : row.begun);
    const here = ended.get(id);
    // One that ended before this window does not end again.
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
