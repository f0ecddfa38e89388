import { expect } from 'chai';
import { ListKind, derive } from '../../src/chain/derive.js';
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { channelId, contractId } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { recompute } from '../../src/chain/recompute/transaction.js';
import { objectIds } from '../../src/chain/objects.js';
import {
  key,
  alice,
  bob,
  payer,
  contract,
  oracle,
  channel,
  name,
  authentication,
  transaction,
  paid,
  meta,
  info,
  listed,
  create,
  call,
  claim,
  update,
  query,
  channelCreate,
} from '../support/transactions.js';

describe('transactions within transactions', () => {
  it('lists the accounts of the outermost one, and those of the others in lists of their own', () => {
    const inner = { type: 'SpendTx', sender_id: alice, recipient_id: name };

    expect(listed(paid(inner))).to.deep.equal([`1 ${payer}`, `10 ${alice}`, `10 ${name}`]);
    expect(listed(meta(inner))).to.deep.equal([`1 ${alice}`, `10 ${name}`]);
    expect(listed(paid(meta({ type: 'SpendTx', sender_id: alice, recipient_id: bob })))).to.deep.equal([
      `1 ${payer}`,
      `10 ${alice}`,
      `10 ${bob}`,
    ]);
  });

  it('lists updates under what their pointers point to, wrapped or not', () => {
    const pointing = {
      ...update,
      pointers: [
        { key: 'a', id: bob },
        { key: 'b', id: contract },
        { key: 'c', id: 'ba_AAAA' },
      ],
    };
    for (const tx of [pointing, paid(pointing), meta(pointing)])
      expect(listed(tx).filter((list) => list.startsWith('11 '))).to.deep.equal([`11 ${bob}`, `11 ${contract}`]);
  });

  it('includes a transaction that another account pays for, with its own nonce', () => {
    expect(listed(paid(create))).to.deep.equal([`1 ${payer}`, `10 ${alice}`, `3 ${contractId(alice, 7n)}`]);
  });

  it('does not list wrapped calls under the contract, and has them decoded', () => {
    expect(listed(paid(call))).to.deep.equal([`1 ${payer}`, `10 ${alice}`]);
  });

  it('lists wrapped queries, names and channels', () => {
    expect(listed(paid(query))).to.include(`5 ${oracle}`);
    expect(listed(paid(update))).to.include(`6 ${name}`);
    expect(listed(paid({ type: 'ChannelDepositTx', from_id: alice, channel_id: channel }))).to.include(`4 ${channel}`);
  });

  it('returns the exact pointers of a wrapped update', () => {
    expect(derive(transaction(meta(paid(update)))).operations[0]).to.deep.include({
      pointers: stringifyExact(update['pointers']),
    });
  });

  it('computes ids of a generalized account from its authentication', () => {
    const ids = (tx: JsonObject) =>
      derive(transaction(meta(tx), info('ok'))).operations.map((each) => 'id' in each && each.id);

    expect(ids({ ...create, nonce: 0 })).to.deep.equal([encodeId('ct', hash(key(1), authentication))]);
    expect(ids({ ...query, nonce: 0 })).to.deep.equal([encodeId('oq', hash(authentication, key(2)))]);
    expect(ids({ ...channelCreate, nonce: 0 })).to.deep.equal([encodeId('ch', hash(key(1), authentication, key(2)))]);
  });

  it('uses the nonce of an ordinary account for which a generalized one pays', () => {
    const ordinary = { ...create, owner_id: bob };
    expect(derive(transaction(meta(paid(ordinary)), info('ok'))).operations).to.deep.equal([
      { on: 'contract', op: 'create', id: contractId(bob, 7n) },
    ]);
  });

  for (const returned of ['error', 'revert']) {
    it(`ignores a transaction that was not authenticated (${returned})`, () => {
      expect(derive(transaction(meta(create), info(returned)))).to.deep.equal({
        valid: true,
        lists: [{ kind: ListKind.account, id: alice }],
        operations: [],
        nameUses: [],
        runsContract: true,
      });
    });
  }

  it('includes a transaction whose call information the node no longer has', () => {
    expect(listed(meta(claim))).to.include(`6 ${name}`);
    expect(listed(meta(claim), 'not JSON')).to.include(`6 ${name}`);
  });

  it('checks the authentication of the inner account, too', () => {
    const failed = info('ok', { ga_info: { return_type: 'error' } });
    const passed = info('ok', { ga_info: { return_type: 'ok' } });

    expect(listed(meta(meta(claim)), failed)).to.deep.equal([`1 ${alice}`]);
    expect(listed(meta(meta(claim)), passed)).to.include(`6 ${name}`);
  });

  for (const [what, outer] of [
    ['pays for', (inner: JsonObject) => paid(inner)],
    ['has a generalized account pay for', (inner: JsonObject) => meta(paid(inner))],
  ] as const) {
    it(`ignores what was not authenticated inside a transaction that ${what} it`, () => {
      const outcome = (returned: string): string => {
        const inner = { ga_info: { return_type: returned, inner_object: { tx_info: 'name_claim_tx' } } };
        return outer(claim)['type'] === 'PayingForTx' ? JSON.stringify(inner) : info('ok', inner);
      };
      const tx = outer(meta(claim));
      const [account, inner] = tx['type'] === 'PayingForTx' ? [payer, alice] : [alice, payer];
      const accounts = [`1 ${account}`, `10 ${inner}`];
      for (const [returned, lists] of [
        ['error', accounts],
        ['ok', [...accounts, `6 ${name}`, `9 ${alice}`]],
      ] as const) {
        const { body, txStart, txLength } = transaction(tx);
        const recomputed = recompute({ body, txStart, txLength, info: outcome(returned) });
        expect(listed(tx, outcome(returned)), returned).to.have.members(lists);
        expect([...recomputed!.lists], returned).to.have.members(lists);
      }
    });
  }
});

describe('objects that a transaction concerns', () => {
  it('are all identifiers in it, at any depth, and what it creates', () => {
    const ids = objectIds(
      transaction(paid({ ...channelCreate, delegate_ids: { initiator: [payer], responder: [contract] } })),
    );

    expect([...ids]).to.have.members(['th_1', 'mh_1', payer, alice, bob, contract, channelId(alice, 4n, bob)]);
  });

  it('include the claimed name and the registered oracle', () => {
    expect([...objectIds(transaction(claim))]).to.include(name);
    const register = { type: 'OracleRegisterTx', account_id: bob, oracle_ttl: { type: 'delta', value: 1 } };
    expect([...objectIds(transaction(register))]).to.include.members([bob, oracle]);
  });

  it('do not include identifiers inside longer texts', () => {
    const ids = objectIds(transaction({ type: 'SpendTx', sender_id: alice, payload: `to ${bob}` }));

    expect([...ids]).to.have.members(['th_1', 'mh_1', alice]);
  });
});
