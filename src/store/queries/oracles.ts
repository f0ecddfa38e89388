import { ListKind } from '../../chain/derive.js';
import type { Queryable } from '../connection/database.js';
import type { Answer } from './answer.js';
import { listPage } from './paging/list-pages.js';
import type { ListOf, ListRow } from './lists.js';
import { ORACLE, WITH_ORACLE_RECORD, sourceMember } from './node-records.js';
import { microHeight } from '../micro-height.js';
import { microBlockOf } from '../positions.js';
import { RankKind, rankedPage } from './paging/ranks.js';
import { effectiveTx } from './raw-record.js';
import type { KeysetPage, Page, RankedKeysetPage } from './paging/slice.js';

/** Oracles that are active at the current height, one entry each, latest registrations first. */
export function activeOracles(db: Queryable, slice: Page | RankedKeysetPage): Promise<Answer<ListRow>> {
  const item = {
    from: `oracles AS o JOIN transactions AS t ON t.position = o.position ${WITH_ORACLE_RECORD}`,
    at: 'o.position',
    item: `
      '{"oracle_id":"' || o.id || '","transaction_hash":"' || t.hash || '","block_height":' ||
      (SELECT ${microHeight('m')} FROM micro_blocks AS m WHERE m.position = ${microBlockOf('o.position')}) || ',"expires_at":' || (${ORACLE.expiresAt}) || ',"tx":' || (${effectiveTx('t')}) || ${sourceMember(ORACLE.source)} || '}'`,
  };
  return rankedPage(db, 'oracles.active', { kind: RankKind.oracles, id: '', reverse: true }, item, slice);
}

/** The transaction `t` with its hash and the time of its micro block (ms) as last members. */
const TRANSACTION = `
  left(${effectiveTx('t')}, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
  (SELECT m.time FROM micro_blocks AS m WHERE m.position = ${microBlockOf('t.position')}) || '}'`;

/** `[{"query_id", "request", "response"}]`: queries to an oracle, newest first; `response` is null until the oracle answers. */
export function oracleQueries(db: Queryable, oracle: string, slice: Page | KeysetPage): Promise<Answer<ListRow>> {
  const of: ListOf = { kind: ListKind.oracle, id: oracle, type: null };
  const item = `
    (SELECT
      '{"query_id":"' || q.id || '","request":' || ${TRANSACTION} || ',"response":' || COALESCE(
        (SELECT ${TRANSACTION} FROM transactions AS t WHERE t.position = q.response_position),
        'null'
      ) || '}'
    FROM oracle_queries AS q
    WHERE q.position = t.position
    LIMIT 1)`;
  const page = { name: 'oracles.queries', of, order: 'newest first' as const, item, open: '[', close: ']' };
  return listPage(db, page, slice);
}
