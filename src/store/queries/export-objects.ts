import { COMMIT_NUMBER } from '../connection/commit-number.js';
import type { Queryable } from '../connection/database.js';
import { batch, ANCHOR_VALID } from './export-transactions.js';
import type { Anchor, Batch } from './export-transactions.js';
import { rankingOf } from './names.js';
import type { NamesOf } from './names.js';
import { NAME, WITH_NAME_RECORD } from './node-records.js';
import { microBlockOf } from '../positions.js';
import { membersAfter, rankedFrom, RankKind, WINDOW_MEMBERS } from './paging/ranks.js';
import type { Ranking } from './paging/ranks.js';
import type { RankCursor } from './paging/slice.js';

export interface ExportedName {
  position: string;
  time: string;
  block_hash: string;
  tx_hash: string;
  name: string;
  name_hash: string;
  owner: string;
  created_at_height: string;
  auction_end_height: string;
  expires_at: string;
  pointers: string | null;
  source: 'node' | 'unknown' | null;
  /** As in the lists, by which they are sorted: without the node's record. */
  listed_expires_at: string;
}

export interface ExportedCall {
  position: string;
  height: string;
  time: string;
  block_hash: string;
  hash: string;
  body: string;
  info: string | null;
  contract_id: string;
  arguments: string;
  result: string | null;
}

/** Rows of one batch. */
const ROWS = 200;

/** What the rank of a name in the lists of names is made of. */
type NameRank = Pick<ExportedName, 'position' | 'name' | 'created_at_height' | 'listed_expires_at'>;

/** The name that was claimed at a position; null when there is none. */
export async function nameAt(db: Queryable, position: bigint): Promise<NameRank | null> {
  const { rows } = await db.query<NameRank>({
    name: 'export.name_at',
    text: `SELECT position, name, created_at_height, expires_at AS listed_expires_at, ${COMMIT_NUMBER} FROM names WHERE position = $1`,
    values: [position],
  });
  return rows[0] ?? null;
}

/** Names after the row `after`, or after `skip` rows where that is null, in the order of the list of names. */
export function namesBatch(
  db: Queryable,
  of: NamesOf,
  after: NameRank | null,
  skip: bigint,
  anchor: Anchor | null,
): Promise<Batch<ExportedName>> {
  const cursor = after && {
    key: -BigInt(of.owner === null ? after.created_at_height : after.listed_expires_at),
    label: after.name,
    position: BigInt(after.position),
  };
  const columns = `
    n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, ${NAME.owner} AS owner, n.created_at_height,
    ${NAME.auctionEnd} AS auction_end_height, ${NAME.expiresAt} AS expires_at, ${NAME.pointers} AS pointers,
    ${NAME.source} AS source, n.expires_at AS listed_expires_at`;
  const joined = `
    JOIN names AS n ON n.position = picked.position
    ${WITH_NAME_RECORD}
    JOIN micro_blocks AS m ON m.position = ${microBlockOf('n.position')}`;
  return rankedBatch(db, { name: 'export.names', ranking: rankingOf(of), columns, joined }, cursor, skip, anchor);
}

/** Decoded calls of a contract after a position, or after `skip` calls where that is null, oldest first. */
export function callsBatch(
  db: Queryable,
  contract: string,
  after: string | null,
  skip: bigint,
  anchor: Anchor | null,
): Promise<Batch<ExportedCall>> {
  const ranking = { kind: RankKind.calls, id: contract, reverse: false };
  const columns = `
    c.position, c.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body, i.body AS info,
    c.contract_id, c.arguments, c.result`;
  const joined = `
    JOIN contract_calls AS c ON c.position = picked.position
    JOIN transactions AS t ON t.position = picked.position
    JOIN micro_blocks AS m ON m.position = ${microBlockOf('c.position')}
    LEFT JOIN infos AS i ON i.position = c.position`;
  const cursor = after === null ? null : { key: 0n, label: '', position: BigInt(after) };
  return rankedBatch(db, { name: 'export.calls', ranking, columns, joined }, cursor, skip, anchor);
}

interface Exported {
  name: string;
  ranking: Ranking;
  columns: string;
  /** Joins that give the columns for one `picked.position`. */
  joined: string;
}

function rankedBatch<Row extends { position: string }>(
  db: Queryable,
  { name, ranking: { kind, id, reverse }, columns, joined }: Exported,
  after: RankCursor | null,
  skip: bigint,
  anchor: Anchor | null,
): Promise<Batch<Row>> {
  const following = `
    SELECT r.position
    FROM (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS k
    CROSS JOIN LATERAL (${membersAfter(reverse, 'k.key', 5, String(ROWS))}) AS r
    ORDER BY r.number`;
  const first = `
    SELECT listed.position ${rankedFrom(reverse, '$5', '$6')} CROSS JOIN LATERAL (${WINDOW_MEMBERS}) AS listed
    ${reverse ? 'ORDER BY row_number() OVER () DESC' : ''}`;
  return batch<Row>(db, {
    name: [name, reverse && 'reversed', after && 'after'].filter(Boolean).join('.'),
    text: `
      SELECT a.is_valid, ${COMMIT_NUMBER}, item.*
      FROM (${ANCHOR_VALID('$3', '$4')}) AS a
      LEFT JOIN LATERAL (
        SELECT ${columns}, picked.number
        FROM (SELECT listed.position, row_number() OVER () AS number FROM (${after === null ? first : following}) AS listed) AS picked
        ${joined}
      ) AS item ON true
      ORDER BY item.number`,
    values: [
      kind,
      id,
      anchor?.position ?? null,
      anchor?.hash ?? null,
      ...(after === null ? [skip, ROWS] : [after.key, after.label, after.position]),
    ],
  });
}
