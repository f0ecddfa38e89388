import { ListKind } from '../../chain/derive.js';
import type { Queryable } from '../database.js';
import type { Answer } from './answer.js';
import { walk } from './list-pages.js';
import type { ListOf, ListRow } from './lists.js';
import { microBlockOf } from './positions.js';
import { RankKind, rankedPage } from './ranks.js';
import { effectiveTx } from './raw-record.js';
import type { Slice } from './slice.js';

/** Oracles that are active at the current height, one entry each, latest registrations first. */
export function activeOracles(db: Queryable, slice: Slice): Promise<Answer<ListRow>> {
  const item = {
    from: 'oracles AS o JOIN transactions AS t ON t.position = o.position',
    at: 'o.position',
    item: `
      '{"oracle_id":"' || o.id || '","transaction_hash":"' || t.hash || '","block_height":' || (o.position >> 33) ||
      ',"expires_at":' || o.expires_at || ',"tx":' || (${effectiveTx('t')}) || '}'`,
  };
  return rankedPage(db, 'oracles.active', { kind: RankKind.oracles, id: '', reverse: true }, item, slice);
}

/** The transaction at a place with its hash and the time of its micro block (ms) as last members. */
const told = (position: string): string => `
  (SELECT
    left(${effectiveTx('t')}, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
    (SELECT m.time FROM micro_blocks AS m WHERE m.position = ${microBlockOf('t.position')}) || '}'
  FROM transactions AS t
  WHERE t.position = ${position})`;

/** `[{"query_id", "request", "response"}]`: questions put to an oracle, newest first; `response` is null until answered. */
export function oracleQuestions(db: Queryable, oracle: string, slice: Slice): Promise<Answer<ListRow>> {
  const of: ListOf = { kind: ListKind.oracle, id: oracle, type: null };
  const item = `
    (SELECT
      '{"query_id":"' || q.id || '","request":' || ${told('q.position')} ||
      ',"response":' || COALESCE(${told('q.response_position')}, 'null') || '}'
    FROM oracle_queries AS q
    WHERE q.position = e.position
    LIMIT 1)`;
  return walk(db, { name: 'oracles.questions', of, order: 'newest first', item, open: '[', close: ']' }, slice);
}
