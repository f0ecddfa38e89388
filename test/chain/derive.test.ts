import { expect } from 'chai';
import fc from 'fast-check';
import { ListKind, derive } from '../../src/chain/derive.js';
import { readTransaction } from '../../src/chain/facts.js';
import { channelId, contractId, queryId } from '../../src/chain/protocol/ids.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import {
  alice,
  bob,
  contract,
  oracle,
  channel,
  name,
  authData,
  transaction,
  meta,
  listed,
  create,
  call,
  claim,
  update,
  query,
  channelCreate,
} from '../support/transactions.js';

describe('lists of a transaction', () => {
  it('contain both parties of a spend and their pair', () => {
    expect(listed({ type: 'SpendTx', sender_id: alice, recipient_id: bob })).to.deep.equal([
      `1 ${alice}`,
      `1 ${bob}`,
      `2 ${alice}>${bob}`,
    ]);
  });

  it('contain an account only once', () => {
    expect(listed({ type: 'SpendTx', sender_id: alice, recipient_id: alice })).to.deep.equal([
      `1 ${alice}`,
      `2 ${alice}>${alice}`,
    ]);
  });

  for (const member of [
    'account_id',
    'ga_id',
    'caller_id',
    'initiator_id',
    'responder_id',
    'from_id',
    'to_id',
    'owner_id',
    'payer_id',
  ]) {
    it(`contain the account in ${member}`, () => {
      expect(listed({ type: 'AnyTx', [member]: bob })).to.deep.equal([`1 ${bob}`]);
    });
  }

  it('contain names given for an account, as an account and as a name use', () => {
    const spend = { type: 'SpendTx', sender_id: alice, recipient_id: name };

    expect(listed(spend)).to.deep.equal([`1 ${alice}`, `1 ${name}`, `2 ${alice}>${name}`, `8 ${name}`]);
    expect(derive(transaction(spend)).nameUses).to.deep.equal([{ name, role: 'payment' }]);
  });

  it('contain the channel of every transaction with a channel_id', () => {
    expect(listed({ type: 'ChannelForceProgressTx', from_id: bob, channel_id: channel })).to.deep.equal([
      `1 ${bob}`,
      `4 ${channel}`,
    ]);
  });

  it('contain contract calls by ct_, but not calls by name', () => {
    const byName = { ...call, contract_id: name };

    expect(listed(call)).to.include(`3 ${contract}`);
    expect(listed(byName)).to.deep.equal([`1 ${alice}`, `8 ${name}`]);
    expect(derive(transaction(byName))).to.deep.include({ operations: [], nameUses: [{ name, role: 'contract' }] });
  });

  it('contain queries under the oracle, or under the name if the query goes to a name', () => {
    expect(listed(query)).to.include(`5 ${oracle}`);
    const byName = derive(transaction({ ...query, oracle_id: name }));
    expect(byName.lists.map(({ kind }) => kind)).to.deep.equal([ListKind.account, ListKind.nameUse]);
    expect(byName.nameUses).to.deep.equal([{ name, role: 'oracle' }]);
    expect(byName.operations).to.deep.equal([{ on: 'query', op: 'ask', id: queryId(alice, 3n, name), oracle: name }]);
  });

  it('ignore members that are not identifiers', () => {
    const odd = {
      type: 'SpendTx',
      sender_id: alice,
      recipient_id: 'no id\0',
      account_id: ['ak_1'],
      owner_id: 7,
      to_id: null,
    };
    expect(listed(odd)).to.deep.equal([`1 ${alice}`]);
  });
});

