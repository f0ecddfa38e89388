/**
 * Mends rows of projections that the verification reports and that reloading a height does not mend. Each is computed again from the rows
 * that it is derived from, as they are while the caller has the right to write. Correct rows are not changed.
 */
import type { DbTransaction } from '../connection/database.js';
import { reviseLists } from '../lists.js';
import { BY_INDEX } from './plans.js';
import { rebuildDays } from './sums.js';

export const beginMending = (tx: DbTransaction): Promise<void> =>
  tx.run(`SET LOCAL statement_timeout = 0; ${BY_INDEX}`);

/** Mends the spends of days; `dates` are `YYYY-MM-DD`. */
export async function mendDays(tx: DbTransaction, dates: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ day: number }>({
    name: 'days.numbers',
    text: `SELECT d.date - date '1970-01-01' AS day FROM unnest($1::date[]) AS d (date)`,
    values: [dates],
  });
  await rebuildDays(
    tx,
    rows.map(({ day }) => day),
  );
}

/** Renumbers the entries of a list in the order of their positions, and deletes entries that are there twice. */
export async function mendOrdinals(tx: DbTransaction, list: string): Promise<void> {
  await reviseLists(tx);
  await tx.query({
    name: 'entries.mend-doubles',
    text: `
      DELETE FROM entries AS e
      USING (SELECT ordinal, row_number() OVER (PARTITION BY position ORDER BY ordinal) AS copy FROM entries WHERE list = $1) AS d
      WHERE e.list = $1 AND e.ordinal = d.ordinal AND d.copy > 1`,
    values: [list],
  });
  await tx.query({
    name: 'entries.mend-numbers',
    text: `
      WITH numbered AS (
        SELECT ordinal, type_ordinal, row_number() OVER (ORDER BY position) AS number,
          row_number() OVER (PARTITION BY type ORDER BY position) AS type_number
        FROM entries WHERE list = $1
      ), wrong AS (
        DELETE FROM entries AS e
        USING (SELECT * FROM numbered WHERE ordinal <> number OR type_ordinal <> type_number OFFSET 0) AS n
        WHERE e.list = $1 AND e.ordinal = n.ordinal
        RETURNING e.position, e.type, n.number, n.type_number
      )
      INSERT INTO entries (list, position, ordinal, type_ordinal, type)
      SELECT $1, position, number, type_number, type FROM wrong`,
    values: [list],
  });
}

/** A member of ranked lists. Several lists may have the same id, and so the same member. */
export interface Member {
  /** Id of the list. */
  id: string;
  key: string;
  label: string;
  position: string;
}

/** SELECT of the members that follow from the rows at position `p.position`. */
const RANKED = `
  SELECT r.kind, r.id, r.key, r.label, r.position FROM names AS n CROSS JOIN LATERAL ranks_of_name(
    n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
  ) AS r
  WHERE n.position = p.position
  UNION ALL SELECT 6, '', 0, '', c.position FROM contracts AS c WHERE c.position = p.position AND NOT c.failed
  UNION ALL
  SELECT 7, c.contract_id, 0, '', c.position FROM contract_calls AS c WHERE c.position = p.position AND c.state = 'done'
  UNION ALL SELECT 8, '', 0, '', o.position FROM oracles AS o WHERE o.position = p.position AND o.active`;

/**
 * Mends members of ranked lists: inserts all that follow from the rows at these positions, and deletes those of `members` that follow
 * from no row. It does not mend the counts in `milestones`.
 */
export async function mendRanks(tx: DbTransaction, members: readonly Member[]): Promise<void> {
  const positions = [...new Set(members.map(({ position }) => position))];
  await tx.query({
    name: 'rankings.mend',
    text: `
      INSERT INTO rankings (kind, id)
      SELECT DISTINCT r.kind, r.id FROM unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (${RANKED}) AS r
      ON CONFLICT (kind, id) DO NOTHING`,
    values: [positions],
  });
  await tx.query({
    name: 'ranks.mend-delete',
    text: `
      DELETE FROM ranks AS r
      USING unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) AS p (id, key, label, position), rankings AS k
      WHERE k.id = p.id AND r.ranking = k.key AND r.key = p.key AND r.label = p.label AND r.position = p.position
        AND NOT EXISTS (
          SELECT FROM (${RANKED}) AS w WHERE w.kind = k.kind AND w.id = k.id AND w.key = r.key AND w.label = r.label
        )`,
    values: [
      members.map(({ id }) => id),
      members.map(({ key }) => key),
      members.map(({ label }) => label),
      members.map(({ position }) => position),
    ],
  });
  // A trigger counts each member that is inserted, and fails if the count of a sampled member exists already.
  await tx.query({
    name: 'sampled_counts.mend-delete-orphans',
    text: `
      DELETE FROM sampled_counts AS s
      USING unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (${RANKED}) AS r
      JOIN rankings AS k ON k.kind = r.kind AND k.id = r.id
      WHERE s.ranking = k.key AND s.key = r.key AND s.label = r.label AND s.position = r.position
        AND NOT EXISTS (
          SELECT FROM ranks AS t
          WHERE t.ranking = s.ranking AND t.key = s.key AND t.label = s.label AND t.position = s.position
        )`,
    values: [positions],
  });
  await tx.query({
    name: 'ranks.mend-insert',
    text: `
      INSERT INTO ranks (ranking, key, label, position)
      SELECT k.key, r.key, r.label, r.position
      FROM unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (${RANKED}) AS r
      JOIN rankings AS k ON k.kind = r.kind AND k.id = r.id
      ON CONFLICT (ranking, key, label, position) DO NOTHING`,
    values: [positions],
  });
}

