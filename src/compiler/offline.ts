import { decodeId } from '../chain/encoding/encoding.js';
import { MalformedError } from '../chain/malformed.js';
import { functionNames } from '../chain/fate/bytecode.js';
import { readCallData, readValue } from '../chain/fate/values.js';
import type { TypedValue } from '../chain/fate/values.js';

/** A call as the compiler service prints it. */
interface DecodedCall {
  function: string;
  arguments: TypedValue[];
}

/** A return value as the compiler service prints it. */
interface DecodedResult {
  function: string;
  result: TypedValue;
}

/** Decodes the calls of a FATE contract from its bytecode, without a compiler service. */
export interface OfflineContract {
  /** Decodes call data (`cb_…`); null if it is not a call of one of the contract's functions. Never throws. */
  decodeCall(callData: string): DecodedCall | null;
  /** Decodes the return value (`cb_…`) of a call with the return type `ok`; null if that is not possible. Never throws. */
  decodeResult(functionName: string, returnValue: string): DecodedResult | null;
}

/**
 * Parses a contract's code (`cb_…`, `tx.code` of its creation) once for all its calls. Null if the code is not for FATE: calls of AEVM
 * contracts cannot be decoded from the bytecode alone. Never throws.
 */
export function offlineContract(code: string): OfflineContract | null {
  const names = orNull(() => functionNames(code));
  if (names === null || names === undefined) return null;
  return {
    decodeCall(callData) {
      const call = orNull(() => readCallData(decodeId(callData, 'cb')));
      const name = call && names.get(call.functionId);
      return name === null || name === undefined ? null : { function: name, arguments: call!.arguments };
    },
    decodeResult(functionName, returnValue) {
      const result = orNull(() => readValue(decodeId(returnValue, 'cb')));
      return result && { function: functionName, result };
    },
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}
