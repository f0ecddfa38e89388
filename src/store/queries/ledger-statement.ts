/** What changed the balance of an account in a period, added up by kind. */
import { KINDS } from '../../chain/money/kinds.js';
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { balanceUpTo, completeness, FIRST_UNKNOWN, kindName, lastBlock } from './ledger.js';
import type { LedgerOf } from './ledger.js';

const BLOCK = (b: string): string => `
  COALESCE('{"height":' || (${b}.position >> 33) || ',"time":' || ${b}.time || ',"block_hash":"' || ${b}.hash || '"}', 'null')`;

/** The balance before the positions `low` to `high` and after them, and the sums of each kind between. */
export function ledgerStatement(
  db: Queryable,
  { account, low, high }: Omit<LedgerOf, 'kinds'>,
): Promise<Answer<{ body: string }>> {
  return answer(db, {
    name: 'ledger.statement',
    // Fees that are stored with other movements are added up in the same reading.
    text: `
      WITH own AS (SELECT (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AS key), sums AS (
        SELECT abs(r.kind) AS kind, count(*) AS count, COALESCE(sum(r.amount) FILTER (WHERE r.amount > 0), 0) AS received,
          COALESCE(sum(r.amount) FILTER (WHERE r.amount < 0), 0) AS paid, count(r.fee) AS fees, COALESCE(sum(r.fee), 0) AS fee
        FROM movement_rows AS r
        WHERE r.account = (SELECT own.key FROM own) AND r.position BETWEEN $2::bigint AND $3::bigint
        GROUP BY abs(r.kind)
      )
      SELECT '"opening":{"balance":' || ${balanceUpTo('own.key', '$2::bigint - 1')} || ',"after":' || ${BLOCK('opening')} ||
        '},"closing":{"balance":' || ${balanceUpTo('own.key', '$3::bigint')} || ',"after":' || ${BLOCK('closing')} ||
        '},"kinds":[' || COALESCE(kinds.body, '') || '],' || ${completeness('u.position', '$3::bigint')} AS body
      FROM own
      CROSS JOIN (${FIRST_UNKNOWN}) AS u
      LEFT JOIN ${lastBlock('$2::bigint - 1')} AS opening ON true
      LEFT JOIN ${lastBlock('$3::bigint')} AS closing ON true
      CROSS JOIN LATERAL (
        SELECT string_agg(
          '{"kind":"' || ${kindName('m.kind')} || '","count":' || m.count || ',"in":' || m.received || ',"out":' || m.paid || '}', ',' ORDER BY m.kind
        ) AS body
        FROM (
          SELECT both_sums.kind, sum(both_sums.count) AS count, sum(both_sums.received) AS received, sum(both_sums.paid) AS paid
          FROM (
            SELECT s.kind, s.count, s.received, s.paid FROM sums AS s
            UNION ALL SELECT ${KINDS.fee.code}, sum(s.fees), 0, sum(s.fee) FROM sums AS s HAVING sum(s.fees) > 0
          ) AS both_sums
          GROUP BY both_sums.kind
        ) AS m
      ) AS kinds`,
    values: [account, low, high],
  });
}
