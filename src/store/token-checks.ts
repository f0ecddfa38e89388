/** Whether what tokens hold by their events is what they say themselves, and what those say of which it is not. */
import type { Queryable } from './connection/database.js';
import { postponed } from './postponed.js';

/** Accounts, or single tokens, that are asked about where the token does not tell all at once. */
const SAMPLE = 20;
/** The same of a token that is known to be invalid; and how many of them were touched since it was asked last. */
const TOLD_SAMPLE = 100;
/** Time after which an invalid token is asked again that emitted nothing. */
const TOLD_EVERY = '5 minutes';

/** A token that is to be asked at the newest block what it holds. */
export interface DueTokenCheck {
  contractId: string;
  kind: 9 | 141;
  position: bigint;
  /** It did not match before: its events are not compared any more. */
  isInvalid: boolean;
  /** Hash of the newest micro block, and the position behind it. */
  block: string;
  end: bigint;
  /** Accounts that hold something by what is stored. */
  holders: number;
  /** Some accounts (of AEX-9), or some single tokens (of AEX-141). */
  sample: bigint[];
  /** The last of these whose turn it was; null if there are none. */
  upto: bigint | null;
}

/** The next values of a column after those of the last check, then the lowest ones: each has its turn, however they are spread. */
const someOf = (table: string, column: string, condition: string, limit: string): string => `
  ARRAY(
    SELECT x.value FROM (
      (SELECT s.${column} AS value FROM ${table} AS s WHERE ${condition} AND s.${column} > COALESCE(t.checked_upto, -1) ORDER BY s.${column} LIMIT ${limit})
      UNION (SELECT s.${column} FROM ${table} AS s WHERE ${condition} ORDER BY s.${column} LIMIT ${limit})
    ) AS x ORDER BY x.value <= COALESCE(t.checked_upto, -1), x.value LIMIT ${limit}
  )`;

const OF_TOKEN = 's.contract_id = t.contract_id';
const SINGLE = `${OF_TOKEN} AND s.owner IS NOT NULL`;

/**
 * Events of all transactions up to the block must be stored: else what they did would seem to be missing. Where a node never tells some of them,
 * the check goes on without; it is taken back if they come.
 */
export async function dueTokenChecks(db: Queryable, limit: number): Promise<DueTokenCheck[]> {
  const { rows } = await db.query<
    Omit<DueTokenCheck, 'position' | 'end' | 'sample' | 'holders' | 'upto'> &
      Record<'position' | 'end' | 'holders', string> & { sample: string[]; upto: string | null }
  >({
    name: 'tokens.due-checks',
    text: `
      SELECT t.contract_id AS "contractId", t.kind, t.position, t.invalid IS NOT NULL AS "isInvalid", t.block, t."end", t.holders,
        n.turn[cardinality(n.turn)]::text AS upto,
        ARRAY(
          SELECT unnest(n.turn)::text
          UNION (
            SELECT s.account::text FROM token_balances AS s
            WHERE t.kind = 9 AND t.invalid IS NOT NULL AND ${OF_TOKEN} AND s.position >= t.told_position LIMIT ${TOLD_SAMPLE}
          )
        ) AS sample
      FROM (
        SELECT t.*, m.hash AS block, m.position + 65536 AS "end"
        FROM (SELECT hash, position FROM micro_blocks ORDER BY position DESC LIMIT 1) AS m
        CROSS JOIN LATERAL (
          SELECT * FROM tokens AS t
          WHERE t.kind > 0 AND t.meta_state <> 'due' AND t.due_at <= now() AND t.told_block IS DISTINCT FROM m.hash AND t.position < m.position + 65536
            AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
          ORDER BY t.due_at LIMIT $1
        ) AS t
        WHERE NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position < m.position + 65536)
          AND NOT EXISTS (SELECT FROM backfills WHERE projection IN ('contract-logs', 'tokens'))
      ) AS t
      CROSS JOIN LATERAL (
        SELECT CASE WHEN t.kind = 141 THEN ${someOf('token_owners', 'token_id', SINGLE, String(SAMPLE))}
          ELSE ${someOf('token_balances', 'account', OF_TOKEN, `CASE WHEN t.invalid IS NULL THEN ${SAMPLE} ELSE ${TOLD_SAMPLE} END`)}
        END AS turn
      ) AS n`,
    values: [limit],
  });
  return rows.map((row) => ({
    ...row,
    position: BigInt(row.position),
    end: BigInt(row.end),
    holders: Number(row.holders),
    sample: row.sample.map(BigInt),
    upto: row.upto === null ? null : BigInt(row.upto),
  }));
}

/** What a token told at the block. Null, and absent from the maps: it did not answer. */
export interface TokenCheck extends DueTokenCheck {
  supply: bigint | null;
  /** By account; of all accounts that are not 0 where `isWhole`. */
  balances: ReadonlyMap<bigint, bigint>;
  isWhole: boolean;
  /** By single token; null for one that nobody owns. */
  owners: ReadonlyMap<bigint, bigint | null>;
}

