import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { channelId, contractId } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { ACCOUNT_CODE, AUTHORIZE_HASH, CONTRACT_CODE } from '../../devtools/devnode/generate/fate.js';
import { LOCKED_ACCOUNT } from '../../devtools/devnode/ledger/execution.js';
import { functionName } from '../../devtools/devnode/ledger/function-name.js';
import { stubMachine } from '../../devtools/devnode/ledger/machine.js';
import { ALICE, BOB, CAROL, COIN, START, account, ledger } from '../support/ledger.js';
import type { Ledger } from '../support/ledger.js';

const FEE = 20_000_000_000_000n;
const GAS_PRICE = 1_000_000_000n;

describe('spends in the state machine', () => {
  const spend = (amount: bigint, recipient_id = BOB) => ({ type: 'SpendTx', sender_id: ALICE, recipient_id, amount });

  it('create accounts, and need the next nonce, coins for amount and fee, and a valid ttl', () => {
    const made = ledger();
    const nobody = account('nobody');
    made.apply(spend(7n, nobody));
    expect(made.state.account(nobody)).to.deep.equal({ balance: 7n, nonce: 0n, payable: true });
    expect(made.balance(ALICE)).to.equal(START - FEE - 7n);
    expect(made.refusal({ ...spend(1n), nonce: 1 })).to.equal('account_nonce_too_low');
    expect(made.refusal({ ...spend(1n), nonce: 3 })).to.equal('account_nonce_too_high');
    expect(made.refusal(spend(START))).to.equal('insufficient_funds');
    expect(made.refusal({ ...spend(1n), sender_id: account('stranger') })).to.equal('account_not_found');
    made.goTo(5);
    expect(made.refusal({ ...spend(1n), ttl: 4 })).to.equal('ttl_expired');
    made.apply({ ...spend(1n), ttl: 5 });
  });

  it('go to the accounts of oracles and contracts', () => {
    const made = ledger();
    made.apply(spend(3n, BOB.replace('ak_', 'ok_')));
    made.apply(spend(4n, CAROL.replace('ak_', 'ct_')));
    expect([made.balance(BOB), made.balance(CAROL)]).to.deep.equal([START + 3n, START + 4n]);
  });
});

describe('contracts in the state machine', () => {
  const create = (members: object = {}) => ({
    type: 'ContractCreateTx',
    owner_id: ALICE,
    code: CONTRACT_CODE,
    vm_version: 8,
    abi_version: 3,
    deposit: 0,
    amount: 11,
    gas: 5_000,
    gas_price: GAS_PRICE,
    call_data: 'cb_KxFE1kQfGwDzrEWb',
    ...members,
  });
  const call = (contract_id: string, amount: number) => ({
    type: 'ContractCallTx',
    caller_id: BOB,
    contract_id,
    abi_version: 3,
    amount,
    gas: 5_000,
    gas_price: GAS_PRICE,
    call_data: 'cb_KxHgvvxhP+OENQI=',
  });

  it('cost the used gas, get their amount, and have an id from owner and nonce', () => {
    const made = ledger();
    const info = made.apply(create({ deposit: 5 }));
    const id = contractId(ALICE, 1n);
    expect(info).to.deep.include({ call: { ...stubInfo(ALICE, id, 1n), value: encodeId('cb', Uint8Array.of(0x3f)) } });
    expect(made.balance(ALICE)).to.equal(START - FEE - 1_000n * GAS_PRICE - 16n);
    expect(made.balance(id)).to.equal(11n);
    made.apply(call(id, 3));
    expect(made.balance(id)).to.equal(14n);
    expect(made.refusal(call(contractId(ALICE, 2n), 3))).to.equal('contract_does_not_exist');
  });

  const stubInfo = (caller: string, contract: string, callerNonce: bigint) => ({
    caller,
    callerNonce,
    contract,
    gasPrice: GAS_PRICE,
    gasUsed: 1_000n,
    height: 1,
    log: [],
    type: 'ok' as const,
  });

  it('charge only the gas for a failed call', () => {
    const made = ledger(undefined, (asked) => ({ ...stubMachine(asked), type: 'revert' }));
    made.apply(create());
    expect(made.state.contract(contractId(ALICE, 1n))).to.equal(undefined);
    expect(made.balance(ALICE)).to.equal(START - FEE - 1_000n * GAS_PRICE);
  });

  it('need coins for the whole gas limit', () => {
    expect(ledger().refusal({ ...call('ct_', 1), ...create({ gas: 10 ** 12 }) })).to.equal('insufficient_funds');
  });
});

