/** Executes transactions with the ledger on the world of the generator. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import { text } from '../ledger/members.js';
import type { Rules } from '../ledger/rules.js';
import { Refusal } from '../ledger/types.js';
import type { CallResult, Info } from '../ledger/types.js';
import { afterCall, createdToken, isReverted, tokenCallOf } from './tokens.js';
import type { Token } from './tokens.js';
import type { WorldDraft } from './world-draft.js';
import { find, put } from './world.js';
import type { World } from './world.js';

const given = (type: CallResult['type']): CallResult => ({ type, value: 'cb_Xfbg4g==', gasUsed: 0n, log: [] });
const [OK, ERROR] = [given('ok'), given('error')];

/** Whether the contract of a generalized account accepts the authentication data. Simulated: it depends on one character of the data. */
export const authenticates = (authData: string): boolean => authData.charCodeAt(authData.length - 4) % 7 !== 0;

/** The other results of calls follow from the transaction hash (`info.ts`), which is not known before signing. The world does not depend on them. */
const machine: Machine = ({ purpose, callData }) =>
  purpose === 'authenticate' && !authenticates(callData) ? ERROR : OK;

/** Whether the authentication succeeded, and not what it authenticates. */
function isInnerRefused(info: Info | undefined): boolean {
  if (info === undefined || !('meta' in info)) return false;
  const { type, value, inner } = info.meta;
  if (type === 'error') return value !== ERROR.value;
  return typeof inner === 'object' && isInnerRefused(inner);
}

/** The token that a transaction creates or changes, as it is afterwards. Throws Refusal if the token does not allow it. */
function changedToken(world: World, tx: JsonObject): { id: string; token: Token } | undefined {
  if (tx['type'] !== 'ContractCallTx') return createdToken(tx);
  const id = text(tx, 'contract_id');
  const token = find(world.tokens, id);
  // Call data of other contracts are not decoded; that a contract does not exist, `execute` finds.
  const call = token && tokenCallOf(tx);
  if (token === undefined || call === undefined) return undefined;
  const after = isReverted(tx) ? token : afterCall(token, call);
  if (after === undefined) throw new Refusal('token');
  return { id, token: after };
}

/**
 * Executes a transaction. Returns false and leaves the world unchanged if it cannot be executed. Fees and signatures, which a pool checks, are
 * correct because the generator made them. `isAgain`: its block was abandoned. Its result follows from itself alone (`info.ts`), so what it wraps must succeed
 * again.
 */
export function tryExecute(draft: WorldDraft, tx: JsonObject, rules: Rules, isAgain = false): boolean {
  try {
    const changed = changedToken(draft.world, tx);
    draft.attempt(() => {
      const info = execute(draft, { id: '', tx }, rules, machine);
      if (isAgain && isInnerRefused(info)) throw new Refusal('inner');
    });
    if (changed !== undefined) put(draft.world, 'tokens', changed.id, changed.token);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
