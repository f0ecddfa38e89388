import type { Queryable } from './connection/database.js';
import { POPULATORS_STAGE } from './write/staged.js';

/** A branch that waits for somebody to vouch for it: its head key block, and how many stored ones it would take back. */
export interface HeldReorg {
  hash: string;
  height: number;
  depth: number;
}

/** Notes what is held back; what was accepted before stays noted. */
export async function holdReorg(db: Queryable, { hash, height, depth }: HeldReorg): Promise<void> {
  await db.query({
    name: 'held-reorg.hold',
    text: `
      INSERT INTO held_reorg (hash, height, depth) VALUES ($1, $2, $3)
      ON CONFLICT (one) DO UPDATE SET hash = EXCLUDED.hash, height = EXCLUDED.height, depth = EXCLUDED.depth`,
    values: [hash, height, depth],
  });
}

/** Nothing is held back any more. */
export async function releaseReorg(db: Queryable): Promise<void> {
  await db.query({ name: 'held-reorg.release', text: 'DELETE FROM held_reorg' });
}

/** Whether the administrator accepted a key block that is in the branch as it is staged now. */
export async function isReorgAccepted(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: 'held-reorg.accepted',
    text: 'SELECT FROM held_reorg JOIN staged_blocks AS s ON s.hash = accepted WHERE s.owner = $1 AND s.target IS NOT NULL',
    values: [POPULATORS_STAGE.owner],
  });
  return rows.length > 0;
}

/** Accepts the branch that is held back, by the hash of its head or of any other of its key blocks; false if that is none. */
export async function acceptReorg(db: Queryable, hash: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'held-reorg.accept',
    text: `
      UPDATE held_reorg SET accepted = $1
      WHERE hash = $1 OR EXISTS (SELECT FROM staged_blocks WHERE owner = $2 AND hash = $1 AND target IS NOT NULL)`,
    values: [hash, POPULATORS_STAGE.owner],
  });
  return rowCount > 0;
}
