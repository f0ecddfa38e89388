/** Templates of collections of AEX-141, from the logs of their contracts. A template is deleted, and may be made again. */
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../connection/database.js';
import { answers } from '../answer.js';
import type { Answers } from '../answer.js';
import { ofContractAndEvent } from '../contract-logs.js';

/** FROM item and conditions: logs `l` of an event with so many topics, of the contract `$1`. */
const logsOf = (l: string, event: string, size: number): string => `
  contract_logs AS ${l}
  WHERE ${ofContractAndEvent(l, '$1::text', `${eventHash(event)}::numeric`)}
    AND ${l}.contract_id = $1::text AND ${l}.topics[1] = ${eventHash(event)}::numeric AND cardinality(${l}.topics) = ${size}`;

export interface TemplateRow {
  template_id: string;
  hash: string;
  log_index: number;
  /** Null: there is none. */
  edition_limit: string | null;
  limit_hash: string | null;
  limit_index: number | null;
  /** Tokens of the template that are not burnt, and the event that made the last one. */
  supply: string;
  supply_hash: string | null;
  supply_index: number | null;
}

/** Templates that are not deleted, by their numbers. */
export function compatTemplates(db: Queryable, contract: string): Promise<Answers<TemplateRow>> {
  return answers<TemplateRow>(db, {
    name: 'compat.templates',
    text: `
      SELECT c.template::text AS template_id, x.hash, c.log_index,
        e.value::text AS edition_limit, (SELECT t.hash FROM transactions AS t WHERE t.position = e.position) AS limit_hash, e.log_index AS limit_index,
        s.supply, (SELECT t.hash FROM transactions AS t WHERE t.position = n.position) AS supply_hash, n.log_index AS supply_index
      FROM (
        SELECT DISTINCT ON (l.topics[2]) l.topics[2] AS template, l.position, l.log_index
        FROM ${logsOf('l', 'TemplateCreation', 2)}
          AND NOT EXISTS (
            SELECT FROM ${logsOf('d', 'TemplateDeletion', 2)}
              AND d.topics[2] = l.topics[2] AND (d.position, d.log_index) > (l.position, l.log_index)
          )
        ORDER BY l.topics[2], l.position, l.log_index
      ) AS c
      JOIN transactions AS x ON x.position = c.position
      LEFT JOIN LATERAL (
        SELECT u.value, u.position, u.log_index FROM (
          SELECT l.topics[3] AS value, l.position, l.log_index FROM ${logsOf('l', 'EditionLimit', 3)} AND l.topics[2] = c.template
          UNION ALL
          SELECT l.topics[4], l.position, l.log_index FROM ${logsOf('l', 'EditionLimitDecrease', 4)} AND l.topics[2] = c.template
        ) AS u
        WHERE u.position >= c.position ORDER BY u.position DESC, u.log_index DESC LIMIT 1
      ) AS e ON true
      LEFT JOIN LATERAL (
        SELECT l.position, l.log_index FROM ${logsOf('l', 'TemplateMint', 4)} AND l.topics[3] = c.template
        ORDER BY l.position DESC, l.log_index DESC LIMIT 1
      ) AS n ON true
      CROSS JOIN LATERAL (
        SELECT count(*) AS supply FROM token_owners AS o
        WHERE o.contract_id = $1 AND o.owner IS NOT NULL
          AND o.token_id IN (SELECT l.topics[4] FROM ${logsOf('l', 'TemplateMint', 4)} AND l.topics[3] = c.template)
      ) AS s`,
    values: [contract],
  });
}

export interface TemplateTokenRow {
  token_id: string;
  owner: string;
  hash: string;
  log_index: number;
  /** cb_: the number of the edition as text. */
  data: string;
}

/** Tokens of a template that are not burnt, by their numbers. */
export function compatTemplateTokens(
  db: Queryable,
  contract: string,
  template: bigint,
): Promise<Answers<TemplateTokenRow>> {
  return answers<TemplateTokenRow>(db, {
    name: 'compat.template_tokens',
    text: `
      SELECT o.token_id::text AS token_id, o.owner::text AS owner, x.hash, m.log_index, m.data
      FROM (
        SELECT DISTINCT ON (l.topics[4]) l.topics[4] AS token, l.position, l.log_index, l.data
        FROM ${logsOf('l', 'TemplateMint', 4)} AND l.topics[3] = $2::numeric
        ORDER BY l.topics[4], l.position DESC, l.log_index DESC
      ) AS m
      JOIN token_owners AS o ON o.contract_id = $1 AND o.token_id = m.token AND o.owner IS NOT NULL
      JOIN transactions AS x ON x.position = m.position`,
    values: [contract, template],
  });
}
