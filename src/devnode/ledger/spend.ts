import type { JsonObject } from '../../chain/encoding/json.js';
import { credit, debit, recipientOf } from './execution.js';
import type { Effects, Execution } from './execution.js';
import { big, originOf, text } from './members.js';
import { Refusal } from './types.js';

/** Creates the recipient if there is no such account yet. */
function spend({ draft }: Execution, tx: JsonObject): undefined {
  const amount = big(tx, 'amount');
  const recipient = recipientOf(draft, text(tx, 'recipient_id'));
  if (draft.account(recipient)?.payable === false) throw new Refusal('account_is_not_payable');
  debit(draft, originOf(tx), amount);
  credit(draft, recipient, amount);
}

/** By type. */
export const spends: Effects = {
  SpendTx: spend,
};
