import { readBackfill } from '../../store/backfills.js';
import type { Queryable } from '../../store/connection/database.js';
import { notAvailable } from './errors.js';

/** Throws while a copy of an earlier version is being completed: part of what there is would be a wrong number. */
export async function requireFilled(db: Queryable, projections: readonly string[]): Promise<void> {
  for (const projection of projections) if ((await readBackfill(db, projection)) !== undefined) throw notAvailable();
}
