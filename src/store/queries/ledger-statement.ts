/** What changed the balance of an account in a period, added up by kind. */
import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { balanceUpTo, completeness, FIRST_UNKNOWN, KIND_NAME, lastBlock } from './ledger.js';
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
    text: `
      SELECT '"opening":{"balance":' || ${balanceUpTo('own.key', '$2::bigint - 1')} || ',"after":' || ${BLOCK('opening')} ||
        '},"closing":{"balance":' || ${balanceUpTo('own.key', '$3::bigint')} || ',"after":' || ${BLOCK('closing')} ||
        '},"kinds":[' || COALESCE(kinds.body, '') || '],' || ${completeness('u.position', '$3::bigint')} AS body
      FROM (SELECT (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AS key OFFSET 0) AS own
      CROSS JOIN (${FIRST_UNKNOWN}) AS u
      LEFT JOIN ${lastBlock('$2::bigint - 1')} AS opening ON true
      LEFT JOIN ${lastBlock('$3::bigint')} AS closing ON true
      CROSS JOIN LATERAL (
        SELECT string_agg(
          '{"kind":"' || (${KIND_NAME}) || '","count":' || m.count || ',"in":' || m.received || ',"out":' || m.paid || '}', ',' ORDER BY m.kind
        ) AS body
        FROM (
          SELECT m.kind, count(*) AS count, COALESCE(sum(m.amount) FILTER (WHERE m.amount > 0), 0) AS received,
            COALESCE(sum(m.amount) FILTER (WHERE m.amount < 0), 0) AS paid
          FROM movements AS m
          WHERE m.account = own.key AND m.position BETWEEN $2::bigint AND $3::bigint
          GROUP BY m.kind
        ) AS m
      ) AS kinds`,
    values: [account, low, high],
  });
}
