/** How far a copy is loaded and proven, read from a copy of any version. */
import { workAbove } from '../chain-state.js';
import type { Queryable } from '../connection/database.js';

export interface Proof {
  /** Whether its first load is complete. */
  live: boolean;
  /** Height of its newest key block; -1 if it has none. */
  height: number;
  /** -1 while nothing is proven. */
  provenHeight: number;
  /** Work of its key blocks up to the proven height. */
  work: bigint;
}

export const NO_PROOF: Proof = { live: false, height: -1, provenHeight: -1, work: 0n };

/** Reads the proof of the copy in the current schema. A copy of a version that did not store a proven height has none. */
export async function readProof(db: Queryable): Promise<Proof> {
  const { rows } = await db.query<{ live: boolean; height: string; proven: string }>({
    name: 'proof.read',
    text: `
      SELECT c.live,
        COALESCE((SELECT max(height) FROM key_blocks), -1) AS height,
        COALESCE((to_jsonb(c) ->> 'proven_height')::bigint, -1) AS proven
      FROM chain AS c`,
  });
  const row = rows[0];
  if (row === undefined) return NO_PROOF;
  const provenHeight = Number(row.proven);
  return {
    live: row.live,
    height: Number(row.height),
    provenHeight,
    work: await workAbove(db, -1, provenHeight),
  };
}
