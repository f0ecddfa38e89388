/** The state machine: executes transactions, or reports why one cannot be executed. */
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { channels, paysFromChannel } from './channels.js';
import { contracts } from './contracts.js';
import { charge, newAccount } from './execution.js';
import type { Effects, Execution, Machine } from './execution.js';
import { big, originOf, text } from './members.js';
import { names } from './names.js';
import { oracles } from './oracles.js';
import { CERES, IRIS, LIMA } from '../../../src/chain/protocol/versions.js';
import { transactionType } from '../../../src/chain/transactions/catalogue.js';
import type { Rules } from './rules.js';
import { spends } from './spend.js';
import type { Draft } from './state.js';
import { Refusal } from './types.js';
import type { Account, Info } from './types.js';

interface Executable {
  /** th_ */
  id: string;
  /** As the node prints it. */
  tx: JsonObject;
}

const EFFECTS: Effects = { ...spends, ...oracles, ...names, ...contracts, ...channels };

/**
 * Executes a transaction on the draft and returns its result, if its type has one. If it cannot be executed in this state, it throws Refusal and
 * leaves the draft unchanged. Signatures and the min fee are not checked.
 */
export function execute(draft: Draft, executable: Executable, rules: Rules, machine: Machine): Info | undefined {
  return draft.attempt(() => {
    let earned = 0n;
    const info = run(
      {
        draft,
        rules,
        machine,
        transaction: executable.id,
        authId: undefined,
        payer: undefined,
        earn: (fee) => void (earned += fee),
        nested(tx, changes) {
          return run({ ...this, ...changes }, tx);
        },
      },
      executable.tx,
    );
    const earnings = draft.earnings(draft.height);
    if (earnings !== undefined) draft.putEarnings(draft.height, { ...earnings, fees: earnings.fees + earned });
    return info;
  });
}

function run(execution: Execution, tx: JsonObject): Info | undefined {
  const type = text(tx, 'type');
  const effect = EFFECTS[type];
  if (effect === undefined || !isAllowed(tx, execution.draft.version)) throw new Refusal('invalid_at_protocol');
  const { draft, authId } = execution;
  if (tx['ttl'] !== undefined && big(tx, 'ttl') < BigInt(draft.height)) throw new Refusal('ttl_expired');
  const origin = originOf(tx);
  // If another account pays for the transaction, the origin does not have to exist in the state.
  const account = draft.account(origin) ?? (execution.payer === undefined ? undefined : newAccount());
  if (account === undefined) throw new Refusal('account_not_found');
  const fee = paysFromChannel(type) ? 0n : big(tx, 'fee');
  if (authId !== undefined || type === 'GAMetaTx') charge(execution, origin, fee);
  else useNonce(execution, tx, origin, account, fee);
  return effect(execution, tx);
}

/** Uses the nonce of the origin and charges the fee. If the origin pays, its account is changed only once. */
function useNonce(execution: Execution, tx: JsonObject, origin: string, account: Account, fee: bigint): void {
  const { draft, payer } = execution;
  if (account.authentication !== undefined) throw new Refusal('generalized_account_cant_sign_non_meta_tx');
  const nonce = big(tx, 'nonce');
  if (nonce <= account.nonce) throw new Refusal('account_nonce_too_low');
  if (nonce > account.nonce + 1n) throw new Refusal('account_nonce_too_high');
  if (payer === undefined) {
    if (account.balance < fee) throw new Refusal('insufficient_funds');
    draft.put('account', origin, { ...account, nonce, balance: account.balance - fee });
    execution.earn(fee);
  } else {
    draft.put('account', origin, { ...account, nonce });
    charge(execution, origin, fee);
  }
}

/** Whether a protocol version allows the type and version of the transaction. Nested transactions are not checked. */
export function isAllowed(tx: JsonObject, version: number): boolean {
  const type = text(tx, 'type');
  if (EFFECTS[type] === undefined || (transactionType(type)?.since ?? 1) > version) return false;
  switch (type) {
    case 'NameClaimTx':
      return (tx['name_fee'] !== undefined) === version >= LIMA;
    case 'NameUpdateTx':
      return tx['version'] === 1 || version >= CERES;
    case 'ChannelCreateTx':
      return (tx['version'] === 2) === version >= IRIS;
    case 'GAMetaTx':
      return (tx['version'] === 2) === version >= IRIS;
    case 'GAAttachTx':
      return version < CERES || big(tx, 'nonce') === 1n;
    case 'OracleQueryTx':
      return version >= IRIS || !text(tx, 'oracle_id').startsWith('nm_');
    case 'ContractCallTx':
      return version >= CERES || !text(tx, 'contract_id').startsWith('nm_');
    default:
      return true;
  }
}
