/** Rows of key blocks and micro blocks. */
import { callIn } from '../../../chain/effective.js';
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { integer } from '../../../chain/facts.js';
import { feeGas } from '../../../chain/gas.js';
import { microOf } from '../../../chain/position.js';
import { nestedTransactions } from '../../../chain/transactions/nested.js';
import type { CompatKeyBlockRow, CompatMicroBlockRow } from '../../../store/queries/compat/blocks.js';
import { orUndefined } from './values.js';

export function keyBlockRow(row: CompatKeyBlockRow): JsonObject {
  return {
    ...(parseExact(row.body) as JsonObject),
    micro_blocks_count: Number(row.micro_blocks),
    transactions_count: Number(row.transactions),
    beneficiary_reward: row.reward === null ? null : BigInt(row.reward),
  };
}

/** A transaction of a micro block, and its call information. */
interface MinedText {
  body: string;
  info: string | null;
}

export function microBlockRow(row: CompatMicroBlockRow, mined: readonly MinedText[]): JsonObject {
  const header = parseExact(row.body) as JsonObject;
  const { height, version } = header;
  return {
    ...header,
    micro_block_index: microOf(BigInt(row.position)) - 1,
    transactions_count: row.transactions,
    gas: mined.reduce((sum, { body, info }) => sum + gasOf(body, info, Number(height), Number(version)), 0n),
  };
}

/** Gas of a transaction and of those that it wraps: that of their fees, and what their calls used. */
function gasOf(body: string, info: string | null, height: number, version: number): bigint {
  const envelope = parseExact(body) as JsonObject;
  let gas = 0n;
  for (const tx of nestedTransactions(envelope['tx'])) gas += orUndefined(() => feeGas(tx, height, version)) ?? 0n;
  return info === null ? gas : gas + gasUsed(orUndefined(() => parseExact(info)));
}

/** Gas that the call and the authentications used. */
function gasUsed(info: Json | undefined): bigint {
  let gas = integer(callIn(info)?.['gas_used']) ?? 0n;
  let at = info;
  while (isObject(at) && isObject(at['ga_info'])) {
    gas += integer(at['ga_info']['gas_used']) ?? 0n;
    at = at['ga_info']['inner_object'];
  }
  return gas;
}
