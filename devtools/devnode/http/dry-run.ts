/** POST /dry-run: executes transactions on top of the head without changing the chain. */
import { decodeId, isId } from '../../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { parseTransaction } from '../../../src/chain/serialize/parse.js';
import { atomOf } from '../ledger/contracts.js';
import { execute } from '../ledger/execute.js';
import { credit } from '../ledger/execution.js';
import type { Machine } from '../ledger/execution.js';
import { big, originOf, printed, text } from '../ledger/members.js';
import { accountOf } from '../origin.js';
import type { Rules } from '../ledger/rules.js';
import { draftOf } from '../ledger/persistent-state.js';
import type { Draft, State } from '../ledger/state.js';
import { Refusal } from '../ledger/types.js';
import { printedInfo } from '../live/infos.js';
import type { Answer } from '../wire/answer.js';
import { ok, refused } from '../wire/answer.js';

interface DryRunParts {
  rules: Rules;
  machine: Machine;
}

/** Transactions are executed one after the other. Each gets the right nonce. Accounts can be credited with coins first. */
export function dryRun(body: Buffer, state: State, { rules, machine }: DryRunParts): Answer {
  try {
    const asked = parseExact(body.toString('utf8'));
    if (!isObject(asked)) throw new MalformedError('body: not an object');
    const draft = draftOf(state);
    for (const account of objectsIn(asked, 'accounts')) credit(draft, idIn(account), amountIn(account));
    const results = objectsIn(asked, 'txs').map((item) => resultOf(item, draft, rules, machine));
    return ok(stringifyExact({ results }));
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return refused(400, `Bad request: ${error.message}`);
  }
}

function idIn({ pub_key: id }: JsonObject): string {
  if (typeof id === 'string' && isId(id, 'ak', 'ct')) return accountOf(id);
  throw new MalformedError('accounts: pub_key is not an account');
}

function amountIn({ amount }: JsonObject): bigint {
  const text = typeof amount === 'string' ? amount : typeof amount === 'object' ? '' : String(amount);
  if (!/^\d{1,40}$/.test(text)) throw new MalformedError('accounts: amount is not an amount');
  return BigInt(text);
}

function objectsIn(asked: JsonObject, member: string): JsonObject[] {
  const list = asked[member] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw new MalformedError(`${member}: not a list of objects`);
  return list;
}

function resultOf(item: JsonObject, draft: Draft, rules: Rules, machine: Machine): Json {
  if (typeof item['tx'] !== 'string') throw new MalformedError('txs: only complete transactions are supported');
  const tx = parseTransaction(decodeId(item['tx'], 'tx'));
  const type = atomOf(text(tx, 'type')).replace(/_tx$/, '');
  const account = draft.account(originOf(tx));
  const due = tx['nonce'] === undefined ? tx : { ...tx, nonce: printed((account?.nonce ?? 0n) + 1n) };
  try {
    const info = execute(draft, { id: 'dry-run', tx: due }, rules, machine);
    if (info === undefined || !('call' in info)) return { result: 'ok', type };
    const call = { ...(printedInfo(info)['call_info'] as JsonObject), caller_nonce: printed(big(tx, 'nonce')) };
    return { call_obj: call, result: 'ok', type };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: `Error: ${error.code}`, result: 'error', type };
  }
}
