/** Verifies projections of other tables: the database computes each again in one statement. The reload of a height does not mend them. */
import { KNOWN } from '../../chain/networks.js';
import { NEWEST_VERSION } from '../../chain/serialize/headers.js';
import type { Queryable } from '../connection/database.js';
import { MAX_ROWS, compareRows, comparison, fromRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';

const DAY_MS = 86_400_000;

/** Verifies the lists with keys in a range (inclusive): ordinals must begin at 1, follow the chain and have no gaps, over all types and by type. */
export async function verifyOrdinals(db: Queryable, from: bigint, to: bigint): Promise<Difference[]> {
  // Reads in the order of the index, by ordinals: their positions must be ascending too.
  const { rows } = await db.query({
    name: 'verify.ordinals',
    text: `
      SELECT ARRAY[n.list::text, n.ordinal::text] AS key, NULL AS height, c.column_name, c.expected, c.stored
      FROM (
        -- Few rows or none are left, which are then compared column by column.
        SELECT * FROM (
          SELECT list, ordinal, type_ordinal, position, lag(position) OVER lists AS before,
            row_number() OVER lists AS number, row_number() OVER types AS type_number
          FROM entries WHERE list BETWEEN $1 AND $2
          WINDOW lists AS (PARTITION BY list ORDER BY ordinal), types AS (PARTITION BY list, type ORDER BY ordinal)
        ) AS numbered
        WHERE ordinal <> number OR type_ordinal <> type_number OR position <= before
        LIMIT ${MAX_ROWS}
      ) AS n
      CROSS JOIN LATERAL (VALUES
        ('ordinal', n.number::text, n.ordinal::text, n.ordinal <> n.number),
        ('type_ordinal', n.type_number::text, n.type_ordinal::text, n.type_ordinal <> n.type_number),
        ('position', 'above ' || n.before, n.position::text, n.position <= n.before)
      ) AS c (column_name, expected, stored, differs)
      WHERE c.differs
      LIMIT ${MAX_ROWS}`,
    values: [from, to],
  });
  return fromRows('entries', rows);
}

/** The expected members of each kind of ranking: the id of the ranking, and the key, label and position of the member. */
const RANKED: Record<number, string> = {
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

export const RANK_KINDS: readonly number[] = Object.keys(RANKED).map(Number);

/** Verifies the members of all rankings of a kind against the tables of the members. */
export async function verifyRanks(db: Queryable, kind: number): Promise<Difference[]> {
  const { rows } = await db.query({
    name: `verify.ranks-${kind}`,
    text: comparison({
      expected: RANKED[kind]!,
      stored: `
        SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = ${kind}`,
      key: ['id', 'key', 'label', 'position'],
      columns: [],
    }),
  });
  return fromRows('ranks', rows);
}

/** Reports members of rankings that do not exist or have an unknown kind. */
export async function verifyStrayRanks(db: Queryable): Promise<Difference[]> {
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
export async function verifyMilestones(db: Queryable): Promise<Difference[]> {
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
export async function verifySampledCounts(db: Queryable): Promise<Difference[]> {
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

/** Verifies the spends of each day against the micro blocks. */
export async function verifyDays(db: Queryable): Promise<Difference[]> {
  const { rows } = await db.query({
    name: 'verify.days',
    text: comparison({
      expected: `
        SELECT date '1970-01-01' + (time / ${DAY_MS})::int AS day, sum(spend_count) AS count, sum(spend_amount) AS amount
        FROM micro_blocks GROUP BY 1 HAVING sum(spend_count) > 0`,
      stored: 'SELECT day, count::numeric AS count, amount FROM days',
      key: ['day'],
      columns: ['count', 'amount'],
    }),
  });
  return fromRows('days', rows);
}

/** Reports hashes of the partitioned layout that no transaction has at their position. `verifyWindow` finds hashes that are missing. */
export async function verifyStrayHashes(db: Queryable): Promise<Difference[]> {
  const { rows: tables } = await db.query<{ found: boolean }>({
    name: 'verify.has-hashes',
    text: `SELECT to_regclass('transaction_hashes') IS NOT NULL AS found`,
  });
  if (tables[0]?.found !== true) return [];
  // Positions alone are compared first, which reads an index and no transactions. OFFSET 0 keeps this order.
  const { rows } = await db.query({
    name: 'verify.stray-hashes',
    text: `
      SELECT h.hash AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
      FROM (
        SELECT h.hash, h.position
        FROM (SELECT position FROM transaction_hashes EXCEPT ALL SELECT position FROM transactions LIMIT ${MAX_ROWS}) AS p
        JOIN transaction_hashes AS h ON h.position = p.position
        OFFSET 0
      ) AS h
      WHERE (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash
      LIMIT ${MAX_ROWS}`,
  });
  return fromRows('transaction_hashes', rows);
}

/** Verifies the recorded genesis hash and forks, and reports rows of queries and channels that refer to no transaction. */
export async function verifyRest(db: Queryable): Promise<Difference[]> {
  const { rows: chain } = await db.query({
    name: 'verify.chain',
    text: `
      SELECT 'the row' AS key, NULL AS height, 'genesis_hash' AS column_name,
        COALESCE(known.hash, k.hash) AS expected, c.genesis_hash AS stored
      FROM chain AS c
      LEFT JOIN key_blocks AS k ON k.height = 0
      LEFT JOIN unnest($1::text[], $2::text[]) AS known (id, hash) ON known.id = c.network_id
      WHERE c.genesis_hash <> COALESCE(known.hash, k.hash)`,
    values: [KNOWN.map(({ id }) => id), KNOWN.map(({ genesisHash }) => genesisHash)],
  });
  const { rows: forks } = await db.query({
    name: 'verify.forks',
    text: `
      WITH head AS (SELECT height, version FROM key_blocks ORDER BY height DESC LIMIT 1),
      begun AS (
        SELECT height, max(version) AS version, lag(max(version)) OVER (ORDER BY height) AS before FROM forks GROUP BY height
      )
      SELECT f.version AS key, NULL AS height, 'height' AS column_name, 'that of the first key block of this version' AS expected,
        f.height::text AS stored
      FROM begun AS f
      JOIN key_blocks AS k ON k.height = f.height
      LEFT JOIN key_blocks AS below ON below.height = f.height - 1
      WHERE k.version <= $1 AND (k.version <> f.version OR below.version <> COALESCE(f.before, 0))
      UNION ALL
      SELECT f.version, NULL, 'height', 'that of the first key block of this version', f.height::text
      FROM begun AS f JOIN head ON f.height > head.height AND f.version < head.version
      UNION ALL
      SELECT head.version, NULL, NULL, 'a row', NULL FROM head
      WHERE head.version <= $1 AND EXISTS (SELECT FROM forks)
        AND NOT EXISTS (SELECT FROM forks WHERE version = head.version AND height <= head.height)`,
    values: [NEWEST_VERSION],
  });
  const empty = async (table: string, end: string): Promise<Difference[]> => {
    const { rows } = await db.query({
      name: `verify.empty-${table}`,
      text: `
        SELECT id AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
        FROM ${table} WHERE position IS NULL AND ${end} IS NULL LIMIT ${MAX_ROWS}`,
    });
    return fromRows(table, rows);
  };
  return [
    ...fromRows('chain', chain),
    ...fromRows('forks', forks),
    ...(await empty('oracle_queries', 'response_position')),
    ...(await empty('channels', 'closed_position')),
  ];
}
