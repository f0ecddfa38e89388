import { isObject } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import { ListKind } from '../lists.js';
import { MalformedError } from '../malformed.js';
import type { Effective, OracleTtl, QueryOperation } from '../operations.js';
import { oracleId, queryId } from '../protocol/ids.js';
import { abi, bytes, fee, id, int, nonce, relative, text, ttl } from './fields.js';
import { readGenerations, readId } from './members.js';
import { feeOnly, gives, unsaid } from './moves.js';
import type { TransactionType } from './type.js';

export const ORACLES: readonly TransactionType[] = [
  {
    name: 'OracleRegisterTx',
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
    moves: feeOnly('account_id'),
  },
  {
    name: 'OracleExtendTx',
    tag: 25,
    versions: [1],
    fields: [id('oracle_id'), nonce, relative('oracle_ttl'), fee, ttl],
    operation: ({ tx }) => ({ on: 'oracle', op: 'extend', id: readId(tx, 'oracle_id'), by: oracleTtl(tx).value }),
    listed: { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracleLife },
    moves: feeOnly('oracle_id'),
  },
  {
    name: 'OracleQueryTx',
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
    operation: asks,
    listed: { member: 'oracle_id', prefix: 'ok_', kind: ListKind.oracle },
    resolves: { member: 'oracle_id', role: 'oracle' },
    moves: { roles: [gives('sender_id', ['query_fee'], 'oracle_id')] },
  },
  {
    name: 'OracleRespondTx',
    formerly: 'OracleResponseTx',
    tag: 24,
    versions: [1],
    fields: [id('oracle_id'), nonce, bytes('query_id', 'oq'), text('response'), relative('response_ttl'), fee, ttl],
    operation: ({ tx }) => ({
      on: 'query',
      op: 'respond',
      id: readId(tx, 'query_id'),
      oracle: readId(tx, 'oracle_id'),
    }),
    moves: {
      roles: [unsaid('oracle_id', null)],
      unknown: { why: 'the fee that the oracle earns stands in the query' },
    },
  },
];

function asks({ tx, distinction }: Effective): QueryOperation {
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
