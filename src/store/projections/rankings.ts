/** Ranked lists, and the sampled counts by which their pages are found. Triggers write them, with the rows that they rank. */
import type { DbTransaction, Queryable } from '../connection/database.js';
import { MAX_ROWS, compareRows, comparison, fromRows } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { inChunks } from './projection.js';
import type { Projection, Write, WrongKeys } from './projection.js';

/** The expected members of each kind of ranking: the id of the ranking, and the key, label and position of the member. */
const MEMBERS: Record<number, string> = {
  1: `SELECT '' AS id, -created_at_height AS key, name AS label, position FROM names`,
  2: `SELECT '' AS id, -created_at_height AS key, name AS label, position FROM names WHERE active`,
  3: 'SELECT owner AS id, -expires_at AS key, name AS label, position FROM names',
  4: 'SELECT owner AS id, -expires_at AS key, name AS label, position FROM names WHERE active',
  5: `
    SELECT DISTINCT p.id, 0::bigint AS key, n.name AS label, n.position
    FROM names AS n CROSS JOIN LATERAL unnest(n.pointer_ids) AS p (id) WHERE n.active`,
  6: `SELECT '' AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM contracts WHERE NOT failed`,
  7: `
    SELECT contract_id AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM contract_calls WHERE state = 'done'`,
  8: `SELECT '' AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM oracles WHERE active`,
};

const RANK_KINDS: readonly number[] = Object.keys(MEMBERS).map(Number);

/** Verifies the members of all rankings of a kind against the tables of the members. */
async function verifyRanks(db: Queryable, kind: number): Promise<Difference[]> {
  const { rows } = await db.query({
    name: `verify.ranks-${kind}`,
    text: comparison({
      expected: MEMBERS[kind]!,
      stored: `
        SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = ${kind}`,
      key: ['id', 'key', 'label', 'position'],
      columns: [],
    }),
  });
  return fromRows('ranks', rows);
}

/** Reports members of rankings that do not exist or have an unknown kind. */
async function verifyStrayRanks(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query<Record<'ranking' | 'key' | 'label' | 'position', string>>({
    name: 'verify.stray-ranks',
    text: `
      SELECT r.ranking, r.key, r.label, r.position
      FROM ranks AS r LEFT JOIN rankings AS k ON k.key = r.ranking
      WHERE k.kind IS NULL OR NOT k.kind = ANY ($1::smallint[])
      LIMIT ${MAX_ROWS}`,
    values: [RANK_KINDS],
  });
  // The key of the ranking is a number: it has no id.
  return rows.flatMap(({ ranking, key, label, position }) =>
    compareRows({ table: 'ranks', key: [BigInt(ranking), key, label, position], height: null }, undefined, {}),
  );
}

/** Verifies the sampled counts of the middle level: the members from each sampled one up to the next. */
async function verifyMilestones(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.milestones',
    text: comparison({
      expected: countsBetween('position % 509 = 0'),
      stored: 'SELECT ranking, key, label, position, count FROM milestones',
      key: ['ranking', 'key', 'label', 'position'],
      columns: ['count'],
    }),
  });
  return fromRows('milestones', rows);
}

/** Verifies the lowest and the highest level. A ranking without a sampled member at a level has no rows there. */
async function verifySampledCounts(db: Queryable): Promise<Difference[]> {
  const level = (number: number, sampled: string): string =>
    `SELECT ${number}::smallint AS level, c.* FROM (${countsBetween(sampled)}) AS c WHERE c.any_sampled`;
  const { rows } = await db.query({
    name: 'verify.sampled-counts',
    text: comparison({
      expected: `${level(1, 'position % 509 % 32 = 0')} UNION ALL ${level(3, 'position % 15779 = 0')}`,
      stored: 'SELECT ranking, level, key, label, position, count::bigint AS count FROM sampled_counts',
      key: ['ranking', 'level', 'key', 'label', 'position'],
      columns: ['count'],
    }),
  });
  return fromRows('sampled_counts', rows);
}

