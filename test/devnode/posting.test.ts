import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { commitmentId, nameHash, oracleId, queryId } from '../../src/chain/protocol/ids.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { serializeTransaction, wrapSigned } from '../../src/chain/serialize/transactions.js';
import { ACCOUNT_CODE, AUTHORIZE_HASH } from '../../devtools/devnode/generate/fate.js';
import type { Devnode, LiveOptions } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, open, read } from '../support/devnode.js';
import { COIN } from '../support/ledger.js';
import { accepted, post, wallet } from '../support/wallet.js';

const [alice, bob, stranger] = [wallet('alice'), wallet('bob'), wallet('stranger')];
const FEE = 20_000_000_000_000;

const live = (options: Partial<LiveOptions> = {}): Promise<Devnode> =>
  open({ source: { live: { funds: { [alice.id]: 1_000n * COIN, [bob.id]: 1_000n * COIN }, ...options } } });

const spend = (nonce: number, members: JsonObject = {}): JsonObject => ({
  type: 'SpendTx',
  sender_id: alice.id,
  recipient_id: bob.id,
  amount: 5,
  fee: FEE,
  nonce,
  payload: 'ba_Xfbg4g==',
  ...members,
});

const refusedWith = (code: string, reason = 'Invalid tx') => ({
  status: 400,
  body: `{"error_code":"${code}","reason":"${reason}"}`,
});

async function expectRefusal(devnode: Devnode, tx: string, code: string, reason?: string): Promise<void> {
  const { status, body } = await post(devnode, tx);
  expect({ status, body }, code).to.deep.equal(refusedWith(code, reason));
}