/** A row of `ranks` or `milestones`, with the key of its ranking. */
export interface Rank extends Omit<Member, 'id'> {
  ranking: string;
}

const rankColumns = (ranks: readonly Rank[]): string[][] => [
  ranks.map(({ ranking }) => ranking),
  ranks.map(({ key }) => key),
  ranks.map(({ label }) => label),
  ranks.map(({ position }) => position),
];

/** Deletes members of rankings that do not exist, or whose kind is not one of `kinds`. */
export async function mendStrayRanks(
  tx: DbTransaction,
  ranks: readonly Rank[],
  kinds: readonly number[],
): Promise<void> {
  await tx.query({
    name: 'ranks.mend-stray',
    text: `
      DELETE FROM ranks AS r USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
      WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
        AND NOT EXISTS (SELECT FROM rankings AS k WHERE k.key = r.ranking AND k.kind = ANY ($5::smallint[]))`,
    values: [...rankColumns(ranks), kinds],
  });
}

/** Mends sampled counts of the middle level: deletes those of no sampled member; the others count the members up to the next one. */
export async function mendMilestones(tx: DbTransaction, ranks: readonly Rank[]): Promise<void> {
  // The next sampled member is found in `ranks`, because its row in `milestones` may be missing as well.
  const counted = `
    SELECT p.*, (
      SELECT count(*) FROM ranks AS r
      WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) >= (p.key, p.label, p.position)
        AND (r.key, r.label, r.position) < (COALESCE(n.key, 9223372036854775807), COALESCE(n.label, ''), COALESCE(n.position, 0))
    ) AS count
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
    LEFT JOIN LATERAL (
      SELECT r.key, r.label, r.position FROM ranks AS r
      WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) > (p.key, p.label COLLATE "C", p.position) AND r.position % 509 = 0
      ORDER BY r.key, r.label, r.position
      LIMIT 1
    ) AS n ON true
    WHERE (p.key = -9223372036854775808 AND p.label = '' AND p.position = -1) OR (p.position % 509 = 0 AND EXISTS (
      SELECT FROM ranks AS r WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
    ))`;
  await tx.query({
    name: 'milestones.mend-delete',
    text: `
      DELETE FROM milestones AS m USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS g (ranking, key, label, position)
      WHERE m.ranking = g.ranking AND m.key = g.key AND m.label = g.label AND m.position = g.position AND NOT EXISTS (
        SELECT FROM (${counted}) AS c
        WHERE c.ranking = m.ranking AND c.key = m.key AND c.label = m.label AND c.position = m.position AND c.count > 0
      )`,
    values: rankColumns(ranks),
  });
  await tx.query({
    name: 'milestones.mend-count',
    text: `
      INSERT INTO milestones AS m (ranking, key, label, position, count)
      SELECT c.ranking, c.key, c.label, c.position, c.count FROM (${counted}) AS c WHERE c.count > 0
      ON CONFLICT (ranking, key, label, position) DO UPDATE SET count = EXCLUDED.count`,
    values: rankColumns(ranks),
  });
}

