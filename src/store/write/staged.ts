import { randomUUID } from 'node:crypto';
import { readKeyBlock, readMicroBlock } from '../../chain/facts.js';
import type { Unproven } from '../../chain/facts.js';
import { keyPosition } from '../../chain/position.js';
import { TARGETS_READ, workOf } from '../work.js';
import type { Database, Queryable, DbTransaction } from '../connection/database.js';
import { isProven, placeKeyBlock, placeMicroBlock } from '../facts/blocks.js';
import type { Block } from '../facts/blocks.js';
import { copyRows } from './copy.js';

/** Blocks that were read from a node and wait in the database (`staged_blocks`) until they replace what is stored. */
export interface Staged {
  readonly owner: string;
}

/** Belongs to the holder of the lease. It outlives a process, so that a branch need not be read again after a fault of the node. */
export const POPULATORS_STAGE: Staged = { owner: 'populator' };

/** Max characters of the node's texts, and max blocks, that are read back at a time. */
const PAGE = { characters: 4_000_000, blocks: 500 };

/** Adds blocks to the stage. */
export async function stageBlocks(tx: DbTransaction, { owner }: Staged, blocks: readonly Block[]): Promise<void> {
  await copyRows(
    tx,
    'staged_blocks',
    [
      ...['owner', 'position', 'hash', 'prev_hash', 'proven', 'target', 'version'],
      ...['body', 'transactions', 'infos', 'unproven'],
    ],
    blocks.map((block) => {
      const placed = [owner, block.position, block.hash, block.prevHash, isProven(block)];
      if (block.kind === 'key') {
        const { target, body, unproven } = block.keyBlock;
        return [...placed, target, null, body, null, null, textOf(unproven)];
      }
      const { body, unproven } = block.microBlock;
      const transactions = block.transactions.map(({ transaction }) => transaction);
      const infos = transactions.map(({ info, isInfoUnknown }) => (isInfoUnknown === true ? UNKNOWN : info));
      return [
        ...placed,
        null,
        block.transactions[0]?.version ?? 0,
        body,
        `{"transactions":[${transactions.map((transaction) => transaction.body).join(',')}]}`,
        infos.some((info) => info !== null) ? JSON.stringify(infos) : null,
        textOf(unproven),
      ];
    }),
  );
}

/** In the list of call information, for a transaction whose call information is unknown. */
const UNKNOWN = false;

const textOf = (unproven: readonly Unproven[] | undefined): string | null =>
  unproven === undefined ? null : JSON.stringify(unproven);

/** The first and the last block of the stage; null when it is empty. */
export async function stagedEnds(
  db: Queryable,
  { owner }: Staged,
): Promise<{ first: StagedBlock; last: StagedBlock } | null> {
  const { rows } = await db.query<{ position: string; hash: string; prev_hash: string }>({
    name: 'staged.ends',
    text: `
      (SELECT position, hash, prev_hash FROM staged_blocks WHERE owner = $1 ORDER BY position LIMIT 1)
      UNION ALL
      (SELECT position, hash, prev_hash FROM staged_blocks WHERE owner = $1 ORDER BY position DESC LIMIT 1)`,
    values: [owner],
  });
  const [first, last] = rows.map((row) => ({
    position: BigInt(row.position),
    hash: row.hash,
    prevHash: row.prev_hash,
  }));
  return first === undefined || last === undefined ? null : { first, last };
}

interface StagedBlock {
  position: bigint;
  hash: string;
  prevHash: string;
}

export async function stagedKeyHash(db: Queryable, { owner }: Staged, height: number): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>({
    name: 'staged.key-hash',
    text: 'SELECT hash FROM staged_blocks WHERE owner = $1 AND position = $2',
    values: [owner, keyPosition(height)],
  });
  return rows[0]?.hash ?? null;
}

/** Work of the staged key blocks, computed from their targets. */
export async function stagedWork(db: Queryable, { owner }: Staged): Promise<bigint> {
  return workOf(async (after) => {
    const { rows } = await db.query<{ height: string; target: string }>({
      name: 'staged.targets',
      text: `
        SELECT position >> 33 AS height, target FROM staged_blocks
        WHERE owner = $1 AND target IS NOT NULL AND position > $2::bigint << 33 ORDER BY position LIMIT $3`,
      values: [owner, after, TARGETS_READ],
    });
    return rows;
  }, -1);
}

