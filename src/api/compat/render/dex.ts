/** Rows of swaps. */
import type { JsonObject } from '../../../chain/encoding/json.js';
import { accountOfWord } from '../../../chain/encoding/words.js';
import { sidesOf } from '../swaps.js';
import type { Swap } from '../swaps.js';

/** Wrapped coins of the main network and of the test network. */
const WRAPPED = [
  'ct_J3zBY8xxjsRr3QojETNw48Eb38fjvEuJKkQ6KzECvubvEcvCa',
  'ct_JDp175ruWd7mQggeHewSLS1PFXt9AzThCDaFedxon8mF8xTRF',
];

export function swapRow(swap: Swap): JsonObject {
  const { from, to } = sidesOf(swap);
  const [in0, in1, out0, out1] = swap.amounts;
  return {
    caller: accountOfWord(swap.topics[1]!),
    to_account: accountOfWord(swap.topics[2]!),
    from_contract: from.id,
    to_contract: to.id,
    from_token: from.symbol,
    to_token: to.symbol,
    from_decimals: from.decimals,
    to_decimals: to.decimals,
    from_amount: from.amount,
    to_amount: to.amount,
    amounts: { amount0_in: in0, amount1_in: in1, amount0_out: out0, amount1_out: out1 },
    action: WRAPPED.includes(from.id) ? 'BUY' : WRAPPED.includes(to.id) ? 'SELL' : 'SWAP',
    tx_hash: swap.hash,
    log_idx: swap.log_index,
    micro_time: Number(swap.time),
    height: Number(swap.height),
  };
}
