/** Computes the logs of a transaction a second time, for verification: see transaction.ts. */
import { decodeId, encodeId } from '../encoding/encoding.js';
import { parseExact } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { typesOf } from './transaction.js';
import type { StoredText } from './transaction.js';

/** A log with the columns of the table `contract_logs`; its index is its place in the list. */
interface LogRow {
  contract_id: string;
  called_id: string | null;
  topics: string;
  data: string;
}

const RUN = ['ContractCreateTx', 'ContractCallTx', 'GAAttachTx', 'ChannelForceProgressTx'];

/** The logs, oldest first; and whether the node has call information of the transaction which does not come with its block. */
export function recomputeLogs(stored: StoredText): { logs: LogRow[]; isRead: boolean } {
  const found = typesOf(stored);
  if (found === undefined) return { logs: [], isRead: false };
  const isRead = found.types.some((type) => RUN.includes(type)) && !found.types.includes('GAMetaTx');
  const call = innermostCall(stored.info);
  if (call === undefined || found.type === '') return { logs: [], isRead };
  const called = found.type === 'ChannelForceProgressTx' ? null : call['contract_id'];
  const logs = (Array.isArray(call['log']) ? (call['log'] as unknown[]) : []).map((entry) => logRow(entry, called));
  if (String(found.abi) !== '1') logs.reverse();
  return { logs: logs.every((row) => row !== undefined) ? logs : [], isRead };
}

type Members = Record<string, unknown>;

function innermostCall(info: string | null): Members | undefined {
  let at: unknown;
  try {
    at = info === null ? undefined : parseExact(info);
  } catch {
    return undefined;
  }
  for (;;) {
    if (typeof at !== 'object' || at === null) return undefined;
    const { call_info: call, ga_info: outer } = at as Members;
    if (typeof call === 'object' && call !== null) return call as Members;
    at = (outer as Members | undefined | null)?.['inner_object'];
  }
}

const CONTRACT = /^ct_[1-9A-HJ-NP-Za-km-z]{1,80}$/;

function isBytes(text: string): boolean {
  try {
    return encodeId('cb', decodeId(text, 'cb')) === text;
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
}

/** Undefined if it is malformed. */
function logRow(entry: unknown, called: unknown): LogRow | undefined {
  const { address, topics, data } = (entry ?? {}) as Members;
  const words = Array.isArray(topics) ? topics.map(String) : [];
  const isWord = (word: string): boolean => /^\d{1,78}$/.test(word) && BigInt(word) >> 256n === 0n;
  if (typeof address !== 'string' || !CONTRACT.test(address) || words.length === 0 || !words.every(isWord))
    return undefined;
  if (typeof data !== 'string' || !isBytes(data)) return undefined;
  const other = typeof called === 'string' && CONTRACT.test(called) && called !== address ? called : null;
  return { contract_id: address, called_id: other, topics: words.map((word) => BigInt(word).toString()).join(), data };
}
