import type { KeyBlock } from '../../chain/facts.js';
import type { DbTransaction } from '../connection/database.js';
import { provenAfterWrite } from '../proven.js';
import { insertDueInfos } from '../due-infos.js';
import { insertUnknownInfos } from '../unknown-infos.js';
import { isProven, unprovenOf } from '../facts/blocks.js';
import type { Block, PlacedTransaction, Range } from '../facts/blocks.js';
import { copyRows } from './copy.js';
import { packed } from './packed-key-block.js';

/** Codes of transaction types by their names; types without a code get one. */
export async function typeCodes(tx: DbTransaction, names: ReadonlySet<string>): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ code: number; name: string }>({
    name: 'types.codes',
    text: `
      WITH added AS (
        INSERT INTO types (name)
        SELECT name FROM unnest($1::text[]) AS wanted (name) WHERE NOT EXISTS (SELECT FROM types t WHERE t.name = wanted.name)
        RETURNING code, name
      )
      SELECT code, name FROM added UNION ALL SELECT code, name FROM types WHERE name = ANY ($1::text[])`,
    values: [[...names]],
  });
  return new Map(rows.map((row) => [row.name, row.code]));
}

/** Inserts blocks and their transactions. Nothing may be stored at their positions. */
export async function insertFacts(
  tx: DbTransaction,
  blocks: readonly Block[],
  transactions: readonly PlacedTransaction[],
  types: ReadonlyMap<string, number>,
): Promise<void> {
  const keyBlocks = blocks.flatMap((block) => (block.kind === 'key' ? [block.keyBlock] : []));
  const microBlocks = blocks.flatMap((block) => (block.kind === 'micro' ? [block] : []));
  await insertKeyBlocks(tx, keyBlocks);
  await insertUnproven(tx, unprovenOf(blocks));
  await provenAfterWrite(tx, blocks, blocks.every(isProven));
  if (microBlocks.length === 0) return;
  await copyRows(
    tx,
    'micro_blocks',
    ['position', 'hash', 'prev_hash', 'time', 'tx_count', 'spend_count', 'spend_amount', 'body'],
    microBlocks.map(({ position, microBlock: m, spends, transactions: { length } }) => [
      position,
      m.hash,
      m.prevHash,
      m.time,
      length,
      spends.count,
      spends.amount,
      m.body,
    ]),
  );
  if (transactions.length === 0) return;
  await copyRows(
    tx,
    'transactions',
    ['position', 'hash', 'type', 'valid', 'size', 'fee', 'tx_start', 'tx_length', 'body'],
    transactions.map(({ position, transaction: t, derived }) => [
      position,
      t.hash,
      types.get(t.type) ?? null,
      derived.valid,
      t.size,
      t.fee,
      t.txStart,
      t.txLength,
      t.body,
    ]),
  );
  await insertInfos(
    tx,
    transactions.filter(({ transaction }) => transaction.info !== null),
  );
  await insertUnknownInfos(
    tx,
    transactions.flatMap(({ position, transaction }) => (transaction.isInfoUnknown === true ? [position] : [])),
  );
  await insertDueInfos(
    tx,
    transactions.flatMap(({ position, transaction, derived }) =>
      derived.runsContract && transaction.info === null && transaction.isInfoUnknown !== true ? [position] : [],
    ),
  );
}

/** By INSERT: a batch has few key blocks, and INSERT needs one round trip where COPY needs two. */
async function insertKeyBlocks(tx: DbTransaction, blocks: readonly KeyBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  const stored = blocks.map(packed);
  await tx.query({
    name: 'key_blocks.insert',
    text: `
      INSERT INTO key_blocks (height, hash, prev_hash, prev_key_hash, beneficiary, time, version, target, body)
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::int[],
        $8::bigint[], $9::text[])`,
    values: [
      blocks.map((k) => k.height),
      blocks.map((k) => k.hash),
      blocks.map((k) => k.prevHash),
      stored.map((k) => k.prevKeyHash),
      blocks.map((k) => k.beneficiary),
      blocks.map((k) => k.time),
      blocks.map((k) => k.version),
      blocks.map((k) => k.target),
      stored.map((k) => k.body),
    ],
  });
}

async function insertUnproven(tx: DbTransaction, unproven: ReturnType<typeof unprovenOf>): Promise<void> {
  if (unproven.length === 0) return;
  await tx.query({
    name: 'unproven.insert',
    text: `
      INSERT INTO unproven (position, hash, type, reason)
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])`,
    values: [
      unproven.map(({ position }) => position),
      unproven.map(({ hash }) => hash),
      unproven.map(({ type }) => type),
      unproven.map(({ reason }) => reason),
    ],
  });
}

async function insertInfos(tx: DbTransaction, transactions: readonly PlacedTransaction[]): Promise<void> {
  if (transactions.length === 0) return;
  await tx.query({
    name: 'infos.insert',
    text: 'INSERT INTO infos (position, body) SELECT * FROM unnest($1::bigint[], $2::text[])',
    values: [transactions.map((t) => t.position), transactions.map((t) => t.transaction.info)],
  });
}

/** Deletes all facts in the range, but no projections. */
export async function deleteFacts(tx: DbTransaction, range: Range): Promise<void> {
  for (const table of ['unproven', 'infos', 'unknown_infos', 'due_infos', 'transactions', 'micro_blocks']) {
    await tx.query({
      name: `${table}.delete`,
      text: `DELETE FROM ${table} WHERE position >= $1 AND position < $2`,
      values: [range.from, range.to],
    });
  }
  await tx.query({
    name: 'key_blocks.delete',
    text: 'DELETE FROM key_blocks WHERE height >= (($1::bigint + 8589934591) >> 33) AND height < (($2::bigint + 8589934591) >> 33)',
    values: [range.from, range.to],
  });
}