describe('posting a transaction', () => {
  after(closeDevnodes);

  for (const path of ['/v2/transactions', '/v3/transactions', '/transactions']) {
    it(`adds it to the pool at ${path}, where it is visible until a micro block includes it`, async () => {
      const devnode = await live();
      await devnode.mineKeyBlock();
      const hash = await accepted(devnode, alice.sign(spend(1)), path);
      expect(await read(devnode, `/v2/transactions/${hash}`)).to.deep.include({ block_hash: 'none', block_height: -1 });
      expect(await read(devnode, `/v3/accounts/${alice.id}/transactions/pending`))
        .to.have.property('transactions')
        .with.length(1);
      expect(await read(devnode, `/v3/accounts/${alice.id}/next-nonce`)).to.deep.equal({ next_nonce: 2 });
      expect(await read(devnode, '/v2/status')).to.include({ pending_transactions_count: 1 });
      expect((await ask(devnode, `/v2/transactions/${hash}/info`)).body).to.equal('{"reason":"Tx not mined"}');
      await devnode.addMicroBlock();
      expect(await read(devnode, `/v2/transactions/${hash}`)).to.include({ block_height: 1 });
      expect((await ask(devnode, `/v2/transactions/${hash}/info`)).body).to.equal('{"reason":"Tx has no info"}');
      expect(await read(devnode, `/v2/accounts/${bob.id}`)).to.include({ balance: 1_000n * COIN + 5n });
      expect(await read(devnode, '/v2/status')).to.include({ pending_transactions_count: 0 });
    });
  }

  it('answers integers as texts on demand', async () => {
    const devnode = await live();
    expect(await read(devnode, `/v3/accounts/${bob.id}?int-as-string=true`)).to.deep.include({
      balance: String(1_000n * COIN),
      nonce: '0',
    });
  });

  it('is refused with the reason of the node', async () => {
    const devnode = await live();
    await devnode.mineKeyBlock();
    await accepted(devnode, alice.sign(spend(1)));
    await devnode.addMicroBlock();
    await devnode.grow(9);
    const pending = alice.sign(spend(2));
    await accepted(devnode, pending);
    const unsigned = serializeTransaction({ version: 1, ...spend(3) });
    const refusals: readonly (readonly [string, string])[] = [
      [alice.sign(spend(1)), 'already_accepted'],
      [pending, 'already_known'],
      [encodeId('tx', unsigned), 'broken_tx'],
      [encodeId('tx', Buffer.from('nothing')), 'broken_tx'],
      [
        alice.sign({
          type: 'NameClaimTx',
          account_id: alice.id,
          name: 'thirteenchars.chain',
          name_salt: 1,
          fee: FEE,
          nonce: 3,
        }),
        'invalid_at_protocol',
      ],
      [bob.sign(spend(3)), 'signature_check_failed'],
      [alice.sign(spend(3), 'ae_mainnet'), 'signature_check_failed'],
      [encodeId('tx', wrapSigned([], unsigned)), 'signature_check_failed'],
      [alice.sign(spend(1, { amount: 6 })), 'nonce_too_low'],
      [alice.sign(spend(7)), 'nonce_too_high'],
      [alice.sign(spend(3, { fee: 1 })), 'too_low_fee'],
      [alice.sign(spend(3, { fee: 16_000_000_000_000 })), 'too_low_gas_price_for_miner'],
      [alice.sign(spend(3, { recipient_id: nameHash('thirteenchars.chain') })), 'could_not_resolve_recipient'],
      [alice.sign(spend(3, { ttl: 9 })), 'ttl_expired'],
    ];
    for (const [tx, code] of refusals) await expectRefusal(devnode, tx, code);
    expect((await post(devnode, alice.sign(spend(6)))).status).to.equal(200);
  });

  it('is refused for accounts that became generalized ones, and for authentications that may use too much gas', async () => {
    const devnode = await live();
    await devnode.mineKeyBlock();
    const attach = {
      type: 'GAAttachTx',
      owner_id: alice.id,
      code: ACCOUNT_CODE,
      auth_fun: AUTHORIZE_HASH,
      vm_version: 8,
      abi_version: 3,
      gas: 5_000,
      gas_price: 1_000_000_000,
      call_data: 'cb_KxFE1kQfP4oEp9E=',
      fee: 90_000_000_000_000,
      nonce: 1,
    };
    const hash = await accepted(devnode, alice.sign(attach));
    await devnode.addMicroBlock();
    expect(await read(devnode, `/v3/accounts/${alice.id}`)).to.include({
      kind: 'generalized',
      auth_fun: 'authorize',
      nonce: 1,
    });
    expect(await read(devnode, `/v3/accounts/${alice.id}/next-nonce`)).to.deep.equal({ next_nonce: 0 });
    expect(await read(devnode, `/v3/transactions/${hash}/info`)).to.have.nested.property('call_info.return_type', 'ok');
    await expectRefusal(devnode, alice.sign(spend(2)), 'generalized_account_cant_sign_non_meta_tx');
    const meta = (gas: number): string => {
      const inner = { signatures: [], tx: { version: 1, ...spend(0) } };
      const tx = {
        type: 'GAMetaTx',
        version: 2,
        ga_id: alice.id,
        auth_data: 'cb_KxFs8lcLG2+EASr0+EylBeY=',
        abi_version: 3,
        gas,
        gas_price: 1_000_000_000,
        fee: 90_000_000_000_000,
        tx: inner,
      };
      return encodeId('tx', wrapSigned([], serializeTransaction(tx)));
    };
    await expectRefusal(devnode, meta(50_001), 'too_much_gas_for_auth_function');
    const done = await accepted(devnode, meta(50_000));
    await devnode.addMicroBlock();
    expect(await read(devnode, `/v3/transactions/${done}`)).not.to.have.property('signatures');
    expect(await read(devnode, `/v3/transactions/${done}/info`)).to.have.nested.property(
      'ga_info.inner_object.tx_info',
      'spend_tx',
    );
  });

  it('is refused for an account without coins, with the words of the specification', async () => {
    const devnode = await live();
    await expectRefusal(
      devnode,
      stranger.sign(spend(1, { sender_id: stranger.id })),
      'insufficient_funds',
      'Insufficient balance',
    );
    // The others stay pending, although one of them spends more than the balance.
    await accepted(devnode, alice.sign(spend(1, { amount: 2_000n * COIN })));
    await devnode.mineKeyBlock();
    await devnode.addMicroBlock();
    expect(await read(devnode, '/v2/status')).to.include({ pending_transactions_count: 1 });
  });

  it('can be tried with a dry run', async () => {
    const devnode = await live();
    await devnode.mineKeyBlock();
    const run = (body: object) =>
      ask(devnode, '/v3/dry-run', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: stringifyExact(body),
      });
    const tx = encodeId('tx', serializeTransaction({ version: 1, ...spend(1, { sender_id: stranger.id }) }));
    expect((await run({ txs: [{ tx }] })).body).to.contain('Error: account_not_found');
    const accounts = [{ pub_key: stranger.id, amount: COIN }];
    expect((await run({ txs: [{ tx }, { tx }], accounts })).body).to.equal(
      '{"results":[{"result":"ok","type":"spend"},{"result":"ok","type":"spend"}]}',
    );
    expect((await ask(devnode, `/v3/accounts/${stranger.id}`)).status).to.equal(404);
    for (const body of [
      { txs: 5 },
      { txs: [{}] },
      { txs: [], accounts: [{ pub_key: 'x', amount: 1 }] },
      { txs: [], accounts: [{ pub_key: alice.id, amount: -1 }] },
    ]) {
      expect((await run(body)).status, stringifyExact(body)).to.equal(400);
    }
  });

  it('needs a JSON body of at most 5 MB', async () => {
    const devnode = await live();
    const send = (body: string, type = 'application/json') =>
      ask(devnode, '/v2/transactions', { method: 'POST', body, headers: { 'content-type': type } });
    const { status, body } = await send('{}', 'text/plain');
    expect([status, body]).to.deep.equal([415, '']);
    expect((await send('{"tx":"foo"}', 'application/json; charset=utf-8')).status).to.equal(400);
    expect((await send(`"${'x'.repeat(5 << 20)}"`)).body).to.contain('body_too_big');
  });
});

