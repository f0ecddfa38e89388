/** Rows of payments that no transaction states. */
import type { JsonObject } from '../../../chain/encoding/json.js';
import type { TransferRow } from '../../../store/queries/compat/transfers.js';

export const transferRow = (row: TransferRow): JsonObject => ({
  height: Number(row.height),
  account_id: row.account,
  amount: BigInt(row.amount),
  kind: row.kind,
  ref_tx_hash: row.ref_hash,
  ref_tx_type: row.ref_type,
  ref_block_hash: row.ref_block,
});

/** The same among the activities of an account. */
export const transferActivity = (row: TransferRow): JsonObject => ({
  height: Number(row.height),
  block_hash: row.block_hash,
  block_time: Number(row.block_time),
  type: 'InternalTransferEvent',
  payload: { amount: BigInt(row.amount), kind: row.kind, ref_tx_hash: row.ref_hash },
});
