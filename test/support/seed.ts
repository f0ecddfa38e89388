/** Writes chains into a database with the production code. */
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { KeyBlock } from '../../src/chain/facts.js';
import { microPosition } from '../../src/chain/position.js';
import { createLogger } from '../../src/observe/logger.js';
import type { Database } from '../../src/store/connection/database.js';
import { placeKeyBlock, placeMicroBlock } from '../../src/store/facts/blocks.js';
import type { Block } from '../../src/store/facts/blocks.js';
import { commit } from '../../src/store/write/commit.js';
import { testDatabase } from './postgres.js';
import { emptyCopy } from './roles.js';
import { recordedGenerations, recordedInfo } from './recording.js';

export interface SeededDatabase {
  database: Database;
  drop(): Promise<void>;
}

export const silent = createLogger({ level: 'silent' });

/** A migrated, empty database. */
export async function emptyDatabase(): Promise<SeededDatabase> {
  const { url, drop } = await testDatabase();
  const database = await emptyCopy(url);
  return {
    database,
    drop: async () => {
      await database.close();
      await drop();
    },
  };
}

/** Adds blocks above the stored ones. */
export async function append(database: Database, base: string | null, blocks: readonly Block[]): Promise<void> {
  await commit(database, () => Promise.resolve(), { base, removeFrom: null, blocks });
}

/** Changes columns of `chain`, for example `live = true`. */
export async function setChain(database: Database, columns: string): Promise<void> {
  await database.query({ name: `test.chain ${columns}`, text: `UPDATE chain SET ${columns}` });
}

/** The recorded chain of a real node, from `from` to `to`. */
export function recordedBlocks(from = 0, to = Infinity): Block[] {
  return recordedGenerations()
    .filter(({ height }) => height >= from && height <= to)
    .flatMap((generation) => {
      const keyBlock = readKeyBlock(generation.keyBlock);
      const micros = generation.microBlocks.map(({ header, transactions }, i) => {
        const microBlock = readMicroBlock(header, transactions);
        for (const transaction of microBlock.transactions) transaction.info = recordedInfo(transaction.hash);
        return placeMicroBlock(microBlock, microPosition(keyBlock.height, i + 1), keyBlock.version);
      });
      return [placeKeyBlock(keyBlock), ...micros];
    });
}

export const madeHash = (prefix: 'kh' | 'mh' | 'th' | 'ak' | 'ok', seed: string): string =>
  encodeId(prefix, hash(Buffer.from(seed)));

export interface MadeTransaction {
  type?: string;
  sender?: string;
  recipient?: string;
  fee?: string;
  /** The whole inner transaction, instead of a spend. */
  tx?: JsonObject;
}

export interface MadeGeneration {
  /** Milliseconds; one minute after the previous block if absent. */
  time?: number;
  /** Transactions of each micro block, oldest first. */
  microBlocks?: MadeTransaction[][];
}

/** A correctly linked chain with only the given content; heights start at `from`. */
export function madeBlocks(generations: readonly MadeGeneration[], from = 0, previous?: string): Block[] {
  const blocks: Block[] = [];
  let prevHash = previous ?? madeHash('kh', 'before');
  let prevKeyHash = prevHash;
  generations.forEach((generation, i) => {
    const height = from + i;
    const time = generation.time ?? height * 60_000;
    const keyBlock = madeKeyBlock(height, time, prevHash, prevKeyHash);
    blocks.push(placeKeyBlock(keyBlock));
    prevHash = prevKeyHash = keyBlock.hash;
    (generation.microBlocks ?? []).forEach((transactions, micro) => {
      const blockHash = madeHash('mh', `${height}/${micro}`);
      const header = {
        hash: blockHash,
        height,
        prev_hash: prevHash,
        prev_key_hash: prevKeyHash,
        time: time + 3000 * (micro + 1),
        version: 5,
      };
      const bodies = transactions.map((transaction, n) => madeBody(transaction, height, micro, n, blockHash));
      const answer = `{"transactions":[${bodies.join(',')}]}`;
      blocks.push(placeMicroBlock(readMicroBlock(JSON.stringify(header), answer), microPosition(height, micro + 1), 5));
      prevHash = blockHash;
    });
  });
  return blocks;
}

function madeKeyBlock(height: number, time: number, prevHash: string, prevKeyHash: string): KeyBlock {
  const beneficiary = madeHash('ak', 'miner');
  return readKeyBlock(
    JSON.stringify({
      beneficiary,
      hash: madeHash('kh', `${height} at ${time}`),
      height,
      info: 'cb_Xfbg4g==',
      miner: beneficiary,
      prev_hash: prevHash,
      prev_key_hash: prevKeyHash,
      target: 553713663,
      time,
      version: 5,
    }),
  );
}

function madeBody(made: MadeTransaction, height: number, micro: number, n: number, blockHash: string): string {
  const { type = 'SpendTx', sender = madeHash('ak', 'alice'), recipient = madeHash('ak', 'bob'), fee = '20000' } = made;
  const tx =
    made.tx !== undefined
      ? stringifyExact(made.tx)
      : `{"amount":20000000000000000000,"fee":${fee},"nonce":${height + 1},"payload":"ba_Xfbg4g==",` +
        `"recipient_id":"${recipient}","sender_id":"${sender}","type":"${type}","version":1}`;
  const hash = madeHash('th', `${height}/${micro}/${n}`);
  return `{"block_hash":"${blockHash}","block_height":${height},"hash":"${hash}","signatures":[],"tx":${tx}}`;
}
