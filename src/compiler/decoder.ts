import type { JsonObject } from '../chain/json.js';
import type { OfflineDecoder } from './offline.js';
import type { CompilerService } from './service.js';

export interface CallDecoder {
  /**
   * `{function, arguments: [{type, value}]}` of a call, from the contract's code (`tx.code` of its creation) and the
   * call's `call_data`; null if it cannot be decoded, now or later. Throws if the compiler service is out of reach.
   */
  decodeCall(code: string, callData: string): Promise<JsonObject | null>;
  /** `{function, result: {type, value}}` (old services: `{data}`) of a `return_value` of a call that ended with `ok`. */
  decodeResult(code: string, functionName: string, returnValue: string): Promise<JsonObject | null>;
}

/** Decodes from the bytecode where that is possible and asks the compiler service, if there is one, otherwise. */
export function createCallDecoder(offline: OfflineDecoder, service?: CompilerService): CallDecoder {
  const backend = (code: string) => (offline.understands(code) ? 'fate' : 'aevm');
  return {
    async decodeCall(code, callData) {
      const call = offline.decodeCall(code, callData);
      return call ? { ...call } : ((await service?.decodeCall(code, callData, backend(code))) ?? null);
    },
    async decodeResult(code, functionName, returnValue) {
      const result = offline.decodeResult(code, functionName, returnValue);
      return result
        ? { ...result }
        : ((await service?.decodeResult(code, functionName, returnValue, backend(code))) ?? null);
    },
  };
}
