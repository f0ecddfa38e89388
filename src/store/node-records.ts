/** Records of names, auctions and oracles as a node has them. See docs/trust.md. */
import type { Queryable } from './connection/database.js';
import { COPIED, NEAR_GENERATIONS } from './queries/node-records.js';
import type { NodeRecordKind } from './queries/node-records.js';

/** A record of the copy that a node can be asked about. */
export interface CopiedRecord {
  kind: NodeRecordKind;
  position: bigint;
  /** `nm_…` or `ok_…`. */
  id: string;
  /** Text of the name. */
  name: string | null;
  /** All that a node may have differently, as one text. */
  copied: string;
  /** Owner or highest bidder. */
  owner: string | null;
  /** Last height. */
  endsAt: bigint;
  /** Exact JSON text. */
  pointers: string | null;
  bid: bigint | null;
}

/** What the node has, where it is not what the copy has. */
export interface NodeDifference {
  owner: string | null;
  endsAt: bigint | null;
  pointers: string | null;
  bid: bigint | null;
}

/** A record that was compared; `differs` is null if the node has the same. */
export interface ComparedRecord {
  record: CopiedRecord;
  differs: NodeDifference | null;
}

interface Source {
  from: string;
  columns: string;
  /** Whether the node has the record at the head `$1`. Not in the generations in which it begins and ends: the node may be one block further. */
  isLive: string;
  position: string;
  end: string;
}

const SOURCES: Record<NodeRecordKind, Source> = {
  name: {
    from: 'names AS n',
    columns: 'n.name_hash AS id, n.name, n.owner, n.pointers, NULL::numeric AS bid',
    isLive: 'n.active AND n.expires_at > $1::bigint AND n.auction_end_height < $1::bigint - 1',
    position: 'n.position',
    end: 'n.expires_at',
  },
  auction: {
    from: 'names AS n',
    columns: 'n.name_hash AS id, n.name, n.winning_bidder AS owner, NULL AS pointers, n.winning_bid AS bid',
    isLive: 'n.running AND n.auction_end_height > $1::bigint',
    position: 'n.position',
    end: 'n.auction_end_height',
  },
  oracle: {
    from: 'oracles AS o',
    columns: 'o.id, NULL AS name, NULL AS owner, NULL AS pointers, NULL::numeric AS bid',
    isLive: 'o.active AND o.expires_at > $1::bigint',
    position: 'o.position',
    end: 'o.expires_at',
  },
};

export const NODE_RECORD_KINDS = Object.keys(SOURCES) as NodeRecordKind[];

interface RecordRow extends Omit<CopiedRecord, 'kind' | 'position' | 'endsAt' | 'bid'> {
  position: string;
  ends_at: string;
  bid: string | null;
}

const toRecord = (kind: NodeRecordKind, { ends_at, position, bid, ...row }: RecordRow): CopiedRecord => ({
  ...row,
  kind,
  position: BigInt(position),
  endsAt: BigInt(ends_at),
  bid: bid === null ? null : BigInt(bid),
});

const select = (kind: NodeRecordKind): string => {
  const { position, end, columns } = SOURCES[kind];
  return `SELECT ${position}, ${end} AS ends_at, ${COPIED[kind]} AS copied, ${columns}`;
};

/** Records of which a row is stored, and which are to be compared again: those that have not ended in the copy, or not on the node. */
export async function dueRecords(
  db: Queryable,
  kind: NodeRecordKind,
  head: number,
  limit: number,
): Promise<CopiedRecord[]> {
  const { from, isLive, position } = SOURCES[kind];
  const { rows } = await db.query<RecordRow>({
    name: `node_records.due-${kind}`,
    text: `
      ${select(kind)}
      FROM node_records AS d JOIN ${from} ON ${position} = d.position
      WHERE d.due_at <= now() AND d.kind = '${kind}' AND (${isLive} OR d.ends_at > $1)
      ORDER BY d.due_at
      LIMIT $2`,
    values: [head, limit],
  });
  return rows.map((row) => toRecord(kind, row));
}

/** Where a walk through the records of a kind is: by their ends, soonest first. */
export type WalkCursor = Pick<CopiedRecord, 'endsAt' | 'position'>;

