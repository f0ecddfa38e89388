/** Rows of swaps. */
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import type { LogRow } from '../../../store/queries/contract-logs.js';
import { accountOf } from './tokens.js';

export interface SwapToken {
  id: string;
  symbol: Json;
  decimals: Json;
}

export interface Swap {
  log: LogRow;
  /** Of the pair, in its order. */
  tokens: readonly [SwapToken, SwapToken];
  /** What the pair got of both, and what it gave. */
  amounts: readonly [in0: bigint, in1: bigint, out0: bigint, out1: bigint];
}

/** Wrapped coins of the main network and of the test network. */
const WRAPPED = [
  'ct_J3zBY8xxjsRr3QojETNw48Eb38fjvEuJKkQ6KzECvubvEcvCa',
  'ct_JDp175ruWd7mQggeHewSLS1PFXt9AzThCDaFedxon8mF8xTRF',
];

export function swapRow({ log, tokens: [first, second], amounts: [in0, in1, out0, out1] }: Swap): JsonObject {
  const isForward = in0 > 0n;
  const [from, to] = isForward ? [first, second] : [second, first];
  return {
    caller: accountOf(log.topics[1]!),
    to_account: accountOf(log.topics[2]!),
    from_contract: from.id,
    to_contract: to.id,
    from_token: from.symbol,
    to_token: to.symbol,
    from_decimals: from.decimals,
    to_decimals: to.decimals,
    from_amount: isForward ? in0 : in1,
    to_amount: isForward ? out1 : out0,
    amounts: { amount0_in: in0, amount1_in: in1, amount0_out: out0, amount1_out: out1 },
    action: WRAPPED.includes(from.id) ? 'BUY' : WRAPPED.includes(to.id) ? 'SELL' : 'SWAP',
    tx_hash: log.hash,
    log_idx: log.log_index,
    micro_time: Number(log.time),
    height: Number(log.height),
  };
}
