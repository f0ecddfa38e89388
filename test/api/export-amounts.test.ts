import { expect } from 'chai';
import { accountRow, callRow, intervalRow } from '../../src/api/export/rows.js';
import type { Row } from '../../src/api/export/format.js';
import { derive, ListKind } from '../../src/chain/derive.js';
import { readTransaction } from '../../src/chain/facts.js';
import { channelId, commitmentId, contractId, nameHash, oracleId, queryId } from '../../src/chain/protocol/ids.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import { ACCOUNT_CODE, AUTHORIZE_HASH, CONTRACT_CODE } from '../../devtools/devnode/generate/fate.js';
import { stubMachine } from '../../devtools/devnode/ledger/machine.js';
import type { CallResult } from '../../devtools/devnode/ledger/types.js';
import { printedInfo } from '../../devtools/devnode/live/infos.js';
import { ALICE, BOB, CAROL, account, ledger, protocol } from '../support/ledger.js';
import type { Ledger } from '../support/ledger.js';

const FEE = 20_000_000_000_000;
const GAS_PRICE = 1_000_000_000;
const STATE = `st_${Buffer.alloc(36).toString('base64')}`;
const DAVE = account('dave');

/** Columns of a row for an account: direction, amount, fees paid, effect. */
type ShownChain = [direction: string | null, amount: string | null, paid: string | null, effect: string];

const told = (row: Row): unknown[] => [row['direction'], row['amount_aettos'], row['fees_paid_aettos'], row['effect']];

/** Change of the balance by a row whose effect is known. */
function change(row: Row): bigint {
  const amount = BigInt(row['amount_aettos'] as string);
  const moved = { in: amount, out: -amount, self: 0n }[row['direction'] as 'in' | 'out' | 'self'];
  return moved - BigInt(row['fees_paid_aettos'] as string);
}

const exported = (body: string, info: string | null, payees: readonly string[] | null) => ({
  position: '0',
  ordinal: '1',
  height: '1',
  time: '0',
  block_hash: 'mh_1',
  hash: 'th_1',
  body,
  info,
  payees,
  moved: null,
  paid: null,
  moved_with: null,
});

const seen = new Set<string>();

/** Executes transactions, and compares the rows of all accounts in them with the changes of their balances. */
function play(made: Ledger, of: Ledger['apply'] = (tx) => made.apply(tx)) {
  return (tx: JsonObject, expected: Record<string, ShownChain>, payees: string[] = []): void => {
    const origin = ORIGINS.map((member) => tx[member]).find((id) => id !== undefined) as string;
    const nonce = Number((made.state.account(origin.replace('ok_', 'ak_'))?.nonce ?? 0n) + 1n);
    const whole = { fee: FEE, version: 1, ...(tx['type'] === 'GAMetaTx' ? {} : { nonce }), ...tx };
    const people = [ALICE, BOB, CAROL, DAVE];
    const before = people.map((id) => made.balance(id));
    const info = of(whole);
    const body = stringifyExact({ hash: 'th_1', tx: whole });
    const { lists } = derive(readTransaction(body));
    const named = lists.filter(({ kind }) => kind === ListKind.account).map(({ id }) => id);
    const listed = [...new Set([...named, ...payees])];
    const infoText = info === undefined ? null : stringifyExact(printedInfo(info));
    const rows = Object.fromEntries(
      people
        .filter((id) => listed.includes(id))
        .map((id) => [id, accountRow(exported(body, infoText, listed), id)] as const),
    );
    seen.add(tx['type'] as string);
    expect(Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, told(row)]))).to.deep.equal(expected);
    people.forEach((id, i) => {
      const row = rows[id];
      if (row === undefined || row['effect'] !== 'exact') return;
      expect(change(row), `${body} for ${id}`).to.equal(made.balance(id) - before[i]!);
    });
  };
}

const ORIGINS = [
  'payer_id',
  'ga_id',
  'sender_id',
  'account_id',
  'owner_id',
  'caller_id',
  'initiator_id',
  'from_id',
  'to_id',
  'oracle_id',
];

