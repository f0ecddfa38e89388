import type { JsonObject } from '../chain/encoding/json.js';
import { offlineContract } from './offline.js';
import type { CompilerService } from './service.js';

/** Decodes the calls of one contract. */
export interface ContractDecoder {
  /**
   * `{function, arguments: [{type, value}]}` of a call, from its `call_data`; null if it cannot be decoded, now or later.
   * Throws if the compiler service is out of reach.
   */
  decodeCall(callData: string): Promise<JsonObject | null>;
  /** `{function, result: {type, value}}` (old services: `{data}`) of a `return_value` of a call that ended with `ok`. */
  decodeResult(functionName: string, returnValue: string): Promise<JsonObject | null>;
}

/** Decoder of the calls of the contract with this code (`tx.code` of its creation): to be kept, as the code is read here. */
export type CallDecoder = (code: string) => ContractDecoder;

/** Decodes from the bytecode where that is possible and asks the compiler service, if there is one, otherwise. */
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
