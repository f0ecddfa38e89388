/**
 * The node's own list of what changed balances: its answer to `POST /block` of the Rosetta interface, for one generation. What key block H+1 does is listed
 * first in the answer for H, under one hash that is the same in every answer.
 */
import { isObject, parseExact } from '../encoding/json.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { isIdText } from '../operations.js';

export interface NodeOperation {
  /** `Spend.amount`, `Chain.fee` and so on, see `KINDS`. */
  type: string;
  /** ak_ */
  account: string;
  amount: bigint;
}

export interface NodeBlock {
  /** Of the key block that opened the generation. */
  hash: string;
  height: number;
  /** What the next key block does; empty if there is none. */
  nextKeyBlock: NodeOperation[];
  /** By the hash of the transaction. */
  transactions: Map<string, NodeOperation[]>;
}

/** The hash of nothing. */
const OF_KEY_BLOCK = 'th_3QJmnh';

/** Throws MalformedError. */
export function readNodeBlock(text: string): NodeBlock {
  const block = object(object(parseExact(text), 'answer')['block'], 'block');
  const { hash, index } = object(block['block_identifier'], 'block_identifier');
  if (!isIdText(hash) || !hash.startsWith('kh_')) throw new MalformedError('block_identifier: not a key block');
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) throw new MalformedError('index: not a height');
  const found: NodeBlock = { hash, height: index, nextKeyBlock: [], transactions: new Map() };
  for (const value of list(block['transactions'], 'transactions')) {
    const transaction = object(value, 'transaction');
    const { hash: id } = object(transaction['transaction_identifier'], 'transaction_identifier');
    if (typeof id !== 'string') throw new MalformedError('transaction_identifier: no hash');
    const operations = list(transaction['operations'], 'operations').map(readOperation);
    if (id === OF_KEY_BLOCK) found.nextKeyBlock.push(...operations);
    else if (found.transactions.has(id)) throw new MalformedError(`transactions: ${id} twice`);
    else found.transactions.set(id, operations);
  }
  return found;
}

function readOperation(value: Json): NodeOperation {
  const operation = object(value, 'operation');
  const { address } = object(operation['account'], 'account');
  const { value: amount } = object(operation['amount'], 'amount');
  const { type } = operation;
  if (typeof type !== 'string') throw new MalformedError('operation: no type');
  if (!isIdText(address) || !address.startsWith('ak_')) throw new MalformedError('operation: no account');
  if (typeof amount !== 'string' || !/^-?\d{1,100}$/.test(amount)) throw new MalformedError('operation: no amount');
  return { type, account: address, amount: BigInt(amount) };
}

function object(value: Json | undefined, what: string): JsonObject {
  if (isObject(value)) return value;
  throw new MalformedError(`${what}: not an object`);
}

function list(value: Json | undefined, what: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw new MalformedError(`${what}: not a list`);
}
