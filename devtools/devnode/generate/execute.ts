/** Executes transactions with the ledger on the world of the generator. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import type { Rules } from '../ledger/rules.js';
import { Refusal } from '../ledger/types.js';
import type { CallResult } from '../ledger/types.js';
import type { WorldDraft } from './world-draft.js';

const given = (type: CallResult['type']): CallResult => ({ type, value: 'cb_Xfbg4g==', gasUsed: 0n, log: [] });
const [OK, ERROR] = [given('ok'), given('error')];

/** Whether the contract of a generalized account accepts the authentication data. Simulated: it depends on one character of the data. */
export const authenticates = (authData: string): boolean => authData.charCodeAt(authData.length - 4) % 7 !== 0;

/** The other results of calls follow from the transaction hash (`info.ts`), which is not known before signing. The world does not depend on them. */
const machine: Machine = ({ purpose, callData }) =>
  purpose === 'authenticate' && !authenticates(callData) ? ERROR : OK;

/**
 * Executes a transaction. Returns false and leaves the world unchanged if it cannot be executed. Fees and signatures, which a pool checks, are
 * correct because the generator made them.
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
