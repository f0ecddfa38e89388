import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import type { ListRow } from './lists.js';
import { microHeight } from '../micro-height.js';
import { microBlockOf } from '../positions.js';
import { RankKind, rankedPage } from './paging/ranks.js';
import { effectiveTx, rawRecord } from './raw-record.js';
import type { Page, RankedKeysetPage } from './paging/slice.js';

/** All contracts, newest first. */
export function contracts(db: Queryable, slice: Page | RankedKeysetPage): Promise<Answer<ListRow>> {
  const item = {
    from: 'contracts AS c',
    at: 'c.position',
    item: `
      '{"contract_id":"' || c.id || '","transaction_hash":"' ||
      (SELECT t.hash FROM transactions AS t WHERE t.position = c.position) ||
      '","block_height":' ||
      (SELECT ${microHeight('m')} FROM micro_blocks AS m WHERE m.position = ${microBlockOf('c.position')}) || '}'`,
  };
  return rankedPage(db, 'contracts.all', { kind: RankKind.contracts, id: '', reverse: true }, item, slice);
}

/** FROM of calls; `transactions` is the table or view in which their transactions are looked up. */
const callsOf = (transactions: string): string => `
      contract_calls AS c
      JOIN ${transactions} AS t ON t.position = c.position
      LEFT JOIN infos AS i ON i.position = c.position`;

/** The call information of a call, however many GAMetaTx wrap it: up to three, as in `effectiveTx`. */
const CALL_INFO = `COALESCE(
          i.body::json -> 'call_info',
          i.body::json #> '{ga_info,inner_object,call_info}',
          i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
          i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}')`;

/**
 * A decoded call with the call information of the node; null if the node had none. A call that an earlier version stored has no caller in its
 * row until it is filled in: then it is read from the transaction.
 */
const CALL = {
  from: callsOf('transactions'),
  at: 'c.position',
  item: `
      '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
      '","caller_id":' || COALESCE('"' || c.caller_id || '"', ((${effectiveTx('t')})::json -> 'caller_id')::text) || ',"arguments":' || c.arguments ||
      ',"callinfo":' || COALESCE((${CALL_INFO})::text, 'null') ||
      ',"result":' || COALESCE(c.result, 'null') || '}'`,
};

/** Decoded calls of a contract, oldest first. */
export function contractCalls(
  db: Queryable,
  contract: string,
  slice: Page | RankedKeysetPage,
): Promise<Answer<ListRow>> {
  return rankedPage(db, 'contracts.calls', { kind: RankKind.calls, id: contract, reverse: false }, CALL, slice);
}

/** The decoded call of a transaction. */
export function callOfTransaction(db: Queryable, hash: string): Promise<Answer> {
  return answer(db, {
    name: 'contracts.call_of_transaction',
    text: `
      SELECT ${CALL.item} AS body
      FROM ${callsOf('transactions_by_hash')}
      WHERE t.hash = $1 AND c.state = 'done'`,
    values: [hash],
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
