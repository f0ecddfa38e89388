/** Results of executed transactions, in the format of `/transactions/<th>/info`. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { printed } from '../ledger/members.js';
import type { CallInfo, Info, MetaInfo } from '../ledger/types.js';

export function printedInfo(info: Info): JsonObject {
  return 'call' in info ? { call_info: printedCall(info.call) } : { ga_info: printedMeta(info.meta) };
}

const printedCall = (call: CallInfo): JsonObject => ({
  caller_id: call.caller,
  caller_nonce: printed(call.callerNonce),
  contract_id: call.contract,
  gas_price: printed(call.gasPrice),
  gas_used: printed(call.gasUsed),
  height: call.height,
  log: [...call.log],
  return_type: call.type,
  return_value: call.value,
});

function printedMeta(meta: MetaInfo): JsonObject {
  const { inner } = meta;
  const result: JsonObject = {
    caller_id: meta.caller,
    gas_price: printed(meta.gasPrice),
    gas_used: printed(meta.gasUsed),
    height: meta.height,
  };
  if (inner !== undefined) result['inner_object'] = typeof inner === 'string' ? { tx_info: inner } : printedInfo(inner);
  return { ...result, return_type: meta.type, return_value: meta.value };
}
