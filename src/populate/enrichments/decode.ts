/** Decodes contract calls. */
import { callIn, effectiveOf } from '../../chain/effective.js';
import type { Transaction } from '../../chain/facts.js';
import { parsePlain, stringifyExact } from '../../chain/encoding/json.js';
import type { ContractDecoder } from '../../compiler/decoder.js';
import type { DecodedCall, DueCall } from '../../store/calls.js';

/** The decoded call, without arguments if it cannot be decoded. Throws if the compiler does not answer. */
export async function decode(
  { position, hash, codeId }: DueCall,
  transaction: Transaction,
  contract: ContractDecoder | undefined,
): Promise<DecodedCall> {
  if (contract === undefined) throw new Error('the code of its contract is no longer stored');
  const { tx } = effectiveOf(transaction);
  const call = { position, hash, codeId };
  const data = textMember(tx['call_data']);
  const decoded = data === null ? null : await contract.decodeCall(data);
  if (decoded === null) return { ...call, arguments: null, result: null };
  const result = await decodeResult(contract, textMember(decoded['function']), transaction.info);
  return { ...call, arguments: stringifyExact(decoded), result };
}

/** The decoded return value; null for a call that failed, or if it is not known or cannot be decoded. */
async function decodeResult(
  contract: ContractDecoder,
  name: string | null,
  info: string | null,
): Promise<string | null> {
  const call = info === null ? undefined : callIn(parsePlain(info));
  if (name === null || call === undefined || call['return_type'] !== 'ok') return null;
  const value = textMember(call['return_value']);
  if (value === null) return null;
  const result = await contract.decodeResult(name, value);
  return result === null ? null : stringifyExact(result);
}

export const textMember = (value: unknown): string | null => (typeof value === 'string' ? value : null);