describe('generalized accounts and paid transactions in the state machine', () => {
  const attach = {
    type: 'GAAttachTx',
    owner_id: ALICE,
    code: ACCOUNT_CODE,
    auth_fun: AUTHORIZE_HASH,
    vm_version: 8,
    abi_version: 3,
    gas: 5_000,
    gas_price: GAS_PRICE,
    call_data: 'cb_KxFE1kQfP4oEp9E=',
  };
  const inner = (tx: JsonObject) => ({ signatures: [], tx: { fee: 17_000_000_000_000, nonce: 0, version: 1, ...tx } });
  const spend = { type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, amount: 10 };
  const meta = (tx: JsonObject) => ({
    type: 'GAMetaTx',
    version: 2,
    ga_id: ALICE,
    auth_data: 'cb_KxFs8lcLG2+EASr0+EylBeY=',
    abi_version: 3,
    gas: 5_000,
    gas_price: GAS_PRICE,
    tx: inner(tx),
  });

  it('act through their attached contract, without nonces', () => {
    const made = ledger();
    made.apply(attach);
    expect(made.state.account(ALICE)).to.deep.include({
      nonce: 1n,
      authentication: { contract: contractId(ALICE, 1n), functionHash: AUTHORIZE_HASH },
    });
    expect(functionName(AUTHORIZE_HASH, ACCOUNT_CODE)).to.equal('authorize');
    expect(made.refusal(spend)).to.equal('generalized_account_cant_sign_non_meta_tx');
    expect(made.apply(meta(spend))).to.have.nested.property('meta.inner', 'spend_tx');
    expect(made.state.account(ALICE)?.nonce).to.equal(1n);
    expect(made.balance(BOB)).to.equal(START + 10n);
    expect(made.balance(ALICE)).to.equal(START - 2n * FEE - 2_000n * GAS_PRICE - 17_000_000_000_000n - 10n);
  });

  it('pay for a failed authentication, and do nothing else', () => {
    const made = ledger(undefined, (asked) => ({
      ...stubMachine(asked),
      type: asked.purpose === 'authenticate' ? 'error' : 'ok',
    }));
    made.apply(attach);
    expect(made.apply(meta(spend))).to.have.nested.property('meta.type', 'error');
    expect([made.balance(BOB), made.balance(ALICE)]).to.deep.equal([START, START - 2n * FEE - 2_000n * GAS_PRICE]);
  });

  it('can be paid for by others, including the fee, even if they have no account yet', () => {
    const made = ledger();
    const newcomer = account('newcomer');
    const paid = inner({ ...spend, sender_id: newcomer, amount: 0, nonce: 1 });
    made.apply({ type: 'PayingForTx', payer_id: CAROL, tx: paid });
    expect(made.state.account(newcomer)).to.deep.include({ balance: 0n, nonce: 1n });
    expect(made.balance(CAROL)).to.equal(START - FEE - 17_000_000_000_000n);
    expect(made.refusal({ type: 'PayingForTx', payer_id: CAROL, tx: paid })).to.equal('account_nonce_too_low');
  });
});

describe('channels in the state machine', () => {
  const STATE = `st_${Buffer.alloc(36).toString('base64')}`;
  const id = channelId(ALICE, 1n, BOB);
  const create = {
    type: 'ChannelCreateTx',
    version: 2,
    initiator_id: ALICE,
    responder_id: BOB,
    initiator_amount: 3n * COIN,
    responder_amount: 2n * COIN,
    channel_reserve: 100,
    lock_period: 5,
    delegate_ids: { initiator: [], responder: [] },
    state_hash: STATE,
  };
  const use = (type: string, members: object) => ({
    type,
    channel_id: id,
    from_id: ALICE,
    state_hash: STATE,
    ...members,
  });
  const opened = (): Ledger => {
    const made = ledger();
    made.apply(create);
    return made;
  };

  it('contain the coins of both parties, and accept deposits and withdrawals in newer rounds', () => {
    const made = opened();
    expect(made.state.channel(id)).to.deep.include({ amount: 5n * COIN, round: 1n, lockedUntil: 0 });
    expect([made.balance(ALICE), made.balance(BOB)]).to.deep.equal([START - FEE - 3n * COIN, START - 2n * COIN]);
    made.apply(use('ChannelDepositTx', { amount: COIN, round: 2 }));
    expect(made.refusal(use('ChannelDepositTx', { amount: COIN, round: 2 }))).to.equal('old_round');
    made.apply({ ...use('ChannelWithdrawTx', { to_id: BOB, amount: COIN, round: 3 }), from_id: undefined as never });
    expect(made.state.channel(id)).to.deep.include({
      amount: 5n * COIN,
      initiatorAmount: 4n * COIN,
      responderAmount: COIN,
      round: 3n,
    });
    expect(made.refusal(use('ChannelDepositTx', { from_id: CAROL, amount: 1, round: 4 }))).to.equal('account_not_peer');
  });

  it('end by agreement: the channel pays the fee, and coins that nobody gets are locked', () => {
    const made = opened();
    const close = use('ChannelCloseMutualTx', { initiator_amount_final: 4n * COIN, responder_amount_final: COIN / 2n });
    expect(made.refusal({ ...close, responder_amount_final: COIN })).to.equal('wrong_amounts');
    made.apply(close);
    expect(made.state.channel(id)).to.equal(undefined);
    expect(made.balance(ALICE)).to.equal(START - FEE + COIN);
    expect(made.balance(LOCKED_ACCOUNT)).to.equal(COIN / 2n - FEE);
    expect(made.refusal(close)).to.equal('channel_does_not_exist');
  });

  it('end by one party only after the lock period', () => {
    const made = opened();
    const settle = use('ChannelSettleTx', { initiator_amount_final: 3n * COIN, responder_amount_final: 2n * COIN });
    expect(made.refusal(settle)).to.equal('channel_not_closing');
    made.apply(use('ChannelCloseSoloTx', { payload: 'tx_Xfbg4g==', poi: 'pi_yDwBwMDAwMDA5gE8AQ==' }));
    expect(made.state.channel(id)?.lockedUntil).to.equal(6);
    expect(made.refusal(use('ChannelDepositTx', { amount: 1, round: 9 }))).to.equal('channel_not_active');
    made.goTo(5);
    expect(made.refusal(settle)).to.equal('channel_not_closed');
    made.goTo(6);
    made.apply(settle);
    expect(made.balance(BOB)).to.equal(START);
  });
});
