/** One transaction of each kind that has effects, between two accounts. */
import { derive } from '../../src/chain/derive.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { readTransaction } from '../../src/chain/facts.js';
import type { Transaction } from '../../src/chain/facts.js';
import { authenticationId, nameHash } from '../../src/chain/protocol/ids.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';

export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
export const alice = encodeId('ak', key(1));
export const bob = encodeId('ak', key(2));
export const payer = encodeId('ak', key(3));
export const contract = encodeId('ct', key(4));
export const oracle = encodeId('ok', key(2));
export const channel = encodeId('ch', key(6));
export const name = nameHash('alice-and-bob.chain');
export const authData = encodeId('cb', Uint8Array.of(1, 2, 3));
export const authentication = authenticationId(alice, authData);

export function transaction(tx: JsonObject, info: string | null = null): Transaction {
  return { ...readTransaction(`{"block_hash":"mh_1","hash":"th_1","tx":${stringifyExact(tx)}}`), info };
}

export const paid = (tx: Json): JsonObject => ({
  type: 'PayingForTx',
  payer_id: payer,
  nonce: 9,
  tx: { signatures: [], tx },
});
export const meta = (tx: Json): JsonObject => ({
  type: 'GAMetaTx',
  ga_id: alice,
  auth_data: authData,
  tx: { signatures: [], tx },
});
export const info = (returned: string, inner?: Json): string =>
  JSON.stringify({ ga_info: { return_type: returned, inner_object: inner ?? { tx_info: 'spend_tx' } } });

export const listed = (tx: JsonObject, call?: string): string[] =>
  derive(transaction(tx, call ?? null)).lists.map(({ kind, id }) => `${kind} ${id}`);

export const create: JsonObject = { type: 'ContractCreateTx', owner_id: alice, nonce: 7 };
export const call: JsonObject = { type: 'ContractCallTx', caller_id: alice, contract_id: contract, nonce: 1 };
export const claim: JsonObject = {
  type: 'NameClaimTx',
  account_id: alice,
  name: 'Alice-and-Bob.chain',
  name_salt: 12345678901234567890n,
  name_fee: 5000000000000000000n,
  nonce: 1,
};
export const update: JsonObject = {
  type: 'NameUpdateTx',
  account_id: alice,
  name_id: name,
  name_ttl: 100,
  client_ttl: 1,
  pointers: [
    { key: 'account_pubkey', id: bob },
    { key: 'data', id: 'ba_cmF3IGJ5dGVzgJKuYA==' },
    { key: 'again', id: bob },
  ],
};
export const query: JsonObject = { type: 'OracleQueryTx', sender_id: alice, oracle_id: oracle, nonce: 3 };
export const channelCreate: JsonObject = { type: 'ChannelCreateTx', initiator_id: alice, responder_id: bob, nonce: 4 };
