/** What changed in each finished generation, and the sums of it below each of them. */
import { GAPS } from '../../../chain/money/movement.js';
import type { Queryable } from '../../connection/database.js';
import { MEMBERS, SPANS } from '../../generation-members.js';
import { answers } from '../answer.js';
import type { Answers } from '../answer.js';

type Member = keyof typeof MEMBERS;

/** Amounts as texts; those of the ledger are right only where it is written, and rewards where nothing is missing. */
export interface GenerationRow extends Record<Member, string> {
  height: string;
  /** Whether the ledger is written that far, and whether it has all rewards. */
  has_ledger: boolean;
  has_rewards: boolean;
  /** Of the last transaction up to there; null if there is none. */
  last_hash: string | null;
}

export interface TotalsRow extends GenerationRow {
  /** Of the ledger; null if it has not begun. */
  network_id: string | null;
  /** What the genesis block gave, if the administrator said it; null otherwise. */
  genesis_coins: string | null;
}

/** Heights, both included; `take` of them from one end on. */
interface Heights {
  low: bigint;
  high: bigint;
  ascending: boolean;
  take: number;
}

/** Heights of the page: of stored key blocks above genesis with another one above. */
const page = (ascending: boolean): string => `
  SELECT k.height FROM key_blocks AS k
  WHERE k.height >= GREATEST($1::bigint, 1) AND k.height <= $2::bigint
    AND k.height < (SELECT top.height FROM key_blocks AS top ORDER BY top.height DESC LIMIT 1)
  ORDER BY k.height ${ascending ? '' : 'DESC'} LIMIT $3::bigint`;

const columns = (column: (member: Member, code: number) => string): string =>
  (Object.keys(MEMBERS) as Member[]).map((member) => `${column(member, MEMBERS[member])} AS ${member}`).join(',\n');

/** SQL: the sum of a member over the rows of a group. */
const sumOf = (code: number): string => `COALESCE(sum(g.amount) FILTER (WHERE g.member = ${code}), 0)`;

/** SQL: the hash of the last transaction below a position. */
const lastBelow = (position: string): string =>
  `(SELECT t.hash FROM transactions AS t WHERE t.position < ${position} ORDER BY t.position DESC LIMIT 1)`;

const WRITTEN = 'COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)';

const GENESIS_COINS = `
  SELECT COALESCE((SELECT sum(c.value::numeric) FROM jsonb_each_text(o.genesis_accounts) AS c), 0)
  FROM ledger AS o WHERE o.one AND o.genesis_accounts IS NOT NULL`;

/** SQL: heights of hard forks, and what they gave as it was said; null if none gave any. */
const FORK_COINS = `
  SELECT array_agg(f.height) AS heights, array_agg(c.sum) AS sums
  FROM ledger AS o
  CROSS JOIN LATERAL jsonb_each(o.fork_accounts) AS v
  JOIN forks AS f ON f.version::text = v.key
  CROSS JOIN LATERAL (SELECT sum(c.value::numeric) AS sum FROM jsonb_each_text(v.value) AS c) AS c
  WHERE o.one`;

/** Gaps at key blocks: what leaders were paid there is not known. As the index has it. */
const REWARD_GAP = `g.position & 8589934591 = 0 AND g.gaps & ~${GAPS.preset} <> 0`;

/**
 * What changed in generations. Locked coins, open channels and all of the ledger may have fewer afterwards. A gap is looked up for each of them: for
 * NOT EXISTS PostgreSQL may read all gaps, of which a network has one for each key block if its rewards are not known.
 */
export function generationChangesOf(
  db: Queryable,
  { low, high, ascending, take }: Heights,
): Promise<Answers<GenerationRow>> {
  return answers<GenerationRow>(db, {
    name: `compat.generation_changes.${ascending ? 'ascending' : 'descending'}`,
    text: `
      SELECT p.height, ${columns((member) => `c.${member}::text`)}, ${lastBelow('(p.height + 1) << 33')} AS last_hash,
        l.position >= (p.height + 1) << 33 AND (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = p.height) IS NULL AS has_ledger,
        (SELECT g.position FROM ledger_gaps AS g WHERE g.position = p.height << 33 AND ${REWARD_GAP}) IS NULL AS has_rewards
      FROM (${page(ascending)}) AS p
      CROSS JOIN LATERAL (
        SELECT ${columns((_member, code) => sumOf(code))} FROM generation_changes AS g WHERE g.span = 0 AND g.height = p.height
      ) AS c
      CROSS JOIN (SELECT ${WRITTEN} AS position) AS l`,
    values: [low, high, take],
  });
}

/** SELECT of all changes below the height `low`: the longest rows first, and of the shorter ones only those above them. */
const BELOW = [...SPANS]
  .reverse()
  .map((span, i, spans) => {
    const from = i === 0 ? '' : `AND g.height >= e.low >> ${spans[i - 1]} << ${spans[i - 1]}`;
    return `SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = ${span} ${from} AND g.height < e.low >> ${span} << ${span}`;
  })
  .join(' UNION ALL ');

/** The sums of all changes below generations: that below the lowest one of the page, and what changed from it on. */
export function generationTotals(db: Queryable, { low, high, ascending, take }: Heights): Promise<Answers<TotalsRow>> {
  return answers<TotalsRow>(db, {
    name: `compat.generation_totals.${ascending ? 'ascending' : 'descending'}`,
    text: `
      WITH page AS (${page(ascending)}),
      ends AS (SELECT min(p.height) AS low, max(p.height) AS high FROM page AS p),
      before AS (
        SELECT ${columns((_member, code) => sumOf(code))} FROM ends AS e CROSS JOIN LATERAL (${BELOW}) AS g
      ), changes AS (
        SELECT g.height, ${columns((_member, code) => sumOf(code))}
        FROM ends AS e CROSS JOIN LATERAL (
          SELECT g.height, g.member, g.amount FROM generation_changes AS g WHERE g.span = 0 AND g.height >= e.low AND g.height < e.high
        ) AS g
        GROUP BY g.height
      ), sums AS (
        SELECT h.height, ${columns((member) => `sum(COALESCE(c.${member}, 0)) OVER below`)}
        FROM (SELECT p.height FROM page AS p UNION SELECT c.height FROM changes AS c) AS h
        LEFT JOIN changes AS c ON c.height = h.height
        WINDOW below AS (ORDER BY h.height ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      )
      SELECT p.height, ${columns((member) => `(b.${member} + COALESCE(s.${member}, 0))::text`)},
        ${lastBelow('(p.height + 1) << 33')} AS last_hash,
        l.position >= p.height << 33 AND COALESCE(l.rewrite >= p.height, true) AS has_ledger,
        COALESCE(l.gap >= p.height << 33, true) AS has_rewards, l.network_id,
        (l.genesis_coins + COALESCE((SELECT sum(c.sum) FROM unnest(o.heights, o.sums) AS c (height, sum) WHERE c.height < p.height), 0))::text AS genesis_coins
      FROM page AS p
      JOIN sums AS s ON s.height = p.height
      CROSS JOIN before AS b
      CROSS JOIN (
        SELECT ${WRITTEN} AS position, (SELECT l.network_id FROM ledger AS l WHERE l.one) AS network_id, (${GENESIS_COINS}) AS genesis_coins,
          (SELECT min(w.height) FROM ledger_rewrites AS w) AS rewrite,
          (SELECT min(g.position) FROM ledger_gaps AS g WHERE ${REWARD_GAP}) AS gap
      ) AS l
      CROSS JOIN (${FORK_COINS}) AS o`,
    values: [low, high, take],
  });
}