/** Mends all sampled counts of the lowest and highest level of some rankings. */
export async function mendSampledCounts(tx: DbTransaction, rankings: readonly string[]): Promise<void> {
  await tx.query({
    name: 'sampled_counts.mend-delete',
    text: 'DELETE FROM sampled_counts WHERE ranking = ANY ($1::bigint[])',
    values: [rankings],
  });
  await tx.query({
    name: 'sampled_counts.mend',
    text: `
      INSERT INTO sampled_counts (ranking, level, key, label, position, count)
      SELECT ranking, level, COALESCE(max(key) FILTER (WHERE sampled), -9223372036854775808),
        COALESCE(max(label) FILTER (WHERE sampled), ''), COALESCE(max(position) FILTER (WHERE sampled), -1), count(*)
      FROM (
        SELECT *, count(*) FILTER (WHERE sampled) OVER (
            PARTITION BY ranking, level ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
          ) AS bucket,
          bool_or(sampled) OVER (PARTITION BY ranking, level) AS any_sampled
        FROM (
          SELECT r.ranking, l.level, r.key, r.label, r.position, is_sampled(l.level, r.position) AS sampled
          FROM ranks AS r CROSS JOIN (VALUES (1::smallint), (3::smallint)) AS l (level)
          WHERE r.ranking = ANY ($1::bigint[])
        ) AS members
      ) AS placed
      WHERE any_sampled
      GROUP BY ranking, level, bucket`,
    values: [rankings],
  });
}

/** Deletes those of the hashes of the partitioned layout that no transaction has at their position. */
export async function mendStrayHashes(tx: DbTransaction, hashes: readonly string[]): Promise<void> {
  await tx.query({
    name: 'transaction_hashes.mend-stray',
    text: `
      DELETE FROM transaction_hashes AS h WHERE h.hash = ANY ($1::text[])
        AND (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash`,
    values: [hashes],
  });
}

/** Deletes rows of queries and channels that refer to no transaction. */
export async function mendEmpty(
  tx: DbTransaction,
  table: 'oracle_queries' | 'channels',
  ids: readonly string[],
): Promise<void> {
  const end = table === 'channels' ? 'closed_position' : 'response_position';
  await tx.query({
    name: `${table}.mend-empty`,
    text: `DELETE FROM ${table} WHERE id = ANY ($1::text[]) AND position IS NULL AND ${end} IS NULL`,
    values: [ids],
  });
}

/** Generations whose totals are summed up at a time. */
const BATCH = 5_000;

/**
 * Sums up again the totals of the next generations above a height, starting from the totals at that height. Returns the height of the
 * last of these generations and whether a total was wrong; null if there are no generations above.
 */
export async function mendTotals(
  tx: DbTransaction,
  above: number,
): Promise<{ last: number; wasWrong: boolean } | null> {
  const { rows } = await tx.query<{ last: string | null; wrong: string }>({
    name: 'generations.mend-totals',
    text: `
      WITH batch AS (
        SELECT g.height, g.tx_count, g.size, (SELECT k.time FROM key_blocks AS k WHERE k.height = g.height) AS time
        FROM generations AS g WHERE g.height > $1 ORDER BY g.height LIMIT ${BATCH}
      ), wrong AS (
        UPDATE generations AS g SET tx_total = s.tx_total, size_total = s.size_total, max_time = s.max_time
        FROM (
          SELECT p.height, COALESCE(b.tx_total, 0) + sum(p.tx_count) OVER below AS tx_total,
            COALESCE(b.size_total, 0) + sum(p.size) OVER below AS size_total,
            GREATEST(COALESCE(b.max_time, 0), max(p.time) OVER below) AS max_time
          FROM batch AS p
          LEFT JOIN (
            SELECT tx_total, size_total, max_time FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1
          ) AS b ON true
          WINDOW below AS (ORDER BY p.height)
        ) AS s
        WHERE g.height = s.height
          AND (g.tx_total, g.size_total, g.max_time) IS DISTINCT FROM (s.tx_total, s.size_total, s.max_time)
        RETURNING g.height
      )
      SELECT (SELECT max(height) FROM batch) AS last, (SELECT count(*) FROM wrong) AS wrong`,
    values: [above],
  });
  const { last, wrong } = rows[0]!;
  if (last === null) return null;
  const { rowCount } = await tx.query({
    name: 'generation_types.mend-totals',
    text: `
      UPDATE generation_types AS g SET total = s.total
      FROM (
        SELECT p.type, p.height, COALESCE(b.total, 0) + sum(p.count) OVER (PARTITION BY p.type ORDER BY p.height) AS total
        FROM types AS t
        CROSS JOIN LATERAL (
          SELECT g.type, g.height, g.count FROM generation_types AS g
          WHERE g.type = t.code AND g.height > $1 AND g.height <= $2 OFFSET 0
        ) AS p
        LEFT JOIN LATERAL (
          SELECT g.total FROM generation_types AS g WHERE g.type = t.code AND g.height <= $1 ORDER BY g.height DESC LIMIT 1
        ) AS b ON true
      ) AS s
      WHERE g.type = s.type AND g.height = s.height AND g.total <> s.total`,
    values: [above, last],
  });
  return { last: Number(last), wasWrong: Number(wrong) > 0 || rowCount > 0 };
}