type CheckOutcome = 'same' | 'different' | 'told' | 'unanswered';

/** Marks tokens that do not match, and stores what they told. Returns what became of the checks of tokens that are still in the chain. */
export async function saveTokenChecks(db: Queryable, checks: readonly TokenCheck[]): Promise<CheckOutcome[]> {
  const reasons = await differing(db, checks);
  const valid = checks.filter(({ contractId }) => reasons.has(contractId));
  const reasonOf = ({ contractId }: TokenCheck): string | null => reasons.get(contractId) ?? null;
  const told = valid.filter((check) => reasonOf(check) !== null && hasAnswered(check));
  await storeTold(
    db,
    told,
    told.map((check) => reasonOf(check)!),
  );
  // An account about which the token does not answer has had its turn as well.
  const turns = valid.filter(({ isWhole, upto }) => !isWhole && upto !== null);
  if (turns.length > 0)
    await db.query({
      name: 'tokens.checked-upto',
      text: `
        UPDATE tokens AS t SET checked_upto = d.upto FROM unnest($1::text[], $2::numeric[]) AS d (id, upto) WHERE t.contract_id = d.id`,
      values: [turns.map(({ contractId }) => contractId), turns.map(({ upto }) => upto)],
    });
  const same = valid.filter((check) => !told.includes(check));
  if (same.length > 0)
    await db.query({
      name: 'tokens.checked',
      text: `
        UPDATE tokens AS t SET matched = t.matched OR d.answered, ${postponed(3_600, 86_400)}
        FROM unnest($1::text[], $2::boolean[]) AS d (id, answered) WHERE t.contract_id = d.id`,
      values: [same.map(({ contractId }) => contractId), same.map(hasToldAmounts)],
    });
  return valid.map((check) => {
    if (!hasAnswered(check)) return 'unanswered';
    return reasonOf(check) === null ? 'same' : check.isInvalid ? 'told' : 'different';
  });
}

/** A supply alone says nothing of single balances. */
const hasToldAmounts = (check: TokenCheck): boolean =>
  check.kind === 9 ? check.isWhole || check.balances.size > 0 : hasAnswered(check);

/** A token of AEX-9 that tells its supply alone, but no balance, says nothing new where it is invalid. */
const hasAnswered = ({ kind, isInvalid, supply, balances, isWhole, owners }: TokenCheck): boolean =>
  isWhole || balances.size > 0 || owners.size > 0 || (supply !== null && !(kind === 9 && isInvalid));

/**
 * What does not match, by token: null where all does, and `invalid` as before where it did not. Without tokens and blocks that are not in the
 * chain any more.
 */
