/** How far the stored chain was announced: blocks above a hole are announced when it is filled, in the order of the chain. */
import { kindList } from './event-kinds.js';
import { COMMIT_NUMBER } from './connection/commit-number.js';
import type { Queryable } from './connection/database.js';

/** Kinds of events, as elements of an SQL list, whose hash is that of the head after them. */
export const WITH_HEAD = kindList(
  ({ subject, announced }) => announced && (subject === 'block' || subject === 'rollback'),
);

const OF_ROLLBACKS = kindList(({ subject, announced }) => announced && subject === 'rollback');

/** Positions of a block and its transactions. */
const WHOLE_BLOCK = 65_536;

/** SQL: the row of the last announced head. Positions below `"end"` were announced. */
export const LAST_ANNOUNCED = `
  SELECT CASE WHEN kind IN (${OF_ROLLBACKS}) THEN position ELSE position + ${WHOLE_BLOCK} END AS "end", hash
  FROM events WHERE kind IN (${WITH_HEAD}) ORDER BY seq DESC LIMIT 1`;

/** What somebody knows who has received every event. */
export interface Announced {
  /** Positions below it. */
  end: bigint;
  /** Hash of the last block; null before the first. */
  hash: string | null;
}

/** Whether the head is followed: the first load and re-loads are not announced. */
export async function isLive(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ live: boolean }>({ name: 'events.live', text: 'SELECT live FROM chain' });
  return rows[0]?.live === true;
}

/** Undefined while the head is not followed. */
export async function readAnnounced(tx: Queryable): Promise<Announced | undefined> {
  const { rows } = await tx.query<AnnouncedRow>({
    name: 'events.announced',
    text: `
      SELECT a."end", NULLIF(a.hash, '') AS hash
      FROM chain AS c
      LEFT JOIN LATERAL (${LAST_ANNOUNCED}) AS a ON true
      WHERE c.live`,
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  return asAnnounced(row.end === null ? await belowHoles(tx) : row);
}

interface AnnouncedRow {
  end: string | null;
  hash: string | null;
}

const asAnnounced = (row: AnnouncedRow | undefined): Announced => ({
  end: BigInt(row?.end ?? 0),
  hash: row?.hash ?? null,
});

/** What is known where the log has nothing yet: no copy has holes when its head begins to be followed. */
async function belowHoles(tx: Queryable): Promise<AnnouncedRow | undefined> {
  const { rows } = await tx.query<AnnouncedRow>({
    name: 'events.below-holes',
    text: `
      WITH top AS (
        SELECT MAX(height) AS height
        FROM (SELECT height, row_number() OVER (ORDER BY height) - 1 AS number FROM key_blocks) AS k WHERE height = number
      )
      SELECT position + ${WHOLE_BLOCK} AS "end", hash, ${COMMIT_NUMBER}
      FROM top CROSS JOIN LATERAL (
        SELECT k.height << 33 AS position, hash FROM key_blocks AS k WHERE k.height = top.height
        UNION ALL
        SELECT position, hash FROM micro_blocks WHERE position >= top.height << 33 AND position < (top.height + 1) << 33
      ) AS b ORDER BY position DESC LIMIT 1`,
  });
  return rows[0];
}

/** Positions below it are those of the blocks below the first gap: where the log is empty, it will announce what is above. */
export const endBelowGaps = async (db: Queryable): Promise<bigint> => asAnnounced(await belowHoles(db)).end;

/** Whether a block is the next one to announce. */
export const isNext = (announced: Announced, block: { position: bigint; prevHash: string }): boolean =>
  announced.hash === null ? block.position === 0n : block.prevHash === announced.hash;

export const announcedWith = ({ position, hash }: { position: bigint; hash: string }): Announced => ({
  end: position + BigInt(WHOLE_BLOCK),
  hash,
});