const fee = String(FEE);
const inner = (tx: JsonObject): JsonObject => ({ signatures: [], tx: { fee: 17_000, version: 1, ...tx } });
const twoFees = String(FEE + 17_000);
const ended = (type: CallResult['type']) =>
  ledger(undefined, (asked) => ({ ...stubMachine(asked), type: asked.purpose === 'authenticate' ? 'ok' : type }));

const create: JsonObject = {
  type: 'ContractCreateTx',
  owner_id: ALICE,
  code: CONTRACT_CODE,
  vm_version: 8,
  abi_version: 3,
  deposit: 5,
  amount: 11,
  gas: 5_000,
  gas_price: GAS_PRICE,
  call_data: 'cb_KxFE1kQfGwDzrEWb',
};
const call = (members: JsonObject): JsonObject => ({
  type: 'ContractCallTx',
  contract_id: contractId(ALICE, 1n),
  abi_version: 3,
  amount: 3,
  gas: 5_000,
  gas_price: GAS_PRICE,
  call_data: 'cb_KxHgvvxhP+OENQI=',
  ...members,
});

describe('amounts of exports', () => {
  it('of spends are right for sender and recipient, also to oneself, to an oracle and to a contract', () => {
    const made = ledger();
    const apply = play(made);
    const spend = (recipient_id: string, sender_id = ALICE): JsonObject => ({
      type: 'SpendTx',
      sender_id,
      recipient_id,
      amount: 12_345_678_901_234_567_890n,
    });
    const amount = '12345678901234567890';
    apply(spend(BOB), { [ALICE]: ['out', amount, fee, 'exact'], [BOB]: ['in', amount, '0', 'exact'] });
    apply(spend(ALICE), { [ALICE]: ['self', amount, fee, 'exact'] });
    apply(spend(ALICE.replace('ak_', 'ok_')), { [ALICE]: ['self', amount, fee, 'exact'] });
    apply(spend(BOB.replace('ak_', 'ct_')), { [ALICE]: ['out', amount, fee, 'exact'] });
  });

  it('of names: fees are paid, a bid returns the earlier one, payments to a name need its owner at that time', () => {
    const made = ledger();
    const apply = play(made);
    const name = 'thisisalongname.chain';
    const claimed = (members: JsonObject): JsonObject => ({
      type: 'NameClaimTx',
      account_id: ALICE,
      name,
      name_fee: 900_000_000_000_000_000n,
      version: 2,
      ...members,
    });
    const nothing: ShownChain = ['out', '0', fee, 'exact'];
    const own = { account_id: ALICE, name_id: nameHash(name) };
    apply({ type: 'NamePreclaimTx', account_id: ALICE, commitment_id: commitmentId(name, 7n) }, { [ALICE]: nothing });
    made.goTo(3);
    apply(claimed({ name_salt: 7 }), { [ALICE]: ['out', '900000000000000000', fee, 'exact'] });
    // Without an auction, there are no earlier bids.
    apply(claimed({ name: 'anotherlongname.chain', name_salt: 0 }), {
      [ALICE]: ['out', '900000000000000000', fee, 'exact'],
    });
    const bid = (name_fee: bigint): JsonObject => claimed({ name: 'shortname.chain', name_salt: 0, name_fee });
    apply(bid(100n * 10n ** 18n), { [ALICE]: ['out', '100000000000000000000', null, 'unknown'] });
    apply(bid(200n * 10n ** 18n), { [ALICE]: ['out', '200000000000000000000', null, 'unknown'] });

    const pay = { type: 'SpendTx', sender_id: BOB, recipient_id: nameHash(name), amount: 7 };
    const point = (id: string): void =>
      apply(
        {
          ...own,
          type: 'NameUpdateTx',
          name_ttl: 100,
          client_ttl: 1,
          pointers: [{ key: 'account_pubkey', encoded_key: 'ba_YWNjb3VudF9wdWJrZXn8jckR', id }],
        },
        { [ALICE]: nothing },
      );
    point(CAROL);
    apply(pay, { [BOB]: ['out', '7', fee, 'exact'], [CAROL]: ['in', '7', '0', 'exact'] }, [CAROL]);
    // Its own name, or a name that is not stored.
    point(BOB);
    apply(pay, { [BOB]: ['out', '7', null, 'unknown'] }, [BOB]);
    apply(
      { type: 'PayingForTx', payer_id: CAROL, tx: inner({ ...pay, nonce: 3 }) },
      { [CAROL]: ['out', '0', null, 'unknown'] },
    );

    apply(
      { ...own, type: 'NameTransferTx', recipient_id: BOB },
      { [ALICE]: nothing, [BOB]: ['in', '0', '0', 'exact'] },
    );
    apply({ ...own, type: 'NameRevokeTx', account_id: BOB }, { [BOB]: nothing });
  });

  it('of claims of the time without fees are unknown', () => {
    const made = ledger(protocol(3));
    const apply = play(made);
    const name = 'old.test';
    made.apply({ type: 'NamePreclaimTx', account_id: ALICE, commitment_id: commitmentId(name, 7n) });
    made.goTo(3);
    apply({ type: 'NameClaimTx', account_id: ALICE, name, name_salt: 7 }, { [ALICE]: ['out', null, null, 'unknown'] });
  });

  it('of oracles: the sender of a query pays its fee; the income of a response is unknown', () => {
    const apply = play(ledger());
    const oracle = oracleId(BOB);
    apply(
      {
        type: 'OracleRegisterTx',
        account_id: BOB,
        query_format: 'q',
        response_format: 'r',
        query_fee: 9,
        abi_version: 0,
        oracle_ttl: { type: 'delta', value: 100 },
      },
      { [BOB]: ['out', '0', fee, 'exact'] },
    );
    apply({ type: 'OracleExtendTx', oracle_id: oracle, oracle_ttl: { type: 'delta', value: 10 } }, {});
    apply(
      {
        type: 'OracleQueryTx',
        sender_id: ALICE,
        oracle_id: oracle,
        query: '?',
        query_fee: 9,
        query_ttl: { type: 'delta', value: 10 },
        response_ttl: { type: 'delta', value: 10 },
      },
      { [ALICE]: ['out', '9', fee, 'exact'] },
    );
    const response: JsonObject = {
      type: 'OracleRespondTx',
      oracle_id: oracle,
      query_id: queryId(ALICE, 1n, oracle),
      response: '!',
      response_ttl: { type: 'delta', value: 10 },
    };
    apply(response, {});
    const row = accountRow(exported(stringifyExact({ hash: 'th_1', tx: { ...response, fee: FEE } }), null, null), BOB);
    expect(told(row)).to.deep.equal([null, null, null, 'unknown']);
  });

  it('of channels are what each party locks; the shares at the end are unknown', () => {
    const made = ledger();
    const apply = play(made);
    const id = channelId(ALICE, 1n, BOB);
    const open: JsonObject = {
      type: 'ChannelCreateTx',
      version: 2,
      initiator_id: ALICE,
      responder_id: BOB,
      initiator_amount: 1_000_000_000_000_000n,
      responder_amount: 2_000_000_000_000_000n,
      channel_reserve: 100,
      lock_period: 5,
      delegate_ids: { initiator: [], responder: [] },
      state_hash: STATE,
    };
    const use = (type: string, members: JsonObject): JsonObject => ({
      type,
      channel_id: id,
      state_hash: STATE,
      ...members,
    });
    apply(open, {
      [ALICE]: ['out', '1000000000000000', fee, 'exact'],
      [BOB]: ['out', '2000000000000000', '0', 'exact'],
    });
    const by = (from_id: string, members: JsonObject): JsonObject => ({ from_id, ...members });
    apply(use('ChannelDepositTx', by(ALICE, { amount: 50, round: 2 })), { [ALICE]: ['out', '50', fee, 'exact'] });
    apply(use('ChannelWithdrawTx', { to_id: BOB, amount: 60, round: 3 }), { [BOB]: ['in', '60', fee, 'exact'] });
    const nothing: ShownChain = ['out', '0', fee, 'exact'];
    apply(use('ChannelSetDelegatesTx', by(BOB, { initiator_delegate_ids: [], responder_delegate_ids: [], round: 4 })), {
      [BOB]: nothing,
    });
    const proof = { payload: 'tx_Xfbg4g==', poi: 'pi_yDwBwMDAwMDA5gE8AQ==' };
    const dispute = made.state.channel(id)!;
    apply(use('ChannelCloseSoloTx', by(BOB, proof)), { [BOB]: nothing });
    apply(use('ChannelSlashTx', by(CAROL, proof)), { [CAROL]: nothing });
    const shares = { initiator_amount_final: 1_000_000_000_000_050n, responder_amount_final: 1_999_999_999_999_940n };
    made.goTo(10);
    expect(made.state.channel(id)?.amount).to.equal(dispute.amount);
    apply(use('ChannelSettleTx', by(BOB, shares)), { [BOB]: [null, null, null, 'unknown'] });

    const again = play(ledger());
    again(open, {
      [ALICE]: ['out', '1000000000000000', fee, 'exact'],
      [BOB]: ['out', '2000000000000000', '0', 'exact'],
    });
    again(use('ChannelCloseMutualTx', by(ALICE, { initiator_amount_final: 100, responder_amount_final: 200 })), {
      [ALICE]: [null, null, null, 'unknown'],
    });
    for (const type of ['ChannelSnapshotSoloTx', 'ChannelForceProgressTx']) {
      const tx = { type, fee: FEE, nonce: 1, channel_id: id, from_id: ALICE, update: call({ caller_id: ALICE }) };
      const row = accountRow(exported(stringifyExact({ hash: 'th_1', tx }), null, null), ALICE);
      expect(told(row)).to.deep.equal(type === 'ChannelSnapshotSoloTx' ? nothing : ['out', '0', null, 'unknown']);
      seen.add(type);
    }
  });

  it('of contracts: failed calls transfer nothing and cost the gas; payments by contracts are unknown', () => {
    const apply = play(ledger());
    apply(create, { [ALICE]: ['out', '16', null, 'unknown'] });
    apply(call({ caller_id: BOB }), { [BOB]: ['out', '3', null, 'unknown'] });
    const gas = String(FEE + 1_000 * GAS_PRICE);
    for (const type of ['revert', 'error'] as const) {
      play(ended(type))(create, { [ALICE]: ['out', '0', gas, 'exact'] });
      const made = ledger(undefined, (asked) => ({
        ...stubMachine(asked),
        type: asked.purpose === 'create' ? 'ok' : type,
      }));
      made.apply(create);
      play(made)(call({ caller_id: BOB }), { [BOB]: ['out', '0', gas, 'exact'] });
      play(made)(
        { type: 'PayingForTx', payer_id: CAROL, tx: inner(call({ caller_id: BOB, nonce: 2 })) },
        { [CAROL]: ['out', '0', String(FEE + 17_000 + 1_000 * GAS_PRICE), 'exact'] },
      );
    }
    // Without call information, the amounts are unknown.
    const row = accountRow(
      exported(stringifyExact({ hash: 'th_1', tx: { ...call({ caller_id: BOB }), fee: 1 } }), null, null),
      BOB,
    );
    expect(told(row)).to.deep.equal(['out', null, null, 'unknown']);
  });

  it('of generalized accounts are those of the inner transaction, if it took effect', () => {
    const attach: JsonObject = {
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
    const meta = (amount: number): JsonObject => ({
      type: 'GAMetaTx',
      version: 2,
      ga_id: ALICE,
      auth_data: `cb_KxFs8lcLG2+EASr0+EylBeY=`,
      abi_version: 3,
      gas: 5_000,
      gas_price: GAS_PRICE,
      tx: inner({ type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, amount, nonce: 0 }),
    });
    const apply = play(ledger());
    apply(attach, { [ALICE]: ['out', '0', null, 'unknown'] });
    apply(meta(10), { [ALICE]: ['out', '10', null, 'unknown'] });
    const failing = ledger(undefined, (asked) => ({
      ...stubMachine(asked),
      type: asked.purpose === 'authenticate' ? 'error' : 'ok',
    }));
    failing.apply(attach);
    play(failing)(meta(10), { [ALICE]: ['out', '0', null, 'unknown'] });
  });

  it('of paid transactions: the payer pays both fees, and receives what the inner transaction pays to it', () => {
    const apply = play(ledger());
    const paid = (tx: JsonObject, payer_id = CAROL): JsonObject => ({ type: 'PayingForTx', payer_id, tx: inner(tx) });
    const spend = { type: 'SpendTx', sender_id: BOB, amount: 10 };
    apply(paid({ ...spend, recipient_id: ALICE, nonce: 1 }), { [CAROL]: ['out', '0', twoFees, 'exact'] });
    apply(paid({ ...spend, recipient_id: CAROL, nonce: 2 }), { [CAROL]: ['in', '10', twoFees, 'exact'] });
    apply(
      paid({
        type: 'ChannelCreateTx',
        version: 2,
        initiator_id: BOB,
        responder_id: CAROL,
        initiator_amount: 1000,
        responder_amount: 2000,
        channel_reserve: 100,
        lock_period: 5,
        delegate_ids: { initiator: [], responder: [] },
        state_hash: STATE,
        nonce: 3,
      }),
      { [CAROL]: ['out', '2000', twoFees, 'exact'] },
    );
  });

  it('are marked as unknown if a transaction cannot be read', () => {
    for (const tx of [
      { type: 'UnheardOfTx', sender_id: ALICE, fee: 5 },
      { type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, fee: 5 },
      { type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, fee: 5, amount: -1 },
      { type: 'PayingForTx', payer_id: ALICE, fee: 5 },
    ]) {
      const row = accountRow(exported(stringifyExact({ hash: 'th_1', tx }), null, null), ALICE);
      expect([row['amount_aettos'], row['effect']], tx.type).to.deep.equal([null, 'unknown']);
    }
  });

  it('are tested for every transaction type', () => {
    const types = TRANSACTION_TYPES.filter(({ valueFlow }) => valueFlow !== undefined).map(({ name }) => name);
    expect(types.sort()).to.deep.equal([...seen].sort());
  });

  it('of intervals and calls are the transfers between the accounts that the transaction names', () => {
    const row = (tx: JsonObject, info: string | null = null): unknown[] => {
      const cells = intervalRow(exported(stringifyExact({ hash: 'th_1', tx: { fee: 1, ...tx } }), info, null));
      return [cells['sender'], cells['recipient'], cells['amount_aettos'], cells['effect']];
    };
    const channel = { channel_id: 'ch_x' };
    const open = {
      type: 'ChannelCreateTx',
      initiator_id: ALICE,
      responder_id: BOB,
      initiator_amount: 1,
      responder_amount: 2,
    };
    const reverted = stringifyExact({ call_info: { return_type: 'revert', gas_used: 1, gas_price: 1 } });
    const fine = stringifyExact({ call_info: { return_type: 'ok', gas_used: 1, gas_price: 1 } });
    const called = call({ caller_id: BOB, contract_id: 'ct_x' });
    expect(row({ type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, amount: 4 })).to.deep.equal([
      ALICE,
      BOB,
      '4',
      'exact',
    ]);
    expect(row(open)).to.deep.equal([ALICE, BOB, null, 'unknown']);
    expect(row({ ...channel, type: 'ChannelWithdrawTx', to_id: BOB, amount: 3 })).to.deep.equal([
      'ch_x',
      BOB,
      '3',
      'exact',
    ]);
    expect(row({ ...channel, type: 'ChannelSettleTx', from_id: BOB })).to.deep.equal([BOB, null, null, 'unknown']);
    expect(row(called, fine)).to.deep.equal([BOB, 'ct_x', '3', 'unknown']);
    expect(row(called, reverted)).to.deep.equal([BOB, 'ct_x', '0', 'exact']);
    expect(
      row({
        type: 'PayingForTx',
        payer_id: CAROL,
        tx: inner({ type: 'SpendTx', sender_id: ALICE, recipient_id: BOB, amount: 4 }),
      }),
    ).to.deep.equal([ALICE, BOB, '4', 'exact']);
    for (const [info, amount] of [
      [fine, '3'],
      [reverted, '0'],
      [null, null],
    ] as const) {
      const cells = {
        ...exported(stringifyExact({ hash: 'th_1', tx: { ...called, fee: 1 } }), info, null),
        contract_id: 'ct_x',
        arguments: '{}',
        result: null,
      };
      expect(callRow(cells)['amount_aettos']).to.equal(amount);
    }
  });
});
