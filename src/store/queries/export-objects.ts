import type { Queryable } from '../database.js';
import { batch, STANDS } from './export-transactions.js';
import type { Anchor, Batch } from './export-transactions.js';
import { ACTIVE } from './names.js';
import type { NamesOf } from './names.js';
import { microBlockOf } from './positions.js';

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

const ROWS = 200;

/** Names behind a row given before, in the order that the list of names has. */
export function namesBatch(
  db: Queryable,
  { owner, active, reverse }: NamesOf,
  after: ExportedName | null,
  skip: bigint,
  anchor: Anchor | null,
): Promise<Batch<ExportedName>> {
  const height = owner === null ? 'created_at_height' : 'expires_at';
  const [beyond, later] = reverse ? ['>', '<'] : ['<', '>'];
  const [down, up] = reverse ? ['', 'DESC'] : ['DESC', ''];
  const order = (n: string): string => `${n}.${height} ${down}, ${n}.name ${up}, ${n}.position ${up}`;
  const behind = `
    n.${height} ${beyond}= $4::bigint
    AND (n.${height} ${beyond} $4::bigint OR (n.name, n.position) ${later} ($5 COLLATE "C", $6::bigint))`;
  const wanted = [
    ...(active ? [ACTIVE] : []),
    ...(after === null ? [] : [behind]),
    ...(owner === null ? [] : [`n.owner = $${after === null ? 4 : 7}`]),
  ];
  const name = [
    'export.names',
    active && 'active',
    owner !== null && 'of_owner',
    reverse && 'reversed',
    after && 'behind',
  ];
  return batch<ExportedName>(db, {
    name: name.filter(Boolean).join('.'),
    text: `
      SELECT a.stands, item.*
      FROM (${STANDS('$1', '$2')}) AS a
      LEFT JOIN LATERAL (
        SELECT
          n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, n.owner, n.created_at_height,
          n.auction_end_height, n.expires_at, n.pointers
        FROM (
          SELECT n.position
          FROM names AS n
          ${wanted.length === 0 ? '' : `WHERE ${wanted.join(' AND ')}`}
          ORDER BY ${order('n')}
          LIMIT ${ROWS} OFFSET $3::bigint
        ) AS picked
        JOIN names AS n ON n.position = picked.position
        JOIN micro_blocks AS m ON m.position = ${microBlockOf('n.position')}
      ) AS item ON true
      ORDER BY ${order('item')}`,
    values: [
      anchor?.position ?? null,
      anchor?.hash ?? null,
      skip,
      ...(after === null ? [] : [after[height], after.name, after.position]),
      ...(owner === null ? [] : [owner]),
    ],
  });
}

/** Decoded calls of a contract behind a position, oldest first. */
export function callsBatch(
  db: Queryable,
  contract: string,
  after: string,
  skip: bigint,
  anchor: Anchor | null,
): Promise<Batch<ExportedCall>> {
  return batch<ExportedCall>(db, {
    name: 'export.calls',
    text: `
      SELECT a.stands, item.*
      FROM (${STANDS('$1', '$2')}) AS a
      LEFT JOIN LATERAL (
        SELECT
          c.position, c.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body, i.body AS info,
          c.contract_id, c.arguments, c.result
        FROM (
          SELECT position FROM contract_calls
          WHERE contract_id = $3 AND state = 'done' AND position > $4::bigint
          ORDER BY position
          LIMIT ${ROWS} OFFSET $5::bigint
        ) AS picked
        JOIN contract_calls AS c ON c.position = picked.position
        JOIN transactions AS t ON t.position = picked.position
        JOIN micro_blocks AS m ON m.position = ${microBlockOf('c.position')}
        LEFT JOIN infos AS i ON i.position = c.position
      ) AS item ON true
      ORDER BY item.position`,
    values: [anchor?.position ?? null, anchor?.hash ?? null, contract, after, skip],
  });
}
