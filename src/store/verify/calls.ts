/** Verifies the contracts of a window, and the decoded calls of contracts. */
import { MalformedError } from '../../chain/malformed.js';
import { stringifyExact } from '../../chain/encoding/json.js';
import { effectiveMember } from '../../chain/recompute/transaction.js';
import type { StoredText } from '../../chain/recompute/transaction.js';
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import { membersOf } from '../facts/read.js';
import type { Read } from '../facts/read.js';
import type { CallRow, CalledRow, TransactionRow, WindowRows } from '../facts/window.js';

/** Decodes contract calls by the code of the contract; null if it cannot. */
export interface CallDecoder {
  decodeCall(code: string, callData: string): { function: string; arguments: unknown } | null;
  decodeResult(code: string, functionName: string, returnValue: string): object | null;
}

export function contracts(rows: WindowRows, transactions: readonly Read[]): Difference[] {
  const expected = transactions.flatMap(({ row, found }) => {
    const effect = found?.effect;
    return effect?.on === 'contract' && effect.does === 'create' ? [[[row.position, effect.id], {}] as const] : [];
  });
  const stored = rows.contracts.map(({ id, position }) => [[position, id], {}] as const);
  return compareAll('contracts', ([position]) => heightOfPosition(position!), expected, stored);
}

export function contractCalls(rows: WindowRows, transactions: readonly Read[], reader: CallDecoder): Difference[] {
  const stored = new Map(rows.calls.map((row) => [row.position, row]));
  const codes = new Map(rows.called.map((contract) => [contract.id, codeOf(contract)]));
  const expected: [Key, object][] = [];
  for (const { row, found } of transactions) {
    const effect = found?.effect;
    if (effect?.on !== 'contract' || effect.does !== 'call') continue;
    const call = stored.get(row.position);
    const columns = call && decoded(row, effect.data, call, codes.get(call.contract_id) ?? null, reader);
    expected.push([[row.position], { contract_id: effect.id, ...columns }]);
  }
  return compareAll(
    'contract_calls',
    ([position]) => heightOfPosition(position!),
    expected,
    rows.calls.map((call) => [[call.position], call]),
  );
}

/** The expected columns of a call in its present state. A call that waits to be decoded again has the columns of the last decoding. */
function decoded(
  row: TransactionRow,
  data: string | undefined,
  call: CallRow,
  known: Code | null,
  reader: CallDecoder,
): Partial<CallRow> {
  if (known === null) return { state: 'unknown', arguments: null, result: null };
  const { code } = known;
  const decoded = code !== undefined && data !== undefined ? reader.decodeCall(code, data) : null;
  // Only a compiler service can have decoded it, so its arguments and result cannot be verified here.
  if (decoded === null) {
    if (call.state === 'pending' || (call.state === 'done' && call.arguments !== null)) return {};
    return { state: 'failed', arguments: null, result: null };
  }
  if (call.state === 'pending' && call.arguments === null) return { result: null };
  const expected = { state: call.state === 'pending' ? 'pending' : 'done', arguments: stringifyExact(decoded) };
  // The call information was removed with the block; it will be read when the call is decoded again.
  if (call.state === 'pending' && row.info === null) return expected;
  return { ...expected, result: resultOf(row.info, code!, decoded.function, reader) };
}

interface Code {
  /** Undefined if the transaction that created the contract has no code that can be read. */
  code: string | undefined;
}

/** The code in the transaction that created the contract, or the code from the node if a contract created it; null if not known. */
function codeOf({ body, info, tx_start: txStart, tx_length: txLength, known_code: known }: CalledRow): Code | null {
  if (body !== null) return { code: memberOr({ body, info, txStart: txStart!, txLength: txLength! }, 'code') };
  return known === null ? null : { code: known };
}

function resultOf(info: string | null, code: string, name: string, reader: CallDecoder): string | null {
  const call = info === null ? undefined : callIn(membersOf(info));
  const value = call?.['return_value'];
  if (call?.['return_type'] !== 'ok' || typeof value !== 'string') return null;
  const result = reader.decodeResult(code, name, value);
  return result === null ? null : stringifyExact(result);
}

type Members = Record<string, unknown>;

/** The result of the call; that of a call in a GAMetaTx is inside the result of the authentication. */
function callIn(result: Members): Members | undefined {
  let at: Members | null | undefined = result;
  while (at != null && at['call_info'] === undefined) {
    at = (at['ga_info'] as Members | null | undefined)?.['inner_object'] as Members | null | undefined;
  }
  return at?.['call_info'] as Members | undefined;
}

function memberOr(texts: StoredText, name: string): string | undefined {
  try {
    return effectiveMember(texts, name);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}
