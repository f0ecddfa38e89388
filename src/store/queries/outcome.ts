import { microBlockOf } from '../positions.js';

/** Types of transactions that run code, or may wrap one that does. */
const MAY_RUN_CODE = `ARRAY(SELECT code FROM types WHERE ${['Contract', 'GA', 'ChannelForceProgress', 'PayingFor']
  .map((begin) => `starts_with(name, '${begin}')`)
  .join(' OR ')})`;

/** Condition: a result in the call information `i` is this one. Most texts have no such word, and to look for that costs much less. */
const hasResult = (result: string): string =>
  `strpos(i.body, '"${result}"') > 0 AND i.body ~ '"return_type"\\s*:\\s*"${result}"'`;

/**
 * SQL expression for how a transaction `t` ended: `ok`, `revert` or `error` if it or one of the results within its call information
 * ended so, `unknown` if it runs code and its call information is not stored. Nothing else can fail within a block. Of the creation of
 * a contract only whether it failed is stored: then it is `error`.
 *
 * The texts are searched and not taken apart: that is cheaper, and quotation marks in values are escaped.
 */
const OUTCOME = `
  CASE
    WHEN t.type <> ALL (${MAY_RUN_CODE}) THEN 'ok'
    ELSE COALESCE(
      (
        SELECT CASE
          WHEN ${hasResult('error')} THEN 'error'
          WHEN ${hasResult('revert')} THEN 'revert'
          ELSE 'ok'
        END
        FROM infos AS i
        WHERE i.position = t.position
      ),
      CASE
        WHEN t.body ~ '"type"\\s*:\\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
          (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
          'unknown'
        )
        ELSE 'ok'
      END
    )
  END`;

/** The body of a transaction `t` without its closing brace. `left` counts the characters of the whole text, which costs ten times as much. */
const OPEN_BODY = `convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8')`;

/** A transaction `t` as the node returns it, with its outcome as its last member, after other members: JSON text as an SQL expression. */
const withOutcome = (members: string): string => `${OPEN_BODY} || ${members}',"outcome":"' || ${OUTCOME} || '"}'`;

export const WITH_OUTCOME = withOutcome('');

/** The same with the time of its micro block, ms. */
export const WITH_TIME_AND_OUTCOME = withOutcome(
  `',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = ${microBlockOf('t.position')}) || `,
);
