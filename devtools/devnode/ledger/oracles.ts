/** Effects of transactions of oracles and queries. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { oracleId, queryId } from '../../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { lastHeight } from '../../../src/chain/protocol/oracles.js';
import { credit, debit, distinctionOf, pointerOf } from './execution.js';
import type { Effects, Execution } from './execution.js';
import { big, count, object, text } from './members.js';
import { accountOf } from '../origin.js';
import type { Draft } from './state.js';
import { Refusal } from './types.js';
import type { Oracle, Query } from './types.js';

/** Last height of an object with a relative or absolute time to live. Throws Refusal for a height that is not above the current one. */
function ending(draft: Draft, ttl: JsonObject): number {
  const [type, value] = [text(ttl, 'type'), count(ttl, 'value')];
  if (type !== 'delta' && value <= draft.height) throw new Refusal('too_low_height');
  return lastHeight({ type, value }, draft.height);
}

function putOracle(draft: Draft, oracle: Oracle): void {
  draft.put('oracle', oracle.id, oracle);
  draft.expire(oracle.expires, { kind: 'oracle', id: oracle.id });
}

function register({ draft }: Execution, tx: JsonObject): undefined {
  const id = oracleId(text(tx, 'account_id'));
  if (draft.oracle(id) !== undefined) throw new Refusal('account_is_already_an_oracle');
  putOracle(draft, {
    id,
    queryFormat: text(tx, 'query_format'),
    responseFormat: text(tx, 'response_format'),
    queryFee: big(tx, 'query_fee'),
    abiVersion: count(tx, 'abi_version'),
    expires: ending(draft, object(tx, 'oracle_ttl')),
    queries: [],
  });
}

function extend({ draft }: Execution, tx: JsonObject): undefined {
  const oracle = draft.oracle(text(tx, 'oracle_id'));
  if (oracle === undefined) throw new Refusal('oracle_does_not_exist');
  const by = count(object(tx, 'oracle_ttl'), 'value');
  if (by === 0) throw new Refusal('zero_relative_oracle_extension_ttl');
  putOracle(draft, { ...oracle, expires: oracle.expires + by });
}

function ask(execution: Execution, tx: JsonObject): undefined {
  const { draft } = execution;
  const asked = text(tx, 'oracle_id');
  const id = asked.startsWith('nm_') ? pointerOf(draft, asked, 'oracle_pubkey') : asked;
  const oracle = id === undefined ? undefined : draft.oracle(id);
  if (oracle === undefined) throw new Refusal('oracle_does_not_exist');
  const fee = big(tx, 'query_fee');
  if (fee < oracle.queryFee) throw new Refusal('query_fee_too_low');
  const expires = ending(draft, object(tx, 'query_ttl'));
  const responseTtl = count(object(tx, 'response_ttl'), 'value');
  if (expires + responseTtl > oracle.expires) throw new Refusal('too_long_ttl');
  const sender = text(tx, 'sender_id');
  debit(draft, sender, fee);
  const query: Query = {
    id: queryId(sender, distinctionOf(execution, tx), asked),
    oracle: oracle.id,
    sender,
    senderNonce: big(tx, 'nonce'),
    query: text(tx, 'query'),
    fee,
    responseTtl,
    expires,
  };
  draft.put('query', query.id, query);
  draft.expire(expires, { kind: 'query', id: query.id });
  draft.put('oracle', oracle.id, { ...oracle, queries: withQuery(oracle.queries, query.id) });
}

/** Adds an id to a list that is sorted by bytes. */
function withQuery(queries: readonly string[], id: string): string[] {
  const bytes = decodeId(id);
  const at = queries.findIndex((other) => Buffer.compare(decodeId(other), bytes) > 0);
  return at < 0 ? [...queries, id] : [...queries.slice(0, at), id, ...queries.slice(at)];
}

function respond({ draft }: Execution, tx: JsonObject): undefined {
  const query = draft.query(text(tx, 'query_id'));
  if (query === undefined) throw new Refusal('oracle_query_not_found');
  if (query.oracle !== text(tx, 'oracle_id')) throw new Refusal('oracle_does_not_match_query_id');
  if (query.response !== undefined) throw new Refusal('oracle_closed_for_response');
  if (count(object(tx, 'response_ttl'), 'value') !== query.responseTtl) {
    throw new Refusal('oracle_response_has_wrong_response_ttl');
  }
  const expires = draft.height + query.responseTtl;
  draft.put('query', query.id, { ...query, response: text(tx, 'response'), expires });
  draft.expire(expires, { kind: 'query', id: query.id });
  credit(draft, accountOf(query.oracle), query.fee);
}

/** Deletes a query. If it has no response, its sender gets the fee back. */
export function endQuery(draft: Draft, query: Query): void {
  draft.put('query', query.id, undefined);
  if (query.response === undefined) credit(draft, query.sender, query.fee);
  const oracle = draft.oracle(query.oracle);
  if (oracle === undefined) return;
  draft.put('oracle', oracle.id, { ...oracle, queries: oracle.queries.filter((id) => id !== query.id) });
}

/** Deletes an oracle and all its queries. */
export function endOracle(draft: Draft, oracle: Oracle): void {
  for (const id of oracle.queries) {
    const query = draft.query(id);
    if (query !== undefined) endQuery(draft, query);
  }
  draft.put('oracle', oracle.id, undefined);
}

/** Effects of oracle transactions, by type. */
export const oracles: Effects = {
  OracleRegisterTx: register,
  OracleExtendTx: extend,
  OracleQueryTx: ask,
  OracleRespondTx: respond,
};
