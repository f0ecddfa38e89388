/** What a transaction does to balances. See docs/protocol/money.md. */
import { effectiveOf } from '../effective.js';
import { isObject, parseExact } from '../encoding/json.js';
import type { Json, JsonObject } from '../encoding/json.js';
import type { Transaction } from '../facts.js';
import { MalformedError } from '../malformed.js';
import { readAmount, readId } from '../transactions/members.js';
import { nestedTransactions } from '../transactions/nested.js';
import { EFFECTS } from './effects.js';
import { payGas } from './execution.js';
import type { Execution, TransactionContext } from './execution.js';
import { accountOf } from './movement.js';
import type { Gap, Moves } from './movement.js';

/** Never throws. Changes `holdings`. Movements of zero are left out. */
export function transactionMoves(transaction: Transaction, context: TransactionContext): Moves {
  const moves: Moves = { movements: [], fees: 0n, gaps: [] };
  const gap = (why: Gap): void => {
    if (!moves.gaps.includes(why)) moves.gaps.push(why);
  };
  try {
    execute(transaction, context, moves, gap);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    gap('unreadable');
  }
  return moves;
}

function execute(transaction: Transaction, context: TransactionContext, moves: Moves, gap: (why: Gap) => void): void {
  const move: Execution['move'] = (id, kind, amount, counterparty = null) => {
    if (amount !== 0n) moves.movements.push({ account: accountOf(id), kind, amount, counterparty });
  };
  const pay: Execution['pay'] = (id, kind, amount) => {
    moves.fees += amount;
    if (id !== null) move(id, kind, -amount);
  };
  const effective = effectiveOf(transaction);
  let info = parsed(transaction.info);
  let payer: string | undefined;
  for (const tx of nestedTransactions(transaction.tx)) {
    if (tx['type'] === 'PayingForTx') {
      payer ??= readId(tx, 'payer_id');
      pay(payer, 'fee', readAmount(tx, 'fee'));
    } else if (tx['type'] === 'GAMetaTx') {
      const account = payer ?? readId(tx, 'ga_id');
      const authentication = memberOf(info, 'ga_info');
      pay(account, 'fee', readAmount(tx, 'fee'));
      payGas(authentication, account, { pay, gap });
      info = authentication?.['inner_object'];
    } else {
      const effect = EFFECTS[effective.type];
      if (effect === undefined) gap('unreadable');
      else effect({ ...context, effective, tx, payer, call: callOf(info), move, pay, gap });
    }
    // What is inside an authentication that failed has no effect.
    if (tx === effective.tx) return;
  }
}

function parsed(info: string | null): Json | undefined {
  if (info === null) return undefined;
  try {
    return parseExact(info);
  } catch {
    return undefined;
  }
}

function memberOf(value: Json | undefined, member: string): JsonObject | undefined {
  const found = isObject(value) ? value[member] : undefined;
  return isObject(found) ? found : undefined;
}

/** The oldest nodes answered with the call itself. */
const callOf = (info: Json | undefined): JsonObject | undefined =>
  memberOf(info, 'call_info') ?? (isObject(info) && info['gas_used'] !== undefined ? info : undefined);
