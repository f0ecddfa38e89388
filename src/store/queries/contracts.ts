import type { Queryable } from '../database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { page } from './page.js';
import type { PageRow } from './page.js';
import { innerTx, rawRecord } from './raw-record.js';
import type { Slice } from './slice.js';

/** Every contract, newest first. */
export function contracts(db: Queryable, slice: Slice): Promise<Answer<PageRow>> {
  return answer<PageRow>(db, {
    name: 'contracts.all',
    text: page({
      positions: 'SELECT position FROM contracts ORDER BY position DESC',
      from: 'contracts AS c JOIN transactions AS t ON t.position = c.position',
      at: 'c.position',
      item: `
        '{"contract_id":"' || c.id || '","transaction_hash":"' || t.hash ||
        '","block_height":' || (c.position >> 33) || '}'`,
      skip: '$1',
      take: '$2',
    }),
    values: [slice.skip, slice.take],
  });
}

/** Decoded calls of a contract, oldest first, with the node's call information (null if it gave none). */
export function contractCalls(db: Queryable, contract: string, slice: Slice): Promise<Answer<PageRow>> {
  return answer<PageRow>(db, {
    name: 'contracts.calls',
    text: page({
      positions: `
        SELECT position FROM contract_calls WHERE contract_id = $3 AND state = 'done' ORDER BY position`,
      from: `
        contract_calls AS c
        JOIN transactions AS t ON t.position = c.position
        LEFT JOIN infos AS i ON i.position = c.position`,
      at: 'c.position',
      item: `
        '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
        '","caller_id":' || (${innerTx('t')}::json -> 'caller_id')::text || ',"arguments":' || c.arguments ||
        ',"callinfo":' || COALESCE((i.body::json -> 'call_info')::text, 'null') ||
        ',"result":' || COALESCE(c.result, 'null') || '}'`,
      skip: '$1',
      take: '$2',
    }),
    values: [slice.skip, slice.take, contract],
  });
}

/** The transaction that created a contract, as a raw record. */
export function contractCreation(db: Queryable, contract: string): Promise<Answer> {
  return answer(db, {
    name: 'contracts.creation',
    text: `
      SELECT ${rawRecord('t')} AS body
      FROM contracts AS c
      JOIN transactions AS t ON t.position = c.position
      WHERE c.id = $1`,
    values: [contract],
  });
}

/** Exact text of the transaction that created a contract. */
export function contractCreationText(db: Queryable, contract: string): Promise<Answer> {
  return answer(db, {
    name: 'contracts.creation_text',
    text: `
      SELECT t.body
      FROM contracts AS c
      JOIN transactions AS t ON t.position = c.position
      WHERE c.id = $1`,
    values: [contract],
  });
}