describe('a live chain', () => {
  after(closeDevnodes);

  it('adds a micro block some time after a post', async () => {
    const devnode = await live({ microBlockMs: 5 });
    await devnode.mineKeyBlock();
    const hash = await accepted(devnode, alice.sign(spend(1)));
    for (;;) {
      const { block_height } = await read(devnode, `/v2/transactions/${hash}`);
      if (block_height === 1) break;
    }
  });

  it('returns transactions that lost their block to the pool, with the state of the branch, and includes them again', async () => {
    const devnode = await live();
    await devnode.mineKeyBlock();
    const hash = await accepted(devnode, alice.sign(spend(1)));
    await devnode.addMicroBlock();
    await devnode.microFork({ drop: 1, next: 'nothing' });
    expect(await read(devnode, `/v2/transactions/${hash}`)).to.include({ block_hash: 'none' });
    expect(await read(devnode, `/v2/accounts/${alice.id}`)).to.include({ nonce: 0 });
    await devnode.addMicroBlock();
    await devnode.grow(3);
    await devnode.fork({ depth: 4, grow: 5 });
    expect(await read(devnode, `/v2/transactions/${hash}`)).to.include({ block_height: 1 });
    expect(await read(devnode, `/v2/accounts/${bob.id}`)).to.include({ balance: 1_000n * COIN + 5n });
    await devnode.fork({ depth: 5, grow: 6, retainTxs: 'none' });
    expect((await ask(devnode, `/v2/transactions/${hash}`)).status).to.equal(404);
    expect(await read(devnode, `/v2/accounts/${bob.id}`)).to.include({ balance: 1_000n * COIN });
    expect(devnode.height()).to.equal(6);
    expect(devnode.counts().pending).to.equal(0);
  });

  it('reports an account as it was at a height and after a block', async () => {
    const devnode = await live();
    await devnode.mineKeyBlock();
    await accepted(devnode, alice.sign(spend(1)));
    await devnode.addMicroBlock();
    await devnode.mineKeyBlock();
    const { micro_blocks } = (await read(devnode, '/v2/generations/height/1')) as { micro_blocks: [string] };
    const nonce = async (path: string): Promise<unknown> =>
      (await read(devnode, `/v2/accounts/${alice.id}${path}`))['nonce'];
    expect(
      await Promise.all([nonce('/height/1'), nonce('/height/2'), nonce(`/hash/${micro_blocks[0]}`)]),
    ).to.deep.equal([0, 1, 1]);
  });
});