/** Records without a stored row, after a cursor, that end at `until` or before; null: at any height. */
export async function recordsByEnd(
  db: Queryable,
  kind: NodeRecordKind,
  head: number,
  after: WalkCursor,
  until: number | null,
  limit: number,
): Promise<CopiedRecord[]> {
  const { from, isLive, position, end } = SOURCES[kind];
  const { rows } = await db.query<RecordRow>({
    name: `node_records.walk-${kind}`,
    text: `
      ${select(kind)}
      FROM ${from}
      WHERE ${isLive} AND ${end} >= $2 AND (${end}, ${position}) > ($2, $3::bigint) AND ($4::bigint IS NULL OR ${end} <= $4)
        AND NOT EXISTS (SELECT FROM node_records AS k WHERE k.position = ${position} AND k.kind = '${kind}')
      ORDER BY ${end}, ${position}
      LIMIT $5`,
    values: [head, after.endsAt, after.position, until, limit],
  });
  return rows.map((row) => toRecord(kind, row));
}

/**
 * Stores the result of a comparison at the head `head`: a row if the node has something else, or if the record ends soon. Rows of records that
 * are the same again are deleted. Returns whether answers may have changed.
 */
export async function saveCompared(tx: Queryable, head: number, compared: readonly ComparedRecord[]): Promise<boolean> {
  const isNear = ({ record }: ComparedRecord): boolean => record.endsAt <= head + NEAR_GENERATIONS;
  const kept = compared.filter((one) => one.differs !== null || isNear(one));
  const same = compared.filter((one) => !kept.includes(one)).map(({ record }) => record);
  const { rows: deleted } = await tx.query({
    name: 'node_records.forget',
    text: `
      DELETE FROM node_records AS k USING unnest($1::bigint[], $2::text[]) AS d (position, kind)
      WHERE k.position = d.position AND k.kind = d.kind
      RETURNING k.position`,
    values: [same.map(({ position }) => position), same.map(({ kind }) => kind)],
  });
  if (kept.length === 0) return deleted.length > 0;
  await tx.query({
    name: 'node_records.save',
    text: `
      INSERT INTO node_records AS k (position, kind, copied, height, differs, owner, ends_at, pointers, bid, due_at)
      SELECT d.position, d.kind, d.copied, $1::bigint, d.differs, d.owner, d.ends_at, d.pointers, d.bid,
        now() + CASE WHEN d.near THEN interval '10 minutes' ELSE interval '1 hour' END
      FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::bigint[], $8::text[], $9::numeric[], $10::boolean[])
        AS d (position, kind, copied, differs, owner, ends_at, pointers, bid, near)
      ON CONFLICT (position, kind) DO UPDATE SET copied = EXCLUDED.copied, height = EXCLUDED.height, differs = EXCLUDED.differs,
        owner = EXCLUDED.owner, pointers = EXCLUDED.pointers, bid = EXCLUDED.bid, due_at = EXCLUDED.due_at,
        -- Of a record that the node has no more, the height at which that was seen first.
        ends_at = CASE WHEN EXCLUDED.ends_at <= EXCLUDED.height THEN LEAST(EXCLUDED.ends_at, k.ends_at) ELSE EXCLUDED.ends_at END`,
    values: [
      head,
      kept.map(({ record }) => record.position),
      kept.map(({ record }) => record.kind),
      kept.map(({ record }) => record.copied),
      kept.map(({ differs }) => differs !== null),
      kept.map(({ differs }) => differs?.owner ?? null),
      kept.map(({ differs }) => differs?.endsAt ?? null),
      kept.map(({ differs }) => differs?.pointers ?? null),
      kept.map(({ differs }) => differs?.bid ?? null),
      kept.map(isNear),
    ],
  });
  return true;
}

/** Postpones records about which the node gave no answer that can be used. */
export async function postponeRecords(tx: Queryable, records: readonly CopiedRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.query({
    name: 'node_records.postpone',
    text: `
      UPDATE node_records AS k SET due_at = now() + interval '10 minutes'
      FROM unnest($1::bigint[], $2::text[]) AS d (position, kind)
      WHERE k.position = d.position AND k.kind = d.kind`,
    values: [records.map(({ position }) => position), records.map(({ kind }) => kind)],
  });
}

/** Number of records that are served as the node has them, by kind. */
export async function countDiffering(db: Queryable): Promise<Record<NodeRecordKind, number>> {
  const { rows } = await db.query<{ kind: NodeRecordKind; count: string }>({
    name: 'node_records.count',
    text: 'SELECT kind, count(*) FROM node_records WHERE differs GROUP BY kind',
  });
  const counts = { name: 0, auction: 0, oracle: 0 };
  for (const { kind, count } of rows) counts[kind] = Number(count);
  return counts;
}
