/** Effects of transactions of contracts and generalized accounts. The machine returns the result of a call; this file moves coins and records. */
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { authenticationId, contractId } from '../../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { decodeRlp } from '../../../src/chain/serialize/decode-rlp.js';
import { accountIn, charge, credit, debit, distinctionOf, newAccount, pointerOf } from './execution.js';
import type { ContractCall, Effects, Execution } from './execution.js';
import { big, count, innerOf, object, text } from './members.js';
import { accountOf } from '../origin.js';
import type { Draft } from './state.js';
import { Refusal } from './types.js';
import type { CallInfo, CallResult, Contract, Info } from './types.js';

/** Index of the flag `payable` in the serialised contract. */
const PAYABLE_FIELD = 6;

function isPayable(code: string): boolean {
  try {
    const field = (decodeRlp(decodeId(code, 'cb')) as readonly Uint8Array[])[PAYABLE_FIELD];
    // Contracts of the first compilers do not have the flag and accept payments.
    return field === undefined || field[0] === 1;
  } catch {
    return true;
  }
}

function callMachine(
  execution: Execution,
  purpose: ContractCall['purpose'],
  tx: JsonObject,
  contract: string,
  code: string,
  callData = text(tx, 'call_data'),
): CallResult {
  const { machine, transaction } = execution;
  const result = machine({ purpose, transaction, tx, contract, code, callData, gas: big(tx, 'gas') });
  return result.gasUsed <= big(tx, 'gas') ? result : { ...result, gasUsed: big(tx, 'gas') };
}

const callInfo = (
  { draft }: Execution,
  tx: JsonObject,
  caller: string,
  contract: string,
  { type, value, gasUsed, log }: CallResult,
): CallInfo => ({
  type,
  value,
  gasUsed,
  log,
  caller,
  callerNonce: big(tx, 'nonce'),
  contract,
  gasPrice: big(tx, 'gas_price'),
  height: draft.height,
});

/** Charges the used gas. The caller must be able to pay for the whole gas limit. */
function payGas(execution: Execution, tx: JsonObject, caller: string, used: bigint): void {
  const price = big(tx, 'gas_price');
  if (accountIn(execution.draft, execution.payer ?? caller).balance < big(tx, 'gas') * price) {
    throw new Refusal('insufficient_funds');
  }
  charge(execution, caller, used * price);
}

function putContract(execution: Execution, tx: JsonObject, id: string, balance: bigint): void {
  const { draft } = execution;
  const contract: Contract = {
    id,
    owner: text(tx, 'owner_id'),
    vmVersion: count(tx, 'vm_version'),
    abiVersion: count(tx, 'abi_version'),
    code: text(tx, 'code'),
    deposit: big(tx, 'deposit'),
  };
  placeContract(draft, contract, balance);
}

/** Adds a contract with its account, which gets `balance`. */
export function placeContract(draft: Draft, contract: Contract, balance: bigint): void {
  const { id } = contract;
  draft.put('contract', id, contract);
  const account = draft.account(id) ?? newAccount();
  draft.put('account', id, { ...account, balance: account.balance + balance, payable: isPayable(contract.code) });
}

function create(execution: Execution, tx: JsonObject): Info {
  const owner = text(tx, 'owner_id');
  const id = contractId(owner, distinctionOf(execution, tx));
  const result = callMachine(execution, 'create', tx, id, text(tx, 'code'));
  payGas(execution, tx, owner, result.gasUsed);
  if (result.type === 'ok') {
    debit(execution.draft, owner, big(tx, 'amount') + big(tx, 'deposit'));
    putContract(execution, tx, id, big(tx, 'amount'));
  }
  return { call: callInfo(execution, tx, owner, id, result) };
}

function call(execution: Execution, tx: JsonObject): Info {
  const { draft } = execution;
  const called = text(tx, 'contract_id');
  const id = called.startsWith('nm_') ? pointerOf(draft, called, 'contract_pubkey') : called;
  const contract = id === undefined ? undefined : draft.contract(id);
  if (contract === undefined) throw new Refusal('contract_does_not_exist');
  const caller = text(tx, 'caller_id');
  const amount = big(tx, 'amount');
  const result = callMachine(execution, 'call', tx, contract.id, contract.code);
  payGas(execution, tx, caller, result.gasUsed);
  if (accountIn(draft, caller).balance < amount) throw new Refusal('insufficient_funds');
  if (result.type === 'ok' && amount > 0n) {
    debit(draft, caller, amount);
    credit(draft, contract.id, amount);
  }
  return { call: callInfo(execution, tx, caller, contract.id, result) };
}

function attach(execution: Execution, tx: JsonObject): Info {
  const { draft } = execution;
  const owner = text(tx, 'owner_id');
  const id = contractId(owner, distinctionOf(execution, tx));
  const result = callMachine(execution, 'attach', tx, id, text(tx, 'code'));
  payGas(execution, tx, owner, result.gasUsed);
  if (result.type === 'ok') {
    putContract(execution, tx, id, 0n);
    const authentication = { contract: id, functionHash: text(tx, 'auth_fun') };
    draft.put('account', owner, { ...accountIn(draft, owner), authentication });
  }
  return { call: callInfo(execution, tx, owner, id, result) };
}

/** Internal name of a transaction type in the node: `spend_tx` for `SpendTx`, `ga_attach_tx` for `GAAttachTx`. */
export const atomOf = (type: string): string =>
  type
    .replace(/^GA/, 'Ga')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase();

function meta(execution: Execution, tx: JsonObject): Info {
  const { draft } = execution;
  const account = text(tx, 'ga_id');
  const contract = accountIn(draft, account).authentication?.contract;
  const code = contract === undefined ? undefined : draft.contract(contract)?.code;
  if (contract === undefined || code === undefined) throw new Refusal('not_a_generalized_account');
  const result = callMachine(execution, 'authenticate', tx, contract, code, text(tx, 'auth_data'));
  payGas(execution, tx, account, result.gasUsed);
  const common = {
    caller: account,
    gasPrice: big(tx, 'gas_price'),
    gasUsed: result.gasUsed,
    height: draft.height,
    value: result.value,
  };
  if (result.type !== 'ok') return { meta: { ...common, type: 'error' } };
  const inner = innerOf(tx);
  try {
    const authId = authenticationId(account, text(tx, 'auth_data'));
    const given = draft.attempt(() => execution.nested(inner, { authId }));
    return { meta: { ...common, type: 'ok', inner: given ?? atomOf(text(inner, 'type')) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { meta: { ...common, type: 'error', value: encodeId('cb', Buffer.from(error.code)) } };
  }
}

function payFor(execution: Execution, tx: JsonObject): Info | undefined {
  return execution.nested(innerOf(tx), { payer: text(tx, 'payer_id') });
}

/** The contract call that a party of a channel forces on the chain. */
export function forcedCall(execution: Execution, tx: JsonObject): Info {
  const update = object(tx, 'update');
  const caller = text(update, 'caller_id');
  const contract = text(update, 'contract_id');
  const code = execution.draft.contract(contract)?.code ?? '';
  const result = callMachine(execution, 'force', update, contract, code);
  payGas(execution, update, accountOf(text(tx, 'from_id')), result.gasUsed);
  return { call: { ...callInfo(execution, update, caller, contract, result), callerNonce: big(tx, 'nonce') } };
}

/** Effects of contract transactions, by type. */
export const contracts: Effects = {
  ContractCreateTx: create,
  ContractCallTx: call,
  GAAttachTx: attach,
  GAMetaTx: meta,
  PayingForTx: payFor,
};
