/**
 * Contracts are not really run. What a call gives comes from a recording of a real node if there is one, and else from a stub: every creation and every
 * authentication succeeds, and a call gives back its first argument, or the unit if it has none.
 */
import { decodeId, encodeId } from '../../chain/encoding/encoding.js';
import { isObject, parseExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import { decodeRlp } from '../../chain/serialize/decode-rlp.js';
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

/** The stub. */
export const stubMachine: Machine = ({ purpose, callData }) => {
  if (purpose === 'authenticate') return success(TRUE);
  return success(purpose === 'call' || purpose === 'force' ? (firstArgument(callData) ?? UNIT) : UNIT);
};

/** Low half of the byte of a tuple; the high half is its length, 0 for one whose length follows. */
const TUPLE_TAG = 0x0b;
const HASH_BYTES = 4;

/** Call data is a tuple of the hash of the function and the tuple of its arguments; undefined if there is none or it is not understood. */
function firstArgument(callData: string): Uint8Array | undefined {
  const bytes = Buffer.from(decodeId(callData, 'cb'));
  // Tuple of two, text of four bytes, its bytes.
  const at = 2 + HASH_BYTES;
  const head = bytes[at];
  if (bytes[0] !== 0x2b || bytes[1] !== 0x11 || head === undefined || (head & 0x0f) !== TUPLE_TAG) return undefined;
  const from = at + (head === TUPLE_TAG ? 2 : 1);
  const length = lengthOfValue(bytes, from);
  return length === undefined ? undefined : bytes.subarray(from, from + length);
}

/** Length of the small FATE values: booleans, integers, short texts, and addresses. */
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

/** Takes results from a recording, and those of other calls from `otherwise`. */
export function recordedMachine(info: RecordedInfo, otherwise: Machine = stubMachine): Machine {
  return (call) => {
    const recorded = info(call.transaction);
    return (recorded === undefined ? undefined : resultIn(parseExact(recorded) as JsonObject, call)) ?? otherwise(call);
  };
}

/** A GAMetaTx has the result of its inner transaction in its own. */
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
