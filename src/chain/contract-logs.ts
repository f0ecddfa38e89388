/** The log of a contract call: the events that the contracts of the call emitted. */
import { callIn, effectiveOf } from './effective.js';
import { isId } from './encoding/encoding.js';
import { isObject, parseExact } from './encoding/json.js';
import type { Json, JsonObject } from './encoding/json.js';
import { integer } from './facts.js';
import type { Transaction } from './facts.js';
import { MalformedError } from './malformed.js';
import { isIdText } from './operations.js';

export interface ContractLog {
  /** ct_: the contract whose code emitted it. */
  contract: string;
  /** ct_: the contract that the transaction called or created, if that is another one. */
  called: string | null;
  /** The hash of the event's name, then its indexed arguments; each from 0 to 2^256 - 1. */
  topics: bigint[];
  /** cb_: the argument that is not indexed. */
  data: string;
}

/** `abi_version` of calls of the machine of before Lima, which appends to the log. Later machines prepend: the node shows their last event first. */
const AEVM = 1n;

const TOPIC_END = 2n ** 256n;

/**
 * The log in the call information of a transaction, in the order in which the events were emitted. Empty if the call information is not known,
 * is malformed, or reports no success.
 */
export function contractLogs(transaction: Transaction): ContractLog[] {
  const call = callOf(transaction.info);
  const log = call?.['log'];
  if (call === undefined || !Array.isArray(log) || log.length === 0) return [];
  try {
    const { tx, type } = effectiveOf(transaction);
    // The id in the call information of a forced call is made of the hash of its transaction: there is no such contract.
    const called = type === 'ChannelForceProgressTx' ? null : call['contract_id'];
    const entries = log.map((entry) => readEntry(entry, isContract(called) ? called : null));
    return integer(tx['abi_version']) === AEVM ? entries : entries.reverse();
  } catch (error) {
    if (error instanceof MalformedError) return [];
    throw error;
  }
}

function callOf(info: string | null): JsonObject | undefined {
  // Most calls log nothing, so that they need not be parsed.
  if (info === null || /"log"\s*:\s*\[\s*\{/.test(info) === false) return undefined;
  try {
    return callIn(parseExact(info));
  } catch {
    return undefined;
  }
}

function readEntry(entry: Json, called: string | null): ContractLog {
  const { address, topics, data } = isObject(entry) ? entry : {};
  if (!isContract(address)) throw new MalformedError('log: address is no contract');
  if (!Array.isArray(topics) || topics.length === 0) throw new MalformedError('log: no topics');
  if (typeof data !== 'string' || !isId(data, 'cb')) throw new MalformedError('log: data is no bytes');
  return { contract: address, called: called === address ? null : called, topics: topics.map(readTopic), data };
}

const isContract = (value: Json | undefined): value is string => isIdText(value) && value.startsWith('ct_');

function readTopic(value: Json): bigint {
  const topic = integer(value);
  if (topic !== undefined && topic >= 0n && topic < TOPIC_END) return topic;
  throw new MalformedError('log: topic is no word of 256 bits');
}
