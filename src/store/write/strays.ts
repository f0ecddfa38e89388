/** Rows about a range of the chain in which nothing made them: so that loading heights again mends what was changed by hand. */
import { ListKind } from '../../chain/derive.js';
import type { Operation } from '../../chain/operations.js';
import type { Queryable } from '../connection/database.js';
import type { Range } from './facts.js';
import type { Call, Placed } from './objects.js';

/** The folded objects whose rows say that something happened to them in the range. */
export async function objectsNaming(db: Queryable, range: Range): Promise<{ kind: number; id: string }[]> {
  const { rows } = await db.query<{ kind: number; id: string }>({
    name: 'objects.naming',
    text: `
      SELECT ${ListKind.name} AS kind, name_hash AS id FROM names WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.oracleLife}, id FROM oracles WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.channel}, id FROM channels WHERE position >= $1 AND position < $2
      UNION SELECT ${ListKind.channel}, id FROM channels WHERE closed_position >= $1 AND closed_position < $2`,
    values: [range.from, range.to],
  });
  return rows;
}

/** Takes away what is stored of contracts, their calls and oracle queries in the range and is none of the operations and calls there, and entries of no list. */
export async function forgetStrays(
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
  const isNone = (id: string, position: string): string => `
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
    text: `DELETE FROM contracts AS s WHERE ${isNone('id', 'position')}`,
    values: values(created),
  });
  await db.query({
    name: 'contract_calls.strays',
    text: `DELETE FROM contract_calls AS s WHERE ${isNone('contract_id', 'position')}`,
    values: values(calls.map(({ contractId, position }) => [contractId, position])),
  });
  await db.query({
    name: 'oracle_queries.strays',
    text: `UPDATE oracle_queries AS s SET position = NULL WHERE ${isNone('id', 'position')}`,
    values: values(asked),
  });
  await db.query({
    name: 'oracle_queries.stray-responses',
    text: `UPDATE oracle_queries AS s SET response_position = NULL WHERE ${isNone('id', 'response_position')}`,
    values: values(answered),
  });
  await db.query({
    name: 'oracle_queries.forget',
    text: 'DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL',
  });
}
