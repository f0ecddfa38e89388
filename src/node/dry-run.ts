/** Calls of contracts that a node runs without a transaction, on the state after a block (`POST /v3/dry-run`). */
import { isObject, parseExact } from '../chain/encoding/json.js';
import type { Json } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';

export interface DryCall {
  contract: string;
  /** cb_ */
  callData: string;
  gas: number;
}

/** How a call ended. The return value (cb_) of `revert` is its reason; of `error` the node tells a text or nothing. */
export interface DryResult {
  type: 'ok' | 'revert' | 'error';
  value: string;
}

/** The account of locked coins: nobody has its key. It does not exist in every state, so it is given coins. */
const CALLER = 'ak_11111111111111111111111111111111273Yts';
const COINS = 1_000_000_000_000_000;
const FATE = 3;

/** The body of the request. `block`: hash of a micro block or key block. */
export const dryRunBody = (block: string, calls: readonly DryCall[]): string =>
  JSON.stringify({
    top: block,
    accounts: [{ pub_key: CALLER, amount: COINS }],
    txs: calls.map(({ contract, callData, gas }) => ({
      call_req: { calldata: callData, contract, gas, caller: CALLER, abi_version: FATE, amount: 0 },
    })),
  });

/** The results of a number of calls, in their order. Throws MalformedError. */
export function dryResults(text: string, count: number): DryResult[] {
  const answer = parseExact(text);
  const results = isObject(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results) || results.length !== count) throw new MalformedError('dry run: no result of each call');
  return results.map(readResult);
}

function readResult(result: Json): DryResult {
  if (!isObject(result)) throw new MalformedError('dry run: result is no object');
  // The call could not be made: there is no such contract, for example.
  if (result['result'] === 'error') return { type: 'error', value: '' };
  const call = result['call_obj'];
  const { return_type: type, return_value: value } = isObject(call) ? call : {};
  if ((type !== 'ok' && type !== 'revert' && type !== 'error') || typeof value !== 'string')
    throw new MalformedError('dry run: result without a return value');
  return { type, value };
}
