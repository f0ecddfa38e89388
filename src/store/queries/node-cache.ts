import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { inGeneration, inMicroBlock } from '../positions.js';

/**
 * Answers as the node gives them, made from its stored texts. Without a row the object is not stored, so the request must be
 * forwarded to the node. Blocks that a reorg removed are not stored, so every row is on the main chain.
 */

export interface NodeRow {
  body: string;
  /** Height of the block that the answer is about. */
  height: string;
}

const GENERATION = `
  SELECT k.height, '{"key_block":' || k.body || ',"micro_blocks":[' || COALESCE((
    SELECT string_agg(to_json(m.hash)::text, ',' ORDER BY m.position)
    FROM micro_blocks AS m
    WHERE ${inGeneration('m.position', 'k.height')}
  ), '') || ']}' AS body`;

export function currentGeneration(db: Queryable): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.current_generation',
    text: `${GENERATION} FROM (SELECT height, body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS k`,
  });
}

export function generationAt(db: Queryable, height: number): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.generation',
    text: `${GENERATION} FROM key_block_texts AS k WHERE k.height = $1::bigint`,
    values: [height],
    types: ['bigint'],
  });
}

export function currentHeight(db: Queryable): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.current_height',
    text: `SELECT height, '{"height":' || height || '}' AS body FROM key_blocks ORDER BY height DESC LIMIT 1`,
  });
}

export function keyBlockAt(db: Queryable, height: number): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.key_block_at',
    text: 'SELECT height, body FROM key_block_texts WHERE height = $1::bigint',
    values: [height],
    types: ['bigint'],
  });
}

export function keyBlock(db: Queryable, hash: string): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.key_block',
    text: 'SELECT height, body FROM key_block_texts WHERE hash = $1',
    values: [hash],
    types: ['text'],
  });
}

export function microBlockHeader(db: Queryable, hash: string): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.micro_block',
    text: 'SELECT position >> 33 AS height, body FROM micro_blocks WHERE hash = $1',
    values: [hash],
    types: ['text'],
  });
}

export function microBlockTransactions(db: Queryable, hash: string): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.micro_block_transactions',
    text: `
      SELECT m.position >> 33 AS height, '{"transactions":[' || COALESCE((
        SELECT string_agg(t.body, ',' ORDER BY t.position)
        FROM transactions AS t
        WHERE ${inMicroBlock('t.position', 'm.position')}
      ), '') || ']}' AS body
      FROM micro_blocks AS m
      WHERE m.hash = $1`,
    values: [hash],
    types: ['text'],
  });
}

export function microBlockTransactionCount(db: Queryable, hash: string): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.micro_block_transaction_count',
    text: `SELECT position >> 33 AS height, '{"count":' || tx_count || '}' AS body FROM micro_blocks WHERE hash = $1`,
    values: [hash],
    types: ['text'],
  });
}

export function transaction(db: Queryable, hash: string): Promise<Answer<NodeRow>> {
  return answer<NodeRow>(db, {
    name: 'node_cache.transaction',
    text: 'SELECT position >> 33 AS height, body FROM transactions_by_hash WHERE hash = $1',
    values: [hash],
    types: ['text'],
  });
}