async function differing(db: Queryable, checks: readonly TokenCheck[]): Promise<Map<string, string | null>> {
  if (checks.length === 0) return new Map();
  const balances = checks.flatMap(({ contractId, balances }) =>
    [...balances].map(([account, amount]) => ({ contractId, account, amount })),
  );
  const owners = checks.flatMap(({ contractId, owners }) =>
    [...owners].map(([single, owner]) => ({ contractId, single, owner })),
  );
  const { rows } = await db.query<{ id: string; reason: string | null }>({
    name: 'tokens.differing',
    text: `
      WITH checked AS (
        SELECT d.id, t.kind, t.invalid, t.supply, d.told, d.whole, d.end_position
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::numeric[], $6::boolean[])
          AS d (id, position, block, end_position, told, whole)
        JOIN micro_blocks AS m ON m.position = d.end_position - 65536 AND m.hash = d.block
        JOIN tokens AS t ON t.contract_id = d.id AND t.position = d.position AND t.kind > 0 AND t.meta_state <> 'due'
          AND COALESCE(t.told_position, 0) < d.end_position
        WHERE NOT EXISTS (SELECT FROM due_infos AS i WHERE i.position < d.end_position)
      ),
      later AS (
        SELECT c.id, d.account, d.delta
        FROM checked AS c
        JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(c.id, 0) AND l.contract_id = c.id
          AND l.position >= c.end_position
        CROSS JOIN LATERAL token_deltas(c.kind, l.topics) AS d
        WHERE c.invalid IS NULL
      ),
      told AS (SELECT * FROM unnest($7::text[], $8::numeric[], $9::numeric[]) AS d (id, account, amount))
      SELECT c.id, COALESCE(c.invalid, CASE
        WHEN EXISTS (
          SELECT FROM (
            SELECT b.account, b.amount, 0 AS told, false AS is_told FROM token_balances AS b
            WHERE b.contract_id = c.id AND (c.whole OR b.account IN (SELECT d.account FROM told AS d WHERE d.id = c.id))
            UNION ALL SELECT l.account, - l.delta, 0, false FROM later AS l WHERE l.id = c.id
            UNION ALL SELECT d.account, 0, d.amount, true FROM told AS d WHERE d.id = c.id
          ) AS s GROUP BY s.account HAVING sum(s.amount) <> sum(s.told) AND (c.whole OR bool_or(s.is_told))
        ) THEN 'balances'
        WHEN EXISTS (
          SELECT FROM unnest($10::text[], $11::numeric[], $12::numeric[]) AS d (id, single, owner)
          JOIN token_owners AS o ON o.contract_id = c.id AND o.token_id = d.single AND o.position < c.end_position
          WHERE d.id = c.id AND o.owner IS DISTINCT FROM d.owner
        ) THEN 'owners'
        WHEN c.told <> c.supply - COALESCE((SELECT sum(l.delta) FROM later AS l WHERE l.id = c.id), 0) THEN 'supply'
      END) AS reason
      FROM checked AS c`,
    values: [
      checks.map(({ contractId }) => contractId),
      checks.map(({ position }) => position),
      checks.map(({ block }) => block),
      checks.map(({ end }) => end),
      checks.map(({ supply }) => supply),
      checks.map(({ isWhole }) => isWhole),
      balances.map(({ contractId }) => contractId),
      balances.map(({ account }) => account),
      balances.map(({ amount }) => amount),
      owners.map(({ contractId }) => contractId),
      owners.map(({ single }) => single),
      owners.map(({ owner }) => owner),
    ],
  });
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

async function storeTold(db: Queryable, checks: readonly TokenCheck[], reasons: readonly string[]): Promise<void> {
  if (checks.length === 0) return;
  const ids = checks.map(({ contractId }) => contractId);
  await storeBalances(
    db,
    checks.filter(({ kind }) => kind === 9),
  );
  // An event behind the block, which came while the token was asked, is no reason to wait.
  await db.query({
    name: 'tokens.told',
    text: `
      UPDATE tokens AS t SET invalid = d.reason, matched = false, told_position = d.end_position, told_block = d.block, told_supply = d.supply,
        attempts = CASE WHEN l.is_touched THEN 0 ELSE 1 END, due_at = CASE WHEN l.is_touched THEN now() ELSE now() + interval '${TOLD_EVERY}' END
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::numeric[]) AS d (id, reason, end_position, block, supply)
      CROSS JOIN LATERAL (
        SELECT EXISTS (
          SELECT FROM contract_logs AS l
          WHERE hashtextextended(l.contract_id, 0) = hashtextextended(d.id, 0) AND l.contract_id = d.id AND l.position >= d.end_position
        ) AS is_touched
      ) AS l
      WHERE t.contract_id = d.id`,
    values: [
      ids,
      reasons,
      checks.map(({ end }) => end),
      checks.map(({ block }) => block),
      checks.map(({ supply }) => supply),
    ],
  });
  await db.query({
    name: 'tokens.keep-told',
    text: 'UPDATE tokens AS t SET told_sum = told_of(t) WHERE t.contract_id = ANY ($1::text[])',
    values: [ids],
  });
}

/**
 * Stores balances of tokens of AEX-9 in place of those by events. Where a token did not tell all of them, the other ones stay what they were at the
 * first check until they are told.
 */
async function storeBalances(db: Queryable, checks: readonly TokenCheck[]): Promise<void> {
  if (checks.length === 0) return;
  const told = checks.flatMap(({ contractId, balances }) =>
    [...balances].map(([account, amount]) => ({ contractId, account, amount })),
  );
  const values = [
    told.map(({ contractId }) => contractId),
    told.map(({ account }) => account),
    told.map(({ amount }) => amount),
  ];
  const idsOf = (of: readonly TokenCheck[]): string[] => of.map(({ contractId }) => contractId);
  await db.query({
    name: 'token_balances.freeze',
    text: `
      UPDATE token_balances SET told = amount WHERE contract_id = ANY ($1::text[]) AND amount <> 0 AND told IS NULL`,
    values: [idsOf(checks.filter(({ isInvalid, isWhole }) => !isInvalid && !isWhole))],
  });
  await db.query({
    name: 'token_balances.untold',
    text: `
      UPDATE token_balances AS b SET told = NULL, amount = 0
      WHERE b.contract_id = ANY ($1::text[]) AND (b.told IS NOT NULL OR b.amount <> 0)
        AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::numeric[]) AS d (id, account) WHERE d.id = b.contract_id AND d.account = b.account)`,
    values: [idsOf(checks.filter(({ isWhole }) => isWhole)), values[0], values[1]],
  });
  await db.query({
    name: 'token_balances.told',
    text: `
      INSERT INTO token_balances (contract_id, account, amount, events, told)
      SELECT d.id, d.account, d.amount, 0, NULLIF(d.amount, 0) FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS d (id, account, amount)
      ON CONFLICT (contract_id, account) DO UPDATE SET told = EXCLUDED.told, amount = EXCLUDED.amount`,
    values,
  });
  await db.query({
    name: 'token_balances.empty',
    text: `
      DELETE FROM token_balances
      WHERE contract_id = ANY ($1::text[]) AND told IS NULL AND amount = 0 AND events = 0 AND base IS NULL`,
    values: [idsOf(checks)],
  });
}
