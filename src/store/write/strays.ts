/** Stray rows refer to a range of the chain in which no transaction created them. A reload of the heights mends them. */
import { ListKind } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Placed, Range } from '../facts/blocks.js';
import type { Call } from './objects.js';

/** Names, oracles and channels with a row that refers to a position in the range. */
export async function objectsReferringTo(db: Queryable, range: Range): Promise<{ kind: number; id: string }[]> {
  const { rows } = await db.query<{ kind: number; id: string }>({
    name: 'objects.referring',
    text: `
      SELECT ${ListKind.name} AS kind, name_hash AS id FROM names WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.oracleLife}, id FROM oracles WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.channel}, id FROM channels WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.channel}, id FROM channels WHERE closed_position >= $1 AND closed_position < $2`,
    values: [range.from, range.to],
  });
  return rows;
}

/** Deletes contracts, calls and oracle queries of the range that none of its operations and calls created, and entries without a list. */
export async function deleteStrays(
  db: Queryable,
  range: Range,
  ops: readonly Placed<Operation>[],
  calls: readonly Call[],
): Promise<void> {
  const created = ops.flatMap(({ op, position }) =>
    op.on === 'contract' && op.op === 'create' ? [[op.id, position]] : [],
  );
  const asked = ops.flatMap(({ op, position }) => (op.on === 'query' && op.op === 'ask' ? [[op.id, position]] : []));
  const answered = ops.flatMap(({ op, position }) =>
    op.on === 'query' && op.op === 'respond' ? [[op.id, position]] : [],
  );
  const values = (rows: readonly unknown[][]): unknown[] => [
    range.from,
    range.to,
    rows.map(([id]) => id),
    rows.map(([, position]) => position),
  ];
  const isStray = (id: string, position: string): string => `
    ${position} >= $1 AND ${position} < $2
    AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.${id} AND r.position = s.${position})`;
  await db.query({
    name: 'entries.strays',
    text: `
      DELETE FROM entries AS e WHERE e.position >= $1 AND e.position < $2
        AND NOT EXISTS (SELECT FROM lists AS l WHERE l.key = e.list)`,
    values: [range.from, range.to],
  });
  await db.query({
    name: 'contracts.strays',
    text: `DELETE FROM contracts AS s WHERE ${isStray('id', 'position')}`,
    values: values(created),
  });
  await db.query({
    name: 'contract_calls.strays',
    text: `DELETE FROM contract_calls AS s WHERE ${isStray('contract_id', 'position')}`,
    values: values(calls.map(({ contractId, position }) => [contractId, position])),
  });
  await db.query({
    name: 'oracle_queries.strays',
    text: `UPDATE oracle_queries AS s SET position = NULL WHERE ${isStray('id', 'position')}`,
    values: values(asked),
  });
  await db.query({
    name: 'oracle_queries.stray-responses',
    text: `UPDATE oracle_queries AS s SET response_position = NULL WHERE ${isStray('id', 'response_position')}`,
    values: values(answered),
  });
  await db.query({
    name: 'oracle_queries.delete-empty',
    text: 'DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL',
  });
}
