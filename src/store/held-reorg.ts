import type { Queryable } from './connection/database.js';
import { POPULATORS_STAGE } from './write/staged.js';

/** A reorg that waits until a second node or the administrator confirms it: the head key block of the branch, and the number of stored key blocks it would remove. */
export interface HeldReorg {
  hash: string;
  height: number;
  depth: number;
}

/** Records the held reorg; an earlier acceptance stays recorded. */
export async function holdReorg(db: Queryable, { hash, height, depth }: HeldReorg): Promise<void> {
  await db.query({
    name: 'held-reorg.hold',
    text: `
      INSERT INTO held_reorg (hash, height, depth) VALUES ($1, $2, $3)
      ON CONFLICT (one) DO UPDATE SET hash = EXCLUDED.hash, height = EXCLUDED.height, depth = EXCLUDED.depth`,
    values: [hash, height, depth],
  });
}

/** Records that no reorg is held. */
export async function releaseReorg(db: Queryable): Promise<void> {
  await db.query({ name: 'held-reorg.release', text: 'DELETE FROM held_reorg' });
}

/** Whether the administrator accepted a key block of the branch that is in the stage now. */
export async function isReorgAccepted(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: 'held-reorg.accepted',
    text: 'SELECT FROM held_reorg JOIN staged_blocks AS s ON s.hash = accepted WHERE s.owner = $1 AND s.target IS NOT NULL',
    values: [POPULATORS_STAGE.owner],
  });
  return rows.length > 0;
}

/** Accepts the held reorg, by the hash of any key block of its branch; false if the hash is none of them. */
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
