import { expect } from 'chai';
import { decodeId, encodeId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { parseTransaction } from '../../src/chain/serialize/parse.js';
import { wrapSigned } from '../../src/chain/serialize/transactions.js';
import { signedMessage } from '../../src/chain/protocol/signing.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import type { KeyPair } from '../../devtools/devnode/generate/signing.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, open } from '../support/devnode.js';

const COIN = 10n ** 18n;

interface Person extends KeyPair {
  id: string;
}
const person = (byte: number): Person => {
  const pair = keyPair(new Uint8Array(32).fill(byte));
  return { ...pair, id: encodeId('ak', pair.publicKey) };
};
const [alice, bob, stranger] = [person(1), person(2), person(3)];
const oracle = withPrefix('ok', alice.id);
const delta = (value: number): JsonObject => ({ type: 'delta', value });
const REGISTER = {
  account_id: alice.id,
  query_format: 'the query spec',
  response_format: 'the response spec',
  query_fee: 4,
  oracle_ttl: delta(50),
  fee: 6,
  ttl: 100,
};
const QUERY = {
  oracle_id: oracle,
  query_fee: 4,
  query_ttl: delta(10),
  response_ttl: delta(10),
  fee: 2,
  ttl: 100,
  query: 'How are you?',
};

interface Reply {
  status: number;
  body: JsonObject;
}