describe('operations of a transaction', () => {
  const operations = (tx: JsonObject) => derive(transaction(tx)).operations;

  it('claims a name', () => {
    expect(operations(claim)).to.deep.equal([
      {
        on: 'name',
        op: 'claim',
        name_hash: name,
        name: 'Alice-and-Bob.chain',
        owner: alice,
        salt: 12345678901234567890n,
        fee: 5000000000000000000n,
      },
    ]);
    expect(listed(claim)).to.deep.equal([`1 ${alice}`, `6 ${name}`, `9 ${alice}`]);
  });

  it('claims a name without fee before Lima', () => {
    expect(operations({ ...claim, name_fee: undefined as never })[0]).to.include({ op: 'claim', fee: null });
  });

  it('updates a name with the exact text of the pointers', () => {
    const pointers = '[ {"key":"account_pubkey", "id":"ak_1"},{"id":"ok_1","key":"\\u0000"} ]';
    const text = `{"hash":"th_1","tx":{"type":"NameUpdateTx","name_id":"${name}","name_ttl":5,"pointers": ${pointers} }}`;

    expect(derive(readTransaction(text)).operations).to.deep.equal([
      { on: 'name', op: 'update', name_hash: name, ttl: 5, pointers, pointerIds: ['ak_1', 'ok_1'] },
    ]);
  });

  it('lists each pointer once, and does not list raw data', () => {
    expect(operations(update)[0]).to.deep.include({ pointerIds: [bob] });
  });

  it('transfers to a name that must be resolved', () => {
    const transfer = derive(
      transaction({ type: 'NameTransferTx', account_id: alice, name_id: name, recipient_id: name }),
    );

    expect(transfer.operations).to.deep.equal([{ on: 'name', op: 'transfer', name_hash: name, recipient: name }]);
    expect(transfer.nameUses).to.deep.equal([{ name, role: 'recipient' }]);
    expect(transfer.lists).to.deep.include.members([
      { kind: ListKind.name, id: name },
      { kind: ListKind.nameUse, id: name },
    ]);
  });

  for (const type of ['OracleRespondTx', 'OracleResponseTx']) {
    it(`answers a query by ${type}`, () => {
      expect(operations({ type, oracle_id: oracle, query_id: 'oq_1' })).to.deep.equal([
        { on: 'query', op: 'respond', id: 'oq_1', oracle },
      ]);
    });
  }

  it('registers and extends an oracle', () => {
    const register = { type: 'OracleRegisterTx', account_id: bob, oracle_ttl: { type: 'block', value: 500 } };
    const extend = { type: 'OracleExtendTx', oracle_id: oracle, oracle_ttl: { type: 'delta', value: 50 } };

    expect(operations(register)).to.deep.equal([
      { on: 'oracle', op: 'register', id: oracle, ttl: { type: 'block', value: 500 } },
    ]);
    expect(operations(extend)).to.deep.equal([{ on: 'oracle', op: 'extend', id: oracle, by: 50 }]);
    expect(listed(register)).to.deep.equal([`1 ${bob}`, `7 ${oracle}`]);
    expect(listed(extend)).to.deep.equal([`7 ${oracle}`]);
  });

  for (const type of ['ChannelCloseMutualTx', 'ChannelCloseSoloTx', 'ChannelSlashTx', 'ChannelSettleTx']) {
    it(`closes a channel by ${type}`, () => {
      expect(operations({ type, from_id: alice, channel_id: channel })).to.deep.equal([
        { on: 'channel', op: 'close', id: channel },
      ]);
    });
  }

  it('creates a channel and lists the creation under it', () => {
    const id = channelId(alice, 4n, bob);
    expect(operations(channelCreate)).to.deep.equal([{ on: 'channel', op: 'create', id }]);
    expect(listed(channelCreate)).to.deep.equal([`1 ${alice}`, `1 ${bob}`, `4 ${id}`]);
  });

  it('attaches a contract to an account', () => {
    const id = contractId(alice, 1n);
    expect(operations({ type: 'GAAttachTx', owner_id: alice, nonce: 1 })).to.deep.equal([
      { on: 'contract', op: 'create', id },
    ]);
  });

  const broken: [what: string, tx: JsonObject][] = [
    ['a claim without name', { ...claim, name: 5 }],
    ['a claim with a name that PostgreSQL cannot hold', { ...claim, name: 'a\0b.chain' }],
    ['a claim without salt', { ...claim, name_salt: 'x' }],
    ['a claim with half a fee', { ...claim, name_fee: 0.5 }],
    ['an update without pointers', { ...update, pointers: null }],
    ['an update with a negative ttl', { ...update, name_ttl: -1 }],
    ['an update for all times', { ...update, name_ttl: 2n ** 64n }],
    ['a creation without nonce', { ...create, nonce: null }],
    ['a creation with a nonce beyond all bounds', { ...create, nonce: 2n ** 300n }],
    ['a creation by an account with a wrong checksum', { ...create, owner_id: `${alice.slice(0, -1)}1` }],
    ['a registration without ttl', { type: 'OracleRegisterTx', account_id: alice }],
    [
      'a registration with an unknown kind of ttl',
      { type: 'OracleRegisterTx', account_id: alice, oracle_ttl: { type: 'x' } },
    ],
    ['a meta transaction with nothing inside', { ...meta(create), tx: { signatures: [] } }],
    ['a meta transaction with mistyped authentication data', { ...meta(create), auth_data: 'cb_x' }],
  ];
  for (const [what, tx] of broken) {
    it(`marks ${what} as invalid, but lists its accounts`, () => {
      const derived = derive(transaction(tx));

      expect(derived).to.deep.include({ valid: false, operations: [] });
      expect(derived.lists.filter(({ kind }) => kind === ListKind.account)).to.have.length(1);
    });
  }

  it('lists an invalid transaction under its object', () => {
    expect(listed({ ...update, pointers: null })).to.deep.equal([`1 ${alice}`, `6 ${name}`]);
    expect(listed({ ...query, nonce: null })).to.deep.equal([`1 ${alice}`, `5 ${oracle}`]);
    expect(listed({ type: 'OracleExtendTx', oracle_id: oracle })).to.deep.equal([`7 ${oracle}`]);
  });

  it('treats unknown types as valid', () => {
    expect(derive(transaction({ type: 'HCVoteTx', voter_id: alice }))).to.deep.include({ valid: true, operations: [] });
  });

  it('never throws, whatever the members are', () => {
    const members = fc.constantFrom(
      'sender_id',
      'recipient_id',
      'account_id',
      'owner_id',
      'oracle_id',
      'query_id',
      'name',
      'name_id',
      'name_salt',
      'name_ttl',
      'pointers',
      'oracle_ttl',
      'nonce',
      'tx',
      'ga_id',
      'auth_data',
      'contract_id',
      'channel_id',
      'initiator_id',
      'responder_id',
    );
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<Json>(alice, name, oracle, authData, create, { tx: create }, { tx: claim }),
    );
    const types = fc.constantFrom(
      'SpendTx',
      'NameClaimTx',
      'NameUpdateTx',
      'NameTransferTx',
      'OracleRegisterTx',
      'OracleQueryTx',
      'ContractCreateTx',
      'ContractCallTx',
      'ChannelCreateTx',
      'ChannelSettleTx',
      'GAMetaTx',
      'PayingForTx',
      'constructor',
      '__proto__',
    );
    fc.assert(
      fc.property(types, fc.dictionary(members, values), fc.option(fc.json()), (type, tx, call) => {
        derive(transaction({ ...(tx as JsonObject), type }, call));
      }),
      { numRuns: 500 },
    );
  });
});