/** SELECT of the number of members from each sampled one up to the next; those before the first one are counted at the smallest key. */
const countsBetween = (sampled: string): string => `
  SELECT ranking, COALESCE(max(key) FILTER (WHERE starts), -9223372036854775808) AS key,
    COALESCE(max(label) FILTER (WHERE starts), '') AS label,
    COALESCE(max(position) FILTER (WHERE starts), -1) AS position, count(*) AS count, bool_or(any_starts) AS any_sampled
  FROM (
    SELECT r.*, ${sampled} AS starts,
      count(*) FILTER (WHERE ${sampled}) OVER (
        PARTITION BY ranking ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
      ) AS bucket,
      bool_or(${sampled}) OVER (PARTITION BY ranking) AS any_starts
    FROM ranks AS r
  ) AS placed
  GROUP BY ranking, bucket`;

async function mend(write: Write, wrong: WrongKeys): Promise<void> {
  const ranked = wrong('ranks');
  // A ranking that does not exist has a key alone, which is a number; the others are named by their id.
  const strays = ranked.filter(([ranking]) => typeof ranking === 'bigint').map(rankOf);
  const members = ranked.filter(([id]) => typeof id === 'string').map(memberOf);
  if (strays.length > 0) await write((tx) => mendStrayRanks(tx, strays));
  if (members.length > 0) await write((tx) => mendRanks(tx, members));
  // Counts come after the members that they count.
  for (const keys of inChunks(wrong('milestones'))) await write((tx) => mendMilestones(tx, keys.map(rankOf)));
  const counted = [...new Set(wrong('sampled_counts').map(([ranking]) => ranking))];
  for (const rankings of inChunks(counted)) await write((tx) => mendSampledCounts(tx, rankings));
}

function rankOf(columns: Key): Rank {
  const [ranking = '', key = '', label = '', position = ''] = columns.map(String);
  return { ranking, key, label, position };
}

function memberOf(columns: Key): Member {
  const { ranking: id, ...rank } = rankOf(columns);
  return { id, ...rank };
}

/** A member of ranked lists. Several lists may have the same id, and so the same member. */
interface Member {
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
async function mendRanks(tx: DbTransaction, members: readonly Member[]): Promise<void> {
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
interface Rank extends Omit<Member, 'id'> {
  ranking: string;
}

const rankColumns = (ranks: readonly Rank[]): string[][] => [
  ranks.map(({ ranking }) => ranking),
  ranks.map(({ key }) => key),
  ranks.map(({ label }) => label),
  ranks.map(({ position }) => position),
];

/** Deletes members of rankings that do not exist, or that have an unknown kind. */
async function mendStrayRanks(tx: DbTransaction, ranks: readonly Rank[]): Promise<void> {
  await tx.query({
    name: 'ranks.mend-stray',
    text: `
      DELETE FROM ranks AS r USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
      WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
        AND NOT EXISTS (SELECT FROM rankings AS k WHERE k.key = r.ranking AND k.kind = ANY ($5::smallint[]))`,
    values: [...rankColumns(ranks), RANK_KINDS],
  });
}

/** Mends sampled counts of the middle level: deletes those of no sampled member; the others count the members up to the next one. */
async function mendMilestones(tx: DbTransaction, ranks: readonly Rank[]): Promise<void> {
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
async function mendSampledCounts(tx: DbTransaction, rankings: readonly unknown[]): Promise<void> {
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

export const rankings: Projection = {
  name: 'rankings',
  written:
    'with the rows that they rank or count, by triggers of `names`, `oracles`, `contracts`, `contract_calls` and `ranks`',
  tables: [
    { name: 'rankings' },
    {
      name: 'ranks',
      rows: `
        SELECT k.kind, k.id, r.key, r.label, r.position FROM ranks r JOIN rankings k ON k.key = r.ranking ORDER BY 1, 2, 3, 4, 5`,
    },
    {
      name: 'milestones',
      rows: `
        SELECT k.kind, k.id, m.key, m.label, m.position, m.count
        FROM milestones m JOIN rankings k ON k.key = m.ranking ORDER BY 1, 2, 3, 4, 5`,
    },
    {
      name: 'sampled_counts',
      rows: `
        SELECT k.kind, k.id, s.level, s.key, s.label, s.position, s.count
        FROM sampled_counts s JOIN rankings k ON k.key = s.ranking ORDER BY 1, 2, 3, 4, 5, 6`,
    },
  ],
  wholeChecks: [
    ...RANK_KINDS.map((kind) => (on: Queryable) => verifyRanks(on, kind)),
    verifyStrayRanks,
    verifyMilestones,
    verifySampledCounts,
  ],
  mend,
};