describe('the specification of the node, row by row (early profile)', () => {
  let devnode: Devnode;

  beforeEach(async () => {
    devnode = await open({
      internal: '127.0.0.1:0',
      source: {
        live: {
          rules: { profile: 'early' },
          funds: { [alice.id]: 100n * COIN, [bob.id]: 100n * COIN },
          mining: { beneficiary: alice.id },
        },
      },
    });
    await devnode.mineKeyBlock();
  });
  afterEach(closeDevnodes);

  async function ask(url: string, body?: JsonObject): Promise<Reply> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: stringifyExact(body) };
    const response = await fetch(url, init);
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : parseExact(text)) as JsonObject };
  }
  const read = (path: string): Promise<Reply> => ask(devnode.externalUrl + path);
  const build = (path: string, body: JsonObject): Promise<Reply> =>
    ask(`${devnode.internalUrl}/v2/debug/${path}`, body);

  /** The transaction of a builder, which must be the only member of its answer. */
  async function built(path: string, body: JsonObject): Promise<JsonObject> {
    const reply = await build(path, body);
    expect(reply.status, stringifyExact(reply.body)).to.equal(200);
    expect(Object.keys(reply.body)).to.deep.equal(['tx']);
    return parseTransaction(decodeId(reply.body['tx'] as string, 'tx'));
  }

  /** Signs the transaction of a builder and posts it to the path of the specification. */
  async function post(who: Person, path: string, body: JsonObject): Promise<Reply> {
    const { body: answer } = await build(path, body);
    const unsigned = decodeId(answer['tx'] as string, 'tx');
    const signed = wrapSigned([who.sign(signedMessage(unsigned, 'ae_dev'))], unsigned);
    return ask(`${devnode.externalUrl}/transactions`, { tx: encodeId('tx', signed) });
  }
  async function done(who: Person, path: string, body: JsonObject): Promise<void> {
    const { status, body: said } = await post(who, path, body);
    expect(status, stringifyExact(said)).to.equal(200);
    await devnode.addMicroBlock();
  }
  const refusal = async (who: Person, path: string, body: JsonObject): Promise<unknown> =>
    (await post(who, path, body)).body['error_code'];

  const query = async (): Promise<JsonObject> =>
    ((await read(`/v2/oracles/${oracle}/queries`)).body['oracle_queries'] as JsonObject[])[0]!;

  /** Sends a query of bob to the oracle of alice. */
  async function asked(): Promise<JsonObject> {
    await done(alice, 'oracles/register', REGISTER);
    await done(bob, 'oracles/query', { ...QUERY, sender_id: bob.id });
    return query();
  }

  const commitment = async (name: string, salt: number): Promise<string> =>
    (await ask(`${devnode.internalUrl}/v2/debug/names/commitment-id?name=${name}&salt=${salt}`)).body[
      'commitment_id'
    ] as string;
  const own = { fee: 1, ttl: 1000, account_id: alice.id };
  const named = (name: string): string => encodeId('nm', Buffer.from(name));

  async function claimed(name: string): Promise<void> {
    await done(alice, 'names/preclaim', { ...own, commitment_id: await commitment(name, 123) });
    await devnode.mineKeyBlock();
    await done(alice, 'names/claim', { ...own, name: named(name), name_salt: 123 });
  }
  const update = (name: string, pointers: JsonObject[] = [{ key: 'account_pubkey', id: bob.id }]): JsonObject => ({
    ...own,
    name_id: nameHash(name),
    name_ttl: 500,
    client_ttl: 60,
    pointers,
  });

  describe('builders, with the fields of the table', () => {
    it('GET accounts/beneficiary', async () => {
      const { body } = await ask(`${devnode.internalUrl}/v2/debug/accounts/beneficiary`);
      expect(body).to.deep.equal({ pub_key: alice.id });
    });
    it('POST oracles/oracle (oracle register)', async () => {
      expect(await built('oracles/oracle', REGISTER)).to.deep.include({ ...REGISTER, type: 'OracleRegisterTx' });
    });
    it('POST oracles/extend', async () => {
      const body = { oracle_id: oracle, fee: 1, oracle_ttl: delta(100) };
      expect(await built('oracles/extend', body)).to.deep.include({ ...body, type: 'OracleExtendTx' });
    });
    it('POST oracles/query', async () => {
      await done(alice, 'oracles/register', REGISTER);
      expect(await built('oracles/query', QUERY)).to.deep.include({ ...QUERY, sender_id: alice.id });
    });
    it('POST oracles/respond', async () => {
      const { query_id } = await asked();
      const body = { query_id: query_id!, response_ttl: delta(10), fee: 2, ttl: 100, response: 'Fine' };
      expect(await built('oracles/respond', body)).to.deep.include({ ...body, oracle_id: oracle });
    });
    it('GET names/commitment-id', async () => {
      expect(await commitment('foobar.test', 123)).to.equal('cm_2ijL6NFZ11RsBVWwFB69oZYp6gFV9JSB71xccbnqrPisEiMrji');
    });
    it('POST names/preclaim', async () => {
      const body = { ...own, commitment_id: await commitment('foobar.test', 123) };
      expect(await built('names/preclaim', body)).to.deep.include({ ...body, type: 'NamePreclaimTx' });
    });
    it('POST names/claim', async () => {
      const tx = await built('names/claim', { ...own, name: named('foobar.test'), name_salt: 123 });
      expect(tx).to.deep.include({ ...own, name: 'foobar.test', name_salt: 123, type: 'NameClaimTx' });
    });
    it('POST names/update', async () => {
      const { pointers: _pointers, ...rest } = update('foobar.test');
      expect(await built('names/update', update('foobar.test'))).to.deep.include({ ...rest, type: 'NameUpdateTx' });
    });
    it('POST names/transfer', async () => {
      const body = { ...own, name_id: nameHash('foobar.test'), recipient_id: bob.id };
      expect(await built('names/transfer', body)).to.deep.include({ ...body, type: 'NameTransferTx' });
    });
    it('POST names/revoke', async () => {
      const body = { ...own, name_id: nameHash('foobar.test') };
      expect(await built('names/revoke', body)).to.deep.include({ ...body, type: 'NameRevokeTx' });
    });
    it('POST transactions/spend', async () => {
      const body = { sender_id: alice.id, recipient_id: bob.id, amount: 5, fee: 1, ttl: 100 };
      expect(await built('transactions/spend', body)).to.deep.include({ ...body, type: 'SpendTx' });
    });
  });

  describe('transitions', () => {
    it('oracle register: expires is set from TTL and height; an account without balance is refused', async () => {
      await done(alice, 'oracles/register', REGISTER);
      const { body } = await read(`/v2/oracles/${oracle}`);
      expect(body).to.deep.include({ id: oracle, expires: devnode.height() + 50, query_fee: 4 });
      const poor = { ...REGISTER, account_id: stranger.id, nonce: 1 };
      expect((await post(stranger, 'oracles/register', poor)).body['reason']).to.equal('Insufficient balance');
    });
    it('oracle extend: expires grows by the extension', async () => {
      await done(alice, 'oracles/register', REGISTER);
      await done(alice, 'oracles/extend', { oracle_id: oracle, fee: 1, oracle_ttl: delta(100) });
      expect((await read(`/v2/oracles/${oracle}`)).body['expires']).to.equal(devnode.height() + 150);
    });
    it('oracle query: appears with an empty response and its own expiry', async () => {
      const found = await asked();
      expect(found).to.deep.include({
        oracle_id: oracle,
        sender_id: bob.id,
        sender_nonce: 1,
        query: encodeId('ov', Buffer.from('How are you?')),
        response: encodeId('or', Buffer.from('')),
        fee: 4,
        expires: devnode.height() + 10,
        response_ttl: delta(10),
      });
    });
    it('oracle respond: the query contains the encoded response', async () => {
      const { query_id } = await asked();
      const response = { query_id: query_id!, response_ttl: delta(10), fee: 2, ttl: 100, response: 'I am fine' };
      await done(alice, 'oracles/respond', response);
      expect((await query())['response']).to.equal(encodeId('or', Buffer.from('I am fine')));
    });
    it('effects are visible only after inclusion in a block', async () => {
      await post(alice, 'oracles/register', REGISTER);
      expect((await read(`/v2/oracles/${oracle}`)).status).to.equal(404);
      await devnode.addMicroBlock();
      expect((await read(`/v2/oracles/${oracle}`)).status).to.equal(200);
    });
    it('a claim needs a key block between it and its preclaim', async () => {
      await done(alice, 'names/preclaim', { ...own, commitment_id: await commitment('foobar.test', 123) });
      await done(alice, 'names/claim', { ...own, name: named('foobar.test'), name_salt: 123 });
      expect((await read('/v2/names/foobar.test')).status).to.equal(404);
      await devnode.mineKeyBlock();
      await devnode.addMicroBlock();
      expect((await read('/v2/names/foobar.test')).status).to.equal(200);
    });
  });

  describe('name rules', () => {
    it('1: the salt of the claim is that of the commitment', async () => {
      await done(alice, 'names/preclaim', { ...own, commitment_id: await commitment('foobar.test', 123) });
      await devnode.mineKeyBlock();
      await done(alice, 'names/claim', { ...own, name: named('foobar.test'), name_salt: 124 });
      expect((await read('/v2/names/foobar.test')).status).to.equal(404);
    });
    it('2: a claim lasts 50000 blocks from the current height', async () => {
      await claimed('foobar.test');
      expect((await read('/v2/names/foobar.test')).body['ttl']).to.equal(devnode.height() + 50_000);
    });
    it('3: the name_ttl of an update is relative to the current height', async () => {
      await claimed('foobar.test');
      await devnode.mineKeyBlock();
      await done(alice, 'names/update', update('foobar.test'));
      expect((await read('/v2/names/foobar.test')).body['ttl']).to.equal(devnode.height() + 500);
    });
    it('4: a spend may go to a name with an account pointer', async () => {
      await claimed('foobar.test');
      await done(alice, 'names/update', update('foobar.test'));
      const spend = { sender_id: alice.id, recipient_id: 'foobar.test', amount: 5, fee: 1, ttl: 100 };
      await done(alice, 'transactions/spend', spend);
      expect((await read(`/v2/accounts/${bob.id}`)).body['balance']).to.equal(100n * COIN + 5n);
    });
    it('5: a free name yields a reason', async () => {
      const { status, body } = await read('/v2/names/foobar.test');
      expect([status, body['reason']]).to.deep.equal([404, 'Name not found']);
    });
  });

  describe('fee rules', () => {
    it('oracle register: 1, and 1 per 1000 blocks of TTL, rounded up', async () => {
      const at = (ttl: number, fee: number): JsonObject => ({ ...REGISTER, oracle_ttl: delta(ttl), fee });
      for (const [ttl, least] of [
        [50, 2],
        [1000, 2],
        [1001, 3],
        [4500, 6],
      ] as const)
        expect(await refusal(alice, 'oracles/register', at(ttl, least - 1)), String(ttl)).to.equal('too_low_fee');
      await done(alice, 'oracles/register', at(4500, 6));
    });
    it('oracle query: 1, and 1 per 1000 blocks of query TTL; query_fee at least that of the oracle; both are paid', async () => {
      await done(alice, 'oracles/register', { ...REGISTER, oracle_ttl: delta(4000) });
      const from = { ...QUERY, sender_id: bob.id, query_ttl: delta(1500), fee: 3 };
      expect(await refusal(bob, 'oracles/query', { ...from, fee: 2 })).to.equal('too_low_fee');
      await done(bob, 'oracles/query', { ...from, query_fee: 3, nonce: 1 });
      expect((await read(`/v2/oracles/${oracle}/queries`)).body).to.deep.equal({ oracle_queries: [] });
      await done(bob, 'oracles/query', { ...from, query: 'Dear?', nonce: 1 });
      expect((await read(`/v2/accounts/${bob.id}`)).body['balance']).to.equal(100n * COIN - 3n - 4n);
    });
    it('oracle respond: 1, and 1 per 1000 blocks of the response TTL set in the query', async () => {
      await done(alice, 'oracles/register', { ...REGISTER, oracle_ttl: delta(4000) });
      await done(bob, 'oracles/query', { ...QUERY, sender_id: bob.id, response_ttl: delta(2500) });
      const { query_id } = await query();
      const response = { query_id: query_id!, response_ttl: delta(2500), ttl: 100, response: 'Fine' };
      expect(await refusal(alice, 'oracles/respond', { ...response, fee: 3 })).to.equal('too_low_fee');
      await done(alice, 'oracles/respond', { ...response, fee: 4 });
    });
    it('every other transaction: at least 1', async () => {
      const spend = { sender_id: alice.id, recipient_id: bob.id, amount: 5, ttl: 100 };
      expect(await refusal(alice, 'transactions/spend', { ...spend, fee: 0 })).to.equal('too_low_fee');
      await done(alice, 'transactions/spend', { ...spend, fee: 1 });
    });
  });

  describe('errors', () => {
    it('1: a name that does not exist is answered with a reason: name not found', async () => {
      const { body } = await read('/v2/names/nobody-has-this.test');
      expect(body['reason']).to.match(/name not found/i);
    });
    it('2: a transaction of an account without positive balance is rejected: insufficient balance', async () => {
      const spend = { sender_id: stranger.id, recipient_id: bob.id, amount: 5, fee: 1, ttl: 100, nonce: 1 };
      const { status, body } = await post(stranger, 'transactions/spend', spend);
      expect(status).to.equal(400);
      expect(body['reason']).to.match(/insufficient balance/i);
    });
  });
});
