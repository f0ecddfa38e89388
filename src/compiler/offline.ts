import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodeId } from '../chain/encoding.js';
import { MalformedError } from '../chain/malformed.js';
import { functionNames } from './bytecode.js';
import { readCallData, readValue } from './fate.js';
import type { TypedValue } from './fate.js';

/** A call as the compiler service prints it. */
export interface DecodedCall {
  function: string;
  arguments: TypedValue[];
}

/** A return value as the compiler service prints it. */
export interface DecodedResult {
  function: string;
  result: TypedValue;
}

export interface OfflineDecoder {
  /** Whether calls of the contract (`cb_…`, its `tx.code`) can be decoded at all: FATE yes, AEVM no. */
  understands(code: string): boolean;
  /** Decodes call data (`cb_…`); null if it is not a call of one of the contract's functions. Never throws. */
  decodeCall(code: string, callData: string): DecodedCall | null;
  /** Decodes the return value (`cb_…`) of a call that ended with `ok`; null if that is not possible. Never throws. */
  decodeResult(code: string, functionName: string, returnValue: string): DecodedResult | null;
}

const CACHED_CONTRACTS = 1000;

/** Decodes calls of FATE contracts from their bytecode alone. Keeps the function names of the contracts last used. */
export function createOfflineDecoder(options: { cache?: number } = {}): OfflineDecoder {
  const contracts = new LRUCache<string, { names: Map<string, string> | undefined }>({
    max: options.cache ?? CACHED_CONTRACTS,
  });

  function namesOf(code: string): Map<string, string> | undefined {
    const key = createHash('sha256').update(code).digest('base64');
    let contract = contracts.get(key);
    if (!contract) {
      contract = { names: orNull(() => functionNames(code)) ?? undefined };
      contracts.set(key, contract);
    }
    return contract.names;
  }

  return {
    understands: (code) => namesOf(code) !== undefined,
    decodeCall(code, callData) {
      const names = namesOf(code);
      if (!names) return null;
      const call = orNull(() => readCallData(decodeId(callData, 'cb')));
      const name = call && names.get(call.functionId);
      return name === null || name === undefined ? null : { function: name, arguments: call!.arguments };
    },
    decodeResult(code, functionName, returnValue) {
      if (!namesOf(code)) return null;
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
