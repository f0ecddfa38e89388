import { isObject } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import { ListKind } from '../lists.js';
import { MalformedError } from '../malformed.js';
import type { Effective, OracleTtl, QueryOperation } from '../operations.js';
import { oracleId, queryId } from '../protocol/ids.js';
import { abi, bytes, fee, id, int, nonce, relative, text, ttl } from './fields.js';
import { readGenerations, readId } from './members.js';
import { feeOnly, sends, directionUnknown } from './value-flow.js';
import type { TransactionType } from './type.js';

export const ORACLES: readonly TransactionType[] = [
  {
    name: 'OracleRegisterTx',
    signers: ['account_id'],
    tag: 22,
    versions: [1],
    fields: [
      id('account_id'),
      nonce,
      text('query_format'),
      text('response_format'),
      int('query_fee'),
      relative('oracle_ttl'),
      fee,
      ttl,
      abi,
    ],
    operation: ({ tx }) => ({
      on: 'oracle',
      op: 'register',
      id: oracleId(readId(tx, 'account_id')),
      ttl: oracleTtl(tx),
    }),
    valueFlow: feeOnly('account_id'),
  },
  {
    name: 'OracleExtendTx',
    signers: ['oracle_id'],
    tag: 25,
    versions: [1],
    fields: [id('oracle_id'), nonce, relative('oracle_ttl'), fee, ttl],
    operation: ({ tx }) => ({ on: 'oracle', op: 'extend', id: readId(tx, 'oracle_id'), by: oracleTtl(tx).value }),
    listed: { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracleLife },
    valueFlow: feeOnly('oracle_id'),
  },
  {
    name: 'OracleQueryTx',
    signers: ['sender_id'],
    tag: 23,
    versions: [1],
    fields: [
      id('sender_id'),
      nonce,
      id('oracle_id'),
      text('query'),
      int('query_fee'),
      relative('query_ttl'),
      relative('response_ttl'),
      fee,
      ttl,
    ],
    operation: queryOperation,
    listed: { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracle },
    resolves: { member: 'oracle_id', role: 'oracle' },
    valueFlow: { roles: [sends('sender_id', ['query_fee'], 'oracle_id')] },
  },
  {
    name: 'OracleRespondTx',
    formerly: 'OracleResponseTx',
    signers: ['oracle_id'],
    tag: 24,
    versions: [1],
    fields: [id('oracle_id'), nonce, bytes('query_id', 'oq'), text('response'), relative('response_ttl'), fee, ttl],
    operation: ({ tx }) => ({
      on: 'query',
      op: 'respond',
      id: readId(tx, 'query_id'),
      oracle: readId(tx, 'oracle_id'),
    }),
    listed: { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracleAnswer },
    valueFlow: {
      roles: [directionUnknown('oracle_id', null)],
      unknown: { reason: 'the fee that the oracle earns is stated in the query' },
    },
  },
];

function queryOperation({ tx, distinction }: Effective): QueryOperation {
  const sender = readId(tx, 'sender_id');
  const oracle = readId(tx, 'oracle_id');
  return { on: 'query', op: 'ask', id: queryId(sender, distinction(sender), oracle), oracle };
}

function oracleTtl(tx: JsonObject): OracleTtl {
  const ttl = tx['oracle_ttl'];
  if (!isObject(ttl)) throw new MalformedError('oracle_ttl: not an object');
  const type = ttl['type'];
  if (type !== 'delta' && type !== 'block') throw new MalformedError('oracle_ttl: neither delta nor block');
  return { type, value: readGenerations(ttl['value'], 'oracle_ttl') };
}
