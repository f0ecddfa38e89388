import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { credit, debit, recipientOf } from './execution.js';
import type { Effects, Execution } from './execution.js';
import { big, originOf, text } from './members.js';
import { Refusal } from './types.js';

/** Moves coins. Creates the account of the recipient if it does not exist. */
function spend({ draft }: Execution, tx: JsonObject): undefined {
  const amount = big(tx, 'amount');
  const recipient = recipientOf(draft, text(tx, 'recipient_id'));
  if (draft.account(recipient)?.payable === false) throw new Refusal('account_is_not_payable');
  debit(draft, originOf(tx), amount);
  credit(draft, recipient, amount);
}

/** Effects of spends, by type. */
export const spends: Effects = {
  SpendTx: spend,
};
