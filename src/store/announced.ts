/** How far the stored chain was announced, in the order of the chain: blocks above a gap are announced when it is filled. */
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

/** SELECT of the last announced head. Positions below `"end"` were announced. */
export const LAST_ANNOUNCED = `
  SELECT CASE WHEN kind IN (${OF_ROLLBACKS}) THEN position ELSE position + ${WHOLE_BLOCK} END AS "end", hash
  FROM events WHERE kind IN (${WITH_HEAD}) ORDER BY seq DESC LIMIT 1`;

/** The part of the chain that a client knows which received all events. */
export interface Announced {
  /** The positions below it are announced. */
  end: bigint;
  /** Hash of the last block; null before the first. */
  hash: string | null;
}

/** Whether the head is followed. The first load and reloads are not announced. */
export async function isLive(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ live: boolean }>({ name: 'events.live', text: 'SELECT live FROM chain' });
  return rows[0]?.live === true;
}

/** How far the chain was announced; undefined while the head is not followed. */
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
  return asAnnounced(row.end === null ? await lastBelowGaps(tx) : row);
}

interface AnnouncedRow {
  end: string | null;
  hash: string | null;
}

const asAnnounced = (row: AnnouncedRow | undefined): Announced => ({
  end: BigInt(row?.end ?? 0),
  hash: row?.hash ?? null,
});

/** The last block below the first gap. It is the announced head while the log is empty: a copy has no gaps when following begins. */
async function lastBelowGaps(tx: Queryable): Promise<AnnouncedRow | undefined> {
  const { rows } = await tx.query<AnnouncedRow>({
    name: 'events.below-gaps',
    text: `
      WITH last AS (
        SELECT MAX(height) AS height
        FROM (SELECT height, row_number() OVER (ORDER BY height) - 1 AS number FROM key_blocks) AS k WHERE height = number
      )
      SELECT position + ${WHOLE_BLOCK} AS "end", hash, ${COMMIT_NUMBER}
      FROM last CROSS JOIN LATERAL (
        SELECT k.height << 33 AS position, hash FROM key_blocks AS k WHERE k.height = last.height
        UNION ALL
        SELECT position, hash FROM micro_blocks WHERE position >= last.height << 33 AND position < (last.height + 1) << 33
      ) AS b ORDER BY position DESC LIMIT 1`,
  });
  return rows[0];
}

/** The end of the positions below the first gap. While the log is empty, it will announce the blocks from there on. */
export const endBelowGaps = async (db: Queryable): Promise<bigint> => asAnnounced(await lastBelowGaps(db)).end;

/** Whether a block is the next one to announce. */
export const isNext = (announced: Announced, block: { position: bigint; prevHash: string }): boolean =>
  announced.hash === null ? block.position === 0n : block.prevHash === announced.hash;

/** How far the chain is announced once this block is announced. */
export const announcedWith = ({ position, hash }: { position: bigint; hash: string }): Announced => ({
  end: position + BigInt(WHOLE_BLOCK),
  hash,
});