describe('the flows of the specification under its own rules', () => {
  after(closeDevnodes);

  it('work with fees of at least 1, .test names and no auctions', async () => {
    const devnode = await live({ rules: { profile: 'early' } });
    await devnode.mineKeyBlock();
    const step = async (tx: JsonObject): Promise<void> => {
      await accepted(devnode, alice.sign(tx), '/transactions');
      await devnode.addMicroBlock();
    };
    const account = { account_id: alice.id };
    const ttl = { type: 'delta', value: 50 };
    const register = {
      type: 'OracleRegisterTx',
      ...account,
      query_format: 'the query spec',
      response_format: 'the response spec',
      query_fee: 4,
      oracle_ttl: ttl,
      abi_version: 0,
      nonce: 1,
    };
    await expectRefusal(devnode, alice.sign({ ...register, fee: 1 }), 'too_low_fee');
    await step({ ...register, fee: 2 });
    const oracle = oracleId(alice.id);
    expect(await read(devnode, `/v2/oracles/${oracle}`)).to.include({
      id: oracle,
      expires: 51,
      query_fee: 4,
      query_format: 'the query spec',
    });
    await step({
      type: 'OracleExtendTx',
      oracle_id: oracle,
      oracle_ttl: { type: 'delta', value: 100 },
      fee: 1,
      nonce: 2,
    });
    expect(await read(devnode, `/v2/oracles/${oracle}`)).to.include({ expires: 151 });
    await step({
      type: 'OracleQueryTx',
      sender_id: alice.id,
      oracle_id: oracle,
      query: 'How are you?',
      query_fee: 4,
      query_ttl: { type: 'delta', value: 10 },
      response_ttl: { type: 'delta', value: 10 },
      fee: 2,
      nonce: 3,
    });
    const query_id = queryId(alice.id, 3n, oracle);
    const queries = async (): Promise<JsonObject> =>
      ((await read(devnode, `/v2/oracles/${oracle}/queries`)) as { oracle_queries: [JsonObject] }).oracle_queries[0];
    expect(await queries()).to.deep.include({
      query_id,
      oracle_id: oracle,
      sender_nonce: 3,
      response: 'or_Xfbg4g==',
      expires: 11,
      fee: 4,
      query: 'ov_SG93IGFyZSB5b3U/ECfONQ==',
    });
    await step({
      type: 'OracleRespondTx',
      oracle_id: oracle,
      query_id,
      response: 'I am fine, thanks!',
      response_ttl: { type: 'delta', value: 10 },
      fee: 2,
      nonce: 4,
    });
    expect(await queries()).to.include({ response: 'or_SSBhbSBmaW5lLCB0aGFua3Mh8NPUkA==' });

    const name = 'foobar.test';
    expect((await ask(devnode, `/v2/names/${name}`)).body).to.equal(
      '{"error_code":"name_not_found","reason":"Name not found"}',
    );
    await step({ type: 'NamePreclaimTx', ...account, commitment_id: commitmentId(name, 123n), fee: 1, nonce: 5 });
    const claim = { type: 'NameClaimTx', ...account, name, name_salt: 123, fee: 1, nonce: 6 };
    await step(claim);
    expect((await ask(devnode, `/v2/names/${name}`)).status).to.equal(404);
    await devnode.mineKeyBlock();
    await devnode.addMicroBlock();
    expect(await read(devnode, `/v2/names/${name}`)).to.include({ owner: alice.id, ttl: 50_002 });
    const pointers = [{ key: 'account_pubkey', id: bob.id }];
    await step({
      type: 'NameUpdateTx',
      ...account,
      name_id: nameHash(name),
      name_ttl: 10_000,
      client_ttl: 50,
      pointers,
      fee: 1,
      nonce: 7,
    });
    expect(await read(devnode, `/v2/names/${name}`)).to.include({ ttl: 10_002 });
    expect(await read(devnode, `/v3/names/hash/${nameHash(name)}`)).to.include({ ttl: 10_002 });
    expect((await ask(devnode, '/v3/names/hash/nm_x')).body).to.equal('{"reason":"Invalid name hash"}');
    await step(spend(8, { recipient_id: nameHash(name), fee: 1 }));
    expect(await read(devnode, `/v2/accounts/${bob.id}`)).to.include({ balance: 1_000n * COIN + 5n });
    await step({ type: 'NameRevokeTx', ...account, name_id: nameHash(name), fee: 1, nonce: 9 });
    expect((await ask(devnode, `/v2/names/${name}`)).body).to.equal(
      '{"error_code":"name_revoked","reason":"Name revoked"}',
    );
  });
});
