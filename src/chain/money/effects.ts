/** What each type of transactions does to balances. */
import { isObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { auctionLength, endAfterBid, OLD_CLAIM_FEE } from '../protocol/name-rules.js';
import { lastHeight } from '../protocol/oracles.js';
import { LIMA } from '../protocol/versions.js';
import { transactionType } from '../transactions/catalogue.js';
import { readAmount, readGenerations, readId } from '../transactions/members.js';
import type { Operation } from '../operations.js';
import { payGas } from './execution.js';
import type { Execution, PointerKey } from './execution.js';
import { accountOf, LOCKED } from './movement.js';
import type { Held } from './movement.js';

type Effect = (of: Execution) => void;

/** Takes the fee from the member with the origin. Returns the origin. */
function payFee({ tx, payer, pay }: Execution, origin: string): string {
  const id = readId(tx, origin);
  pay(payer ?? id, 'fee', readAmount(tx, 'fee'));
  return id;
}

const feeOnly =
  (origin: string): Effect =>
  (of) =>
    void payFee(of, origin);

function operationOf<On extends Operation['on']>({ effective }: Execution, on: On): Operation & { on: On } {
  const operation = transactionType(effective.type)?.operation?.(effective);
  if (operation?.on === on) return operation as Operation & { on: On };
  throw new MalformedError(`${effective.type}: is not about a ${on}`);
}

/** What a member means that may be a name; undefined if that is not known. */
function resolved({ tx, pointee, gap }: Execution, member: string, key: PointerKey): string | undefined {
  const id = readId(tx, member);
  if (!id.startsWith('nm_')) return id;
  const found = pointee(id, key);
  if (found === undefined) gap('object');
  return found;
}

function spend(of: Execution): void {
  const sender = payFee(of, 'sender_id');
  const amount = readAmount(of.tx, 'amount');
  const recipient = resolved(of, 'recipient_id', 'account_pubkey');
  of.move(sender, 'spend', -amount, recipient ?? readId(of.tx, 'recipient_id'));
  if (recipient !== undefined) of.move(recipient, 'spend', amount, sender);
}

function claim(of: Execution): void {
  const { holdings, height, version, move, gap } = of;
  const account = payFee(of, 'account_id');
  const { name, name_hash: hash, fee, salt } = operationOf(of, 'name') as Operation & { on: 'name'; op: 'claim' };
  const price = version < LIMA || fee === null ? OLD_CLAIM_FEE : fee;
  const length = auctionLength(name, version);
  if (length === 0) {
    move(account, 'name_fee', -price);
    move(LOCKED, 'lock', price, account);
    return;
  }
  const before = salt === 0n ? holdings.find('auction', hash) : undefined;
  move(account, 'bid', -price, hash);
  if (before !== undefined) move(before.account, 'bid_refund', before.amount, hash);
  // From Ceres on, this may be the first bid, or it may be higher than one that was made inside a contract.
  else if (salt === 0n) gap('object');
  const until = before === undefined ? height + length : endAfterBid(name, before.until!, height, version);
  holdings.keep({ on: 'auction', id: hash, amount: price, account: accountOf(account), other: null, until });
}

function ask(of: Execution): void {
  const sender = payFee(of, 'sender_id');
  const { id, oracle } = operationOf(of, 'query');
  const amount = readAmount(of.tx, 'query_fee');
  of.move(sender, 'oracle_fee', -amount, oracle);
  const until = queryEnd(of);
  of.holdings.keep({ on: 'query', id, amount, account: accountOf(sender), other: null, until });
}

function queryEnd({ tx, height }: Execution): number {
  const ttl = tx['query_ttl'];
  if (!isObject(ttl)) throw new MalformedError('query_ttl: not an object');
  const type = ttl['type'] === 'delta' ? 'delta' : 'block';
  return lastHeight({ type, value: readGenerations(ttl['value'], 'query_ttl') }, height);
}

function answer(of: Execution): void {
  const oracle = payFee(of, 'oracle_id');
  const held = take(of, 'query', operationOf(of, 'query').id);
  if (held !== undefined) of.move(oracle, 'oracle_reward', held.amount, held.account);
}

/** What is kept for an object, which ends; a gap if it is not known. */
function take({ holdings, gap }: Execution, on: Held['on'], id: string): Held | undefined {
  const held = holdings.find(on, id);
  if (held === undefined) gap('object');
  else holdings.release(held);
  return held;
}

/** A contract that is created, called, or attached to an account. `sent`: members with what it gets. */
const run =
  (
    origin: string,
    contractOf: (of: Execution) => string | undefined,
    sent: { amount?: true; deposit?: true },
  ): Effect =>
  (of) => {
    const { tx, payer, call, move, gap } = of;
    const caller = payFee(of, origin);
    payGas(call, payer ?? caller, of);
    // A call that fails costs gas, and nothing else happens.
    if (call === undefined || call['return_type'] !== 'ok') return;
    gap('inside');
    const contract = contractOf(of);
    const amount = sent.amount === true ? readAmount(tx, 'amount') : 0n;
    move(caller, 'call', -amount, contract ?? readId(tx, 'contract_id'));
    if (contract !== undefined) move(contract, 'call', amount, caller);
    if (sent.deposit === true) move(caller, 'deposit', -readAmount(tx, 'deposit'), contract);
  };

const created = (of: Execution): string => operationOf(of, 'contract').id;

function openChannel(of: Execution): void {
  const initiator = payFee(of, 'initiator_id');
  const responder = readId(of.tx, 'responder_id');
  const [own, other] = [readAmount(of.tx, 'initiator_amount'), readAmount(of.tx, 'responder_amount')];
  const { id } = operationOf(of, 'channel');
  of.move(initiator, 'channel_open', -own, id);
  of.move(responder, 'channel_open', -other, id);
  of.holdings.keep({
    ...{ on: 'channel', id, amount: own + other, until: null },
    ...{ account: accountOf(initiator), other: accountOf(responder) },
  });
}

const changeChannel =
  (party: string, kind: 'channel_deposit' | 'channel_withdraw'): Effect =>
  (of) => {
    const account = payFee(of, party);
    const id = readId(of.tx, 'channel_id');
    const change = readAmount(of.tx, 'amount') * (kind === 'channel_deposit' ? 1n : -1n);
    of.move(account, kind, -change, id);
    const held = of.holdings.find('channel', id);
    if (held === undefined) of.gap('object');
    else of.holdings.keep({ ...held, amount: held.amount + change });
  };

/** Pays the final amounts of a channel. What is left, after a fee that the channel pays, is locked. */
function endChannel(of: Execution, kind: 'channel_close' | 'channel_settle', fee: bigint): void {
  const { tx, move } = of;
  const id = readId(tx, 'channel_id');
  const [own, other] = [readAmount(tx, 'initiator_amount_final'), readAmount(tx, 'responder_amount_final')];
  const held = take(of, 'channel', id);
  if (held === undefined) return;
  move(held.account, kind, own, id);
  move(held.other!, kind, other, id);
  move(LOCKED, 'lock', held.amount - own - other - fee, id);
}

function closeChannel(of: Execution): void {
  const fee = readAmount(of.tx, 'fee');
  of.pay(of.payer ?? null, 'fee', fee);
  endChannel(of, 'channel_close', of.payer === undefined ? fee : 0n);
}

function settleChannel(of: Execution): void {
  payFee(of, 'from_id');
  endChannel(of, 'channel_settle', 0n);
}

/** The coins that a forced call moves stay in the channel. */
function forceProgress(of: Execution): void {
  const from = payFee(of, 'from_id');
  payGas(of.call, of.payer ?? from, of);
}

export const EFFECTS: Readonly<Record<string, Effect | undefined>> = {
  SpendTx: spend,
  NamePreclaimTx: feeOnly('account_id'),
  NameClaimTx: claim,
  NameUpdateTx: feeOnly('account_id'),
  NameTransferTx: feeOnly('account_id'),
  NameRevokeTx: feeOnly('account_id'),
  OracleRegisterTx: feeOnly('account_id'),
  OracleExtendTx: feeOnly('oracle_id'),
  OracleQueryTx: ask,
  OracleRespondTx: answer,
  // Its name at nodes before 3.0.
  OracleResponseTx: answer,
  ContractCreateTx: run('owner_id', created, { amount: true, deposit: true }),
  ContractCallTx: run('caller_id', (of) => resolved(of, 'contract_id', 'contract_pubkey'), { amount: true }),
  GAAttachTx: run('owner_id', created, {}),
  ChannelCreateTx: openChannel,
  ChannelDepositTx: changeChannel('from_id', 'channel_deposit'),
  ChannelWithdrawTx: changeChannel('to_id', 'channel_withdraw'),
  ChannelCloseMutualTx: closeChannel,
  ChannelCloseSoloTx: feeOnly('from_id'),
  ChannelSlashTx: feeOnly('from_id'),
  ChannelSettleTx: settleChannel,
  ChannelSnapshotSoloTx: feeOnly('from_id'),
  ChannelSetDelegatesTx: feeOnly('from_id'),
  ChannelForceProgressTx: forceProgress,
};
