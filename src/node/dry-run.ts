/** What a node runs on the state after a block without changing the chain (`POST /v3/dry-run`): calls of contracts without a transaction, and transactions again. */
import { isObject, parseExact, stringifyExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import type { ReplayEvent } from '../chain/internal-calls.js';
import { MalformedError } from '../chain/malformed.js';
import type { Replay } from '../chain/replays.js';

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

/** What the last transaction of a replay did. */
export interface Replayed {
  /** As call information has it; undefined if the node could not run the transaction. */
  call: JsonObject | undefined;
  /** In the order of execution. */
  events: ReplayEvent[];
}

/** Why a node does not replay a call: that is so whenever it is asked. */
export type ReplayRefusal = 'refused' | 'no_state' | 'too_much_gas';

export const replayBody = (block: string, { transactions, credit }: Replay): string =>
  stringifyExact({
    top: block,
    tx_events: true,
    ...(credit && { accounts: [{ pub_key: credit.account, amount: credit.amount }] }),
    txs: transactions.map((tx) => ({ tx })),
  });

/** Undefined for any other answer of the node than a result or a refusal. Throws MalformedError. */
export function readReplay(status: number, text: string): Replayed | ReplayRefusal | undefined {
  if (status >= 400) return refusalOf(status, text);
  const answer = parseExact(text);
  const { results, tx_events: events } = isObject(answer) ? answer : {};
  if (!Array.isArray(results) || !Array.isArray(events)) throw new MalformedError('replay: no results or no events');
  const last = results.at(-1);
  if (!isObject(last)) throw new MalformedError('replay: no result');
  const call = last['result'] === 'ok' ? last['call_obj'] : undefined;
  return { call: isObject(call) ? call : undefined, events: events.map(readEvent) };
}

function readEvent(event: Json): ReplayEvent {
  const { key, info } = isObject(event) ? event : {};
  if (typeof key !== 'string' || !isObject(info)) throw new MalformedError('replay: not an event');
  return { function: key, info };
}

/** A node fails (500) at calls that create contracts. Proxies, and nodes that do no dry runs, give no reason. */
function refusalOf(status: number, text: string): ReplayRefusal | undefined {
  const reason = reasonIn(text);
  if (reason === '') throw new MalformedError(`replay: answered ${status} without a reason`);
  if (status === 410) return 'no_state';
  if (status === 403 && /gas limit/.test(reason)) return 'too_much_gas';
  if (status === 400) {
    if (/garbage collected/.test(reason)) return 'no_state';
    // The block may be of another branch.
    return /^Bad request: Invalid hash/.test(reason) ? undefined : 'refused';
  }
  return status === 500 ? 'refused' : undefined;
}

function reasonIn(text: string): string {
  try {
    const answer = parseExact(text);
    const reason = isObject(answer) ? answer['reason'] : undefined;
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}
