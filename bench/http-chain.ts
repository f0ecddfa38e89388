/** A large chain written as the populator writes one, with no node: blocks that name their predecessors, transactions of several types. */
import { createHash } from 'node:crypto';
import { encodeId, hash } from '../src/chain/encoding/encoding.js';
import { readKeyBlock, readMicroBlock } from '../src/chain/facts.js';
import { microPosition } from '../src/chain/position.js';
import type { Database } from '../src/store/connection/database.js';
import { placeKeyBlock, placeMicroBlock } from '../src/store/facts/blocks.js';
import type { Block } from '../src/store/facts/blocks.js';
import { beginLedger, extendLedger } from '../src/store/projections/ledger-extend.js';
import { commit } from '../src/store/write/commit.js';
import { bodyOf } from './http-bodies.js';

export const PER_GENERATION = 100;
const GENERATIONS_A_COMMIT = 50;
const ACCOUNTS = 10_000;
export const lightCount = ACCOUNTS;

const id = (prefix: 'kh' | 'mh' | 'th' | 'ak', seed: string): string => encodeId(prefix, hash(Buffer.from(seed)));
const accounts = Array.from({ length: ACCOUNTS }, (_, i) => id('ak', `account ${i}`));

/** One of the others, which share what is left. */
export const accountOf = (i: number): string => accounts[i]!;

/** Has three of ten transactions. */
export const HEAVY = id('ak', 'heavy');
export const txHash = (height: number, n: number): string => id('th', `${height}/${n}`);

/** Writes `transactions` of them, `PER_GENERATION` in each generation. */
export async function writeChain(
  database: Database,
  transactions: number,
  onProgress: (written: number) => void,
): Promise<number> {
  const heights = Math.ceil(transactions / PER_GENERATION);
  let base: string | null = null;
  let previous = id('kh', 'before');
  let previousKey = previous;
  for (let from = 0; from < heights; from += GENERATIONS_A_COMMIT) {
    const blocks: Block[] = [];
    for (let height = from; height < Math.min(heights, from + GENERATIONS_A_COMMIT); height += 1) {
      const key = keyBlock(height, previous, previousKey);
      blocks.push(placeKeyBlock(readKeyBlock(key.text)));
      const micro = microBlock(height, key.hash);
      blocks.push(placeMicroBlock(readMicroBlock(micro.header, micro.transactions), microPosition(height, 1), 5));
      [previous, previousKey] = [micro.hash, key.hash];
    }
    await commit(database, () => Promise.resolve(), { base, removeFrom: null, blocks });
    base = previous;
    onProgress(Math.min(heights, from + GENERATIONS_A_COMMIT) * PER_GENERATION);
  }
  return heights - 1;
}

/** Name number `n` of `writeNames`. */
export const nameOf = (n: number): string => `${createHash('md5').update(String(n)).digest('hex')}.chain`;

/** Writes names of which one is claimed at each height and place, as the populator's statements do but without their transactions. */
export async function writeNames(database: Database, count: number): Promise<void> {
  await database.query({
    name: 'bench.names',
    text: `
      INSERT INTO names (
        position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at, pointer_ids, bid_position
      )
      SELECT
        ((n / 10)::bigint << 33) + 65536 + n % 10, md5(n::text) || '.chain', 'nm_' || md5(n::text), 'th_' || md5(n::text),
        n / 10, n / 10, 'ak_' || md5((n % 1000)::text), n / 10 + 180000, '{}', ((n / 10)::bigint << 33) + 65536 + n % 10
      FROM generate_series(0, $1::int - 1) AS n`,
    values: [count],
  });
}

/** Writes what nodes and decoding tell of calls later: all are decoded, one in twenty was reverted. */
export async function writeCalls(database: Database): Promise<void> {
  await database.query({
    name: 'bench.infos',
    text: `
      INSERT INTO infos (position, body)
      SELECT c.position,
        CASE WHEN t.body LIKE '%PayingForTx%' THEN '{"tx_info":"PayingForTx","call_info":' ELSE '{"call_info":' END ||
        '{"caller_id":"' || substring(t.body FROM '"caller_id":"(\\w+)"') || '","caller_nonce":7,"contract_id":"' || c.contract_id ||
        '","gas_price":1000000000,"gas_used":' || 2000 + c.position % 9000 || ',"height":' || (c.position >> 33) || ',"log":[],"return_type":"' ||
        CASE WHEN c.position % 20 = 3 THEN 'revert' ELSE 'ok' END || '","return_value":"cb_' || md5(c.position::text) || '"}}'
      FROM contract_calls AS c JOIN transactions AS t ON t.position = c.position`,
  });
  await database.query({
    name: 'bench.calls',
    text: `
      UPDATE contract_calls
      SET state = 'done', result = '{"type":"int","value":' || position % 100000 || '}',
        arguments = '{"function":"transfer","arguments":[{"type":"address","value":"ak_' || md5(position::text) ||
          '"},{"type":"int","value":' || position % 1000000 || '}]}'`,
  });
  await database.query({ name: 'bench.due', text: 'DELETE FROM due_infos' });
}

/** Writes what changed each balance, as the populator does, on a network whose rewards nobody knows. */
export async function writeLedger(database: Database): Promise<void> {
  await database.transaction((tx) => beginLedger(tx, 'ae_bench', null));
  for (;;) {
    if ((await database.transaction((tx) => extendLedger(tx))) === null) return;
  }
}

const timeOf = (height: number): number => 1_543_400_000_000 + height * 180_000;

function keyBlock(height: number, prev: string, prevKey: string): { hash: string; text: string } {
  const [hash, beneficiary] = [id('kh', String(height)), accounts[height % ACCOUNTS]];
  const text = JSON.stringify({
    beneficiary,
    hash,
    height,
    info: 'cb_AAAAAfy4hFE=',
    miner: beneficiary,
    nonce: height * 7919,
    pow: Array.from({ length: 42 }, (_, i) => height + i * 12_345_678),
    prev_hash: prev,
    prev_key_hash: prevKey,
    state_hash: id('kh', `state ${height}`).replace('kh_', 'bs_'),
    target: 504_000_000,
    time: timeOf(height),
    version: 5,
  });
  return { hash, text };
}

function microBlock(height: number, prev: string): { hash: string; header: string; transactions: string } {
  const blockHash = id('mh', String(height));
  const header = JSON.stringify({
    hash: blockHash,
    height,
    pof_hash: 'no_fraud',
    prev_hash: prev,
    prev_key_hash: prev,
    signature: 'sg_'.padEnd(99, 'x'),
    state_hash: id('kh', `micro state ${height}`).replace('kh_', 'bs_'),
    time: timeOf(height) + 3000,
    txs_hash: id('kh', `txs ${height}`).replace('kh_', 'bx_'),
    version: 5,
  });
  const bodies = Array.from({ length: PER_GENERATION }, (_, n) => {
    const number = height * PER_GENERATION + n;
    const sender = n % 10 < 3 ? HEAVY : accounts[(number + Math.floor(number / ACCOUNTS) * 3) % ACCOUNTS]!;
    const recipient = accounts[(number * 31 + 7) % ACCOUNTS]!;
    return bodyOf({ blockHash, height, hash: txHash(height, n), number, sender, recipient });
  });
  return { hash: blockHash, header, transactions: `{"transactions":[${bodies.join(',')}]}` };
}