/** Removes the blocks from a position on from the stage. */
export async function unstage(db: Queryable, { owner }: Staged, from = 0n): Promise<void> {
  await db.query({
    name: 'staged.delete',
    text: 'DELETE FROM staged_blocks WHERE owner = $1 AND position >= $2',
    values: [owner, from],
  });
}

/** The blocks in chain order, as they were read; in pages, so that few are in memory at a time. */
export async function* stagedBlocks(tx: DbTransaction, { owner }: Staged): AsyncGenerator<Block[]> {
  for (let after = -1n; ;) {
    const { rows } = await tx.query<StagedRow>({
      name: 'staged.page',
      text: `
        SELECT position, version, body, transactions, infos, unproven, proven
        FROM (
          SELECT *, sum(length(body) + coalesce(length(transactions), 0))
            OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
          FROM (
            SELECT * FROM staged_blocks WHERE owner = $1 AND position > $2 ORDER BY position LIMIT $3
          ) AS next
        ) AS page
        WHERE coalesce(before, 0) < $4
        ORDER BY position`,
      values: [owner, after, PAGE.blocks, PAGE.characters],
    });
    if (rows.length === 0) return;
    yield rows.map(blockOf);
    after = BigInt(rows.at(-1)!.position);
  }
}

/** The blocks by generation; the first generation may have no key block. */
export async function* stagedGenerations(tx: DbTransaction, staged: Staged): AsyncGenerator<Block[]> {
  let generation: Block[] = [];
  for await (const blocks of stagedBlocks(tx, staged)) {
    for (const block of blocks) {
      if (block.kind === 'key' && generation.length > 0) {
        yield generation;
        generation = [];
      }
      generation.push(block);
    }
  }
  if (generation.length > 0) yield generation;
}

interface StagedRow {
  position: string;
  version: number | null;
  body: string;
  transactions: string | null;
  infos: string | null;
  unproven: string | null;
  proven: boolean;
}

function blockOf({ position, version, body, transactions, infos, unproven, proven }: StagedRow): Block {
  const believed = { proven, ...(unproven !== null && { unproven: JSON.parse(unproven) as Unproven[] }) };
  if (transactions === null) return placeKeyBlock({ ...readKeyBlock(body), ...believed });
  const microBlock = { ...readMicroBlock(body, transactions), ...believed };
  const texts = infos === null ? [] : (JSON.parse(infos) as (string | null | typeof UNKNOWN)[]);
  for (const [i, transaction] of microBlock.transactions.entries()) {
    const info = texts[i] ?? null;
    if (info === UNKNOWN) transaction.isInfoUnknown = true;
    else transaction.info = info;
  }
  return placeMicroBlock(microBlock, BigInt(position), version ?? 0);
}

/** Name of the lock that a process holds while it has a stage of its own. */
const LOCK = `hashtextextended('mdw stage ' || current_schema() || ' ' || owner, 0)`;

/** A stage for a process other than the populator; `close` empties it. */
export async function openStage(database: Database): Promise<Staged & { close(): Promise<void> }> {
  const owner = `heights ${randomUUID()}`;
  const client = await database.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${LOCK}) FROM (SELECT $1::text AS owner) AS own`, [owner]);
    await discardLeftovers(database);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    owner,
    async close() {
      await unstage(database, { owner }).finally(() => client.end());
    },
  };
}

/** Empties the stages of processes that ended without closing them: nobody holds their lock. */
export async function discardLeftovers(db: Queryable): Promise<void> {
  await db.query({
    name: 'staged.leftovers',
    text: `
      DELETE FROM staged_blocks WHERE owner IN (
        SELECT owner FROM (SELECT DISTINCT owner FROM staged_blocks WHERE owner LIKE 'heights %' OFFSET 0) AS owners
        WHERE pg_try_advisory_xact_lock(${LOCK})
      )`,
  });
}
