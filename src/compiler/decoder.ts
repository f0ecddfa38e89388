import type { JsonObject } from '../chain/encoding/json.js';
import { offlineContract } from './offline.js';
import type { CompilerService } from './service.js';

/** Decodes the calls of one contract. */
export interface ContractDecoder {
  /**
   * Returns `{function, arguments: [{type, value}]}` of a call, from its `call_data`; null if it can never be decoded. Throws if the compiler
   * service cannot be reached.
   */
  decodeCall(callData: string): Promise<JsonObject | null>;
  /** Returns `{function, result: {type, value}}` (old services: `{data}`) of the `return_value` of a call with the return type `ok`. */
  decodeResult(functionName: string, returnValue: string): Promise<JsonObject | null>;
}

/** Makes the decoder of a contract from its code (`tx.code` of its creation). Cache the decoder, because this parses the code. */
export type CallDecoder = (code: string) => ContractDecoder;

/** Decodes from the bytecode if possible; otherwise asks the compiler service, if there is one. */
export const createCallDecoder =
  (service?: CompilerService): CallDecoder =>
  (code) => {
    const contract = offlineContract(code);
    const backend = contract === null ? 'aevm' : 'fate';
    return {
      async decodeCall(callData) {
        const call = contract?.decodeCall(callData) ?? null;
        return call ? { ...call } : ((await service?.decodeCall(code, callData, backend)) ?? null);
      },
      async decodeResult(functionName, returnValue) {
        const result = contract?.decodeResult(functionName, returnValue) ?? null;
        return result
          ? { ...result }
          : ((await service?.decodeResult(code, functionName, returnValue, backend)) ?? null);
      },
    };
  };
