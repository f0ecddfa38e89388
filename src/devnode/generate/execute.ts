/** The ledger at work on the generator's world. */
import type { JsonObject } from '../../chain/encoding/json.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import type { Rules } from '../ledger/rules.js';
import { Refusal } from '../ledger/types.js';
import type { CallResult } from '../ledger/types.js';
import type { WorldDraft } from './world-draft.js';

const given = (type: CallResult['type']): CallResult => ({ type, value: 'cb_Xfbg4g==', gasUsed: 0n, log: [] });
const [OK, ERROR] = [given('ok'), given('error')];

/** Whether the contract behind a generalized account accepts; simulated by a byte of what it is given. */
export const authenticates = (authData: string): boolean => authData.charCodeAt(authData.length - 4) % 7 !== 0;

/** What else calls give follows from the hash of the transaction (`info.ts`), which is not known before it is signed; the world does not depend on it. */
const machine: Machine = ({ purpose, callData }) =>
  purpose === 'authenticate' && !authenticates(callData) ? ERROR : OK;

/**
 * Executes a transaction: true; or false, with the world unchanged, for one that cannot stand there. Fees and signatures, which a pool checks, are right
 * by construction.
 */
export function tryExecute(draft: WorldDraft, tx: JsonObject, rules: Rules): boolean {
  try {
    execute(draft, { id: '', tx }, rules, machine);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
