/** Rows of what contracts did inside calls. */
import { parseExact } from '../../../chain/encoding/json.js';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { microOf } from '../../../chain/position.js';
import type { InternalCallRow } from '../../../store/queries/compat/internal-calls.js';
import type { Version } from '../endpoint.js';
import { internalTransaction } from './transactions.js';

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

export const internalCallRow = (row: InternalCallRow, version: Version): JsonObject => ({
  contract_id: row.contract_id,
  contract_tx_hash: row.contract_made,
  call_tx_hash: row.hash,
  block_hash: row.block_hash,
  height: Number(row.height),
  micro_index: microOf(BigInt(row.position)) - 1,
  local_idx: row.index,
  function: row.function,
  internal_tx: internalTransaction(parseExact(row.tx) as JsonObject),
  ...(version === 'v2' && { call_txi: numberOrNull(row.call_txi), contract_txi: numberOrNull(row.contract_txi) }),
});
