/**
 * Contracts are not really run. The result of a call comes from the recording of a real node or, if there is none, from a stub: every creation and
 * every authentication succeeds, and a call returns its first argument, or the unit if it has none.
 */
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { isObject, parseExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { decodeRlp } from '../../../src/chain/serialize/decode-rlp.js';
import type { ContractCall, Machine } from './execution.js';
import { big, text } from './members.js';
import type { CallResult } from './types.js';

/** FATE values. */
const UNIT = Uint8Array.of(0x3f);
const TRUE = Uint8Array.of(0xff);
const STUB_GAS = 1_000n;

const success = (value: Uint8Array): CallResult => ({
  type: 'ok',
  value: encodeId('cb', value),
  gasUsed: STUB_GAS,
  log: [],
});

/** Returns made-up results. */
export const stubMachine: Machine = ({ purpose, callData }) => {
  if (purpose === 'authenticate') return success(TRUE);
  return success(purpose === 'call' || purpose === 'force' ? (firstArgument(callData) ?? UNIT) : UNIT);
};

/** Low half of the first byte of a tuple. The high half is its length; 0 means that the length follows. */
const TUPLE_TAG = 0x0b;
const HASH_BYTES = 4;

/**
 * First argument of a call; undefined if there is none or it cannot be read. Call data is a tuple of the function hash and the tuple of arguments.
 */
function firstArgument(callData: string): Uint8Array | undefined {
  const bytes = Buffer.from(decodeId(callData, 'cb'));
  // One byte for the tuple of two, one for the text of four bytes, then these bytes.
  const at = 2 + HASH_BYTES;
  const head = bytes[at];
  if (bytes[0] !== 0x2b || bytes[1] !== 0x11 || head === undefined || (head & 0x0f) !== TUPLE_TAG) return undefined;
  const from = at + (head === TUPLE_TAG ? 2 : 1);
  const length = lengthOfValue(bytes, from);
  return length === undefined ? undefined : bytes.subarray(from, from + length);
}

/** Length of a small FATE value (boolean, integer, short text or address); undefined for others. */
function lengthOfValue(bytes: Buffer, at: number): number | undefined {
  const head = bytes[at];
  if (head === undefined) return undefined;
  if (head === 0xff || head === 0x7f || (head & 1) === 0) return 1;
  if ((head & 3) === 1 && head !== 1) return 1 + (head >> 2);
  if (head === 0x6f || head === 0xef) {
    const rlp = rlpLength(bytes, at + 1);
    return rlp === undefined ? undefined : 1 + rlp;
  }
  if (head === 0x9f) {
    const rlp = rlpLength(bytes, at + 2);
    return rlp === undefined ? undefined : 2 + rlp;
  }
  return undefined;
}

function rlpLength(bytes: Buffer, at: number): number | undefined {
  const head = bytes[at];
  if (head === undefined) return undefined;
  const length = head < 0x80 ? 1 : head <= 0xb7 ? 1 + head - 0x80 : undefined;
  if (length === undefined) return undefined;
  try {
    decodeRlp(bytes.subarray(at, at + length));
    return length;
  } catch {
    return undefined;
  }
}

/** `/transactions/<th>/info` of a real node, by transaction hash; undefined if it was not recorded. */
type RecordedInfo = (transaction: string) => string | undefined;

/** Returns results from a recording, and results of calls that were not recorded from `otherwise`. */
export function recordedMachine(info: RecordedInfo, otherwise: Machine = stubMachine): Machine {
  return (call) => {
    const recorded = info(call.transaction);
    return (recorded === undefined ? undefined : resultIn(parseExact(recorded) as JsonObject, call)) ?? otherwise(call);
  };
}

/** Finds the result of a call. The result of a GAMetaTx contains that of its inner transaction. */
function resultIn(info: JsonObject, { purpose }: ContractCall): CallResult | undefined {
  const meta = info['ga_info'];
  if (isObject(meta)) {
    if (purpose === 'authenticate') return resultOf(meta);
    const inner = meta['inner_object'];
    return isObject(inner) ? resultIn(inner, { purpose } as ContractCall) : undefined;
  }
  const call = info['call_info'];
  return isObject(call) ? resultOf(call) : undefined;
}

const resultOf = (result: JsonObject): CallResult => ({
  type: result['return_type'] as CallResult['type'],
  value: text(result, 'return_value'),
  gasUsed: big(result, 'gas_used'),
  log: (result['log'] as CallResult['log'] | undefined) ?? [],
});
