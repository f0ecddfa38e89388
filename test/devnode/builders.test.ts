import { expect } from 'chai';
import { decodeId, encodeId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { parseTransaction } from '../../src/chain/serialize/parse.js';
import { BUILDERS } from '../../devtools/devnode/builders/builders.js';
import { createInternal } from '../../devtools/devnode/builders/internal.js';
import { innerNetwork, signedMessage } from '../../src/chain/protocol/signing.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import type { Answer } from '../../devtools/devnode/wire/answer.js';
import type { LiveChain } from '../../devtools/devnode/live/types.js';
import type { Mining } from '../../devtools/devnode/mining/mining.js';
import { asHandled, described } from '../support/recorded-requests.js';
import type { Asked } from '../support/recorded-requests.js';
import { EXTERNAL_PORT, recordedLines } from '../support/realnode.js';
import { recording } from '../support/recording.js';
import { closeDevnodes, generated } from '../support/devnode.js';

const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
const ACCOUNT = 'ak_2pxAtcbSsaP6hxvNGj5NuUitb5RGqMSeBQgsZ7HcUCm7ZkQKw2';
const OTHER = 'ak_n6qew4KzLoRkUCS2yVhHSHKXdUDQ5WUezf5hRP7YnprKiZhWC';
const ORACLE = 'ok_2h7CX2BqXuHf89JzGcE7gFKSFGQT66LCp5sp5DY21J2RWMQh1M';
const ORACLE_ACCOUNT = withPrefix('ak', ORACLE);
const QUERY = 'oq_WHDctPX8duiZAhvvxKBR6MM51vcm2zERtDUZMMmqxzFW4jbCj';
const NAME_ID = nameHash('foobar.test');
/** The account of locked coins. It exists although it has never sent a transaction. */
const LOCKED = 'ak_11111111111111111111111111111111273Yts';
/** Number of its transactions in the pool when the builders were recorded. */
const WAITING: Readonly<Record<string, bigint>> = { ak_24Y5zj7WZkxvQXGPpAzTztpbFjeMu5cr7CQAUr92wszuMsAZtK: 3n };
const NETWORK = 'ae_dev';

interface Known {
  nonce(account: string): bigint | undefined;
  oracle(id: string): boolean;
  queryOf(id: string): string | undefined;
  contract(id: string): boolean;
}

/** The internal API with a state that contains only these objects. */
function internal(known: Known, beneficiary?: string): (request: Parameters<typeof asHandled>[0]) => Answer {
  const state = {
    version: 6,
    oracle: (id: string) => (known.oracle(id) ? { id } : undefined),
    query: (id: string) => (known.queryOf(id) === undefined ? undefined : { oracle: known.queryOf(id) }),
    contract: (id: string) => (known.contract(id) ? { id } : undefined),
  };
  const chain = {
    networkId: NETWORK,
    nodeId: OTHER,
    state: () => state,
    pool: { nextNonce: known.nonce, list: () => [] },
  } as unknown as LiveChain;
  const handle = createInternal({ chain, mining: {} as Mining, beneficiary });
  return (request) => handle(asHandled(request));
}

/** The state of the real node when the builders were recorded. */
const RECORDED: Known = {
  nonce(account) {
    if (account === LOCKED) return 1n;
    const found = answered(`/v2/accounts/${account}`);
    return found === undefined ? undefined : BigInt(found['nonce'] as number) + (WAITING[account] ?? 0n) + 1n;
  },
  oracle: (id) => answered(`/v2/oracles/${id}`) !== undefined,
  queryOf: (id) =>
    [...recording().entries()]
      .find(([request, { status }]) => status === 200 && request.endsWith(`/queries/${id}`))?.[0]
      .split('/')
      .at(-3),
  contract: (id) => answered(`/v2/contracts/${id}`) !== undefined,
};

function answered(path: string): JsonObject | undefined {
  const answer = recording().get(`GET ${path}`);
  return answer?.status === 200 ? (JSON.parse(answer.body) as JsonObject) : undefined;
}

const KNOWN: Known = {
  nonce: (account) => ({ [ACCOUNT]: 5n, [ORACLE_ACCOUNT]: 3n, [BENEFICIARY]: 8n })[account],
  oracle: (id) => id === ORACLE,
  queryOf: (id) => (id === QUERY ? ORACLE : undefined),
  contract: () => false,
};

/** Why an answer is intentionally different from the recorded one. */
function exception({ path, note, request_body = '' }: Asked): string | undefined {
  const name = path.split('/').slice(3).join('/');
  const body = ((): JsonObject => {
    try {
      return JSON.parse(request_body) as JsonObject;
    } catch {
      return {};
    }
  })();
  if (name === 'oracles/oracle') return 'the path of the specification, which real nodes do not have';
  const lacks = (member: string): boolean => body[member] === undefined && note !== 'bad json';
  if (name === 'transactions/spend' && lacks('payload')) return "the specification's table has no payload";
  if (name === 'oracles/query' && lacks('sender_id')) return "the specification's table has no sender_id";
  if (name === 'oracles/respond' && lacks('oracle_id')) return "the specification's table has no oracle_id";
  return undefined;
}

const post = (path: string, body: JsonObject, api = 'v2'): Asked => ({
  method: 'POST',
  path: `/${api}/debug/${path}`,
  port: 3113,
  request_body: stringifyExact(body),
});
const get = (path: string, api = 'v2'): Asked => ({
  method: 'GET',
  path: `/${api}/debug/${path}`,
  port: 3113,
});

const text = ({ body }: Answer): string => String(body ?? '');

function built(answer: Answer): JsonObject {
  expect(answer.status, text(answer)).to.equal(200);
  return parseTransaction(decodeId((JSON.parse(text(answer)) as { tx: string }).tx, 'tx'));
}

describe('the transaction builders', () => {
  const ask = internal(KNOWN, BENEFICIARY);
  after(closeDevnodes);

  describe('answer as the real node did (builders.jsonl)', () => {
    const recorded = internal(RECORDED);
    const requests = recordedLines('builders').filter(({ port }) => port !== EXTERNAL_PORT);
    const nameOf = ({ path }: Asked): string => path.split('/').slice(3).join('/');

    for (const builder of new Set(requests.map(nameOf))) {
      it(builder, () => {
        for (const request of requests) {
          if (nameOf(request) !== builder || exception(request) !== undefined) continue;
          const answer = recorded(request);
          expect({ status: answer.status, body: text(answer) }, described(request)).to.deep.equal({
            status: request.status,
            body: request.body,
          });
        }
      });
    }

    it('except for bodies of the specification that real nodes refuse', () => {
      const lenient = internal(RECORDED, BENEFICIARY);
      const different = requests.filter((each) => exception(each) !== undefined && nameOf(each) !== 'oracles/oracle');
      expect(different.length).to.be.greaterThan(0);
      for (const request of different) {
        expect(request.status, described(request)).to.equal(400);
        expect(lenient(request).status, described(request)).to.equal(200);
      }
    });

    it('except for the path of the specification that real nodes do not have', () => {
      const different = requests.filter((request) => nameOf(request) === 'oracles/oracle');
      expect(different.length).to.be.greaterThan(0);
      for (const request of different) {
        expect(request.status, described(request)).to.equal(404);
        const asTheNodeHasIt = { ...request, path: request.path.replace(/oracle$/, 'register') };
        expect(recorded(request), described(request)).to.deep.equal(recorded(asTheNodeHasIt));
      }
    });

    it('and are not part of the external API', async () => {
      const devnode = await generated({ generations: 1 });
      const asked = recordedLines('builders').filter(({ port }) => port === EXTERNAL_PORT);
      expect(asked.length).to.be.greaterThan(20);
      for (const { method, path, request_body, status, body } of asked) {
        const response = await fetch(devnode.externalUrl + path, {
          method,
          headers: { 'content-type': 'application/json' },
          body: request_body,
        });
        expect({ status: response.status, body: await response.text() }, path).to.deep.equal({ status, body });
      }
    });
  });

  it('answer commitment ids and errors as the real node did (errors.jsonl)', () => {
    const requests = recordedLines('errors').filter(({ path }) => path.includes('/commitment-id'));
    expect(requests.length).to.be.greaterThan(10);
    for (const request of requests) {
      const answer = ask(request);
      expect({ status: answer.status, body: text(answer) }, described(request)).to.deep.equal({
        status: request.status,
        body: request.body,
      });
    }
  });

  // The vectors of the specification, with the field names of its table.
  const VECTORS: { path: string; body: JsonObject; tx: string }[] = [
    {
      path: 'oracles/oracle',
      body: {
        account_id: ORACLE_ACCOUNT,
        query_format: 'the query spec',
        response_format: 'the response spec',
        query_fee: 4,
        oracle_ttl: { type: 'delta', value: 50 },
        fee: 2,
        ttl: 1234,
        nonce: 1,
      },
      tx: 'tx_+E4WAaEB3sN+4BPiUkwuJlwgX6NQdhOdccR69jJ770XLhtc7WUkBjnRoZSBxdWVyeSBzcGVjkXRoZSByZXNwb25zZSBzcGVjBAAyAoIE0gDl9VXJ',
    },
    {
      path: 'oracles/extend',
      body: { oracle_id: ORACLE, oracle_ttl: { type: 'delta', value: 100 }, fee: 5, nonce: 2 },
      tx: 'tx_6RkBoQTew37gE+JSTC4mXCBfo1B2E51xxHr2MnvvRcuG1ztZSQIAZAUAJLXsow==',
    },
    {
      path: 'oracles/query',
      body: {
        sender_id: OTHER,
        oracle_id: ORACLE,
        query: 'How are you?',
        query_fee: 4,
        query_ttl: { type: 'delta', value: 10 },
        response_ttl: { type: 'delta', value: 10 },
        fee: 2,
        ttl: 1015,
        nonce: 3,
      },
      tx: 'tx_+F0XAaEBZmgWMRKKzPEJUojo8Ltbatza09Ok14DhGY/V/4z+3mUDoQTew37gE+JSTC4mXCBfo1B2E51xxHr2MnvvRcuG1ztZSYxIb3cgYXJlIHlvdT8EAAoACgKCA/eofuHy',
    },
    {
      path: 'oracles/respond',
      body: {
        oracle_id: ORACLE,
        query_id: QUERY,
        response: 'I am fine, thanks!',
        response_ttl: { type: 'delta', value: 10 },
        fee: 2,
        ttl: 1234,
        nonce: 3,
      },
      tx: 'tx_+F8YAaEE3sN+4BPiUkwuJlwgX6NQdhOdccR69jJ770XLhtc7WUkDoEJ7ojDDHEpTveYyphnWDAOUteCt/dKPu+fP7UaHfXvZkkkgYW0gZmluZSwgdGhhbmtzIQAKAoIE0pKZ6WM=',
    },
    {
      path: 'names/preclaim',
      body: {
        account_id: ACCOUNT,
        commitment_id: 'cm_2ijL6NFZ11RsBVWwFB69oZYp6gFV9JSB71xccbnqrPisEiMrji',
        fee: 1,
        ttl: 1234,
        nonce: 6,
      },
      tx: 'tx_+EshAaEB8JNAGGmxg9o9wAEUcZGGlebraOFVIdbjYruyTXEhbhoGoQPicuC9Iy/ACdFnsTZ/tt6i+sSUoP03MdTxefoypZp6EwGCBNKn83L9',
    },
    {
      path: 'names/claim',
      body: { account_id: ACCOUNT, name: 'nm_3sDdKewfAc1ektVJpwuTD', name_salt: 123, fee: 1, ttl: 1234, nonce: 7 },
      tx: 'tx_9iABoQHwk0AYabGD2j3AARRxkYaV5uto4VUh1uNiu7JNcSFuGgeLZm9vYmFyLnRlc3R7AYIE0k01tc4=',
    },
    {
      path: 'names/claim',
      body: {
        account_id: ACCOUNT,
        name: 'nm_37iL5cLf94hjvT3kUAwXHPtuDeFwtZ1r',
        name_salt: 123,
        name_fee: 1771100000000000000n,
        fee: 16620000000000,
        nonce: 7,
      },
      tx: 'tx_+EsgAqEB8JNAGGmxg9o9wAEUcZGGlebraOFVIdbjYruyTXEhbhoHk2Zvb2JhcmZvb2JhcjEuY2hhaW57iBiUNhD5scAAhg8dpTI4AADVTXI4',
    },
    {
      path: 'names/update',
      body: {
        account_id: ACCOUNT,
        name_id: NAME_ID,
        name_ttl: 10000,
        client_ttl: 50,
        pointers: [{ key: 'account_pubkey', id: OTHER }],
        fee: 1,
        ttl: 1234,
        nonce: 8,
      },
      tx: 'tx_+IIiAaEB8JNAGGmxg9o9wAEUcZGGlebraOFVIdbjYruyTXEhbhoIoQK8mOve5PRaSEu+7dAvtpvZhpDbI1gogtqcZNHyQuZm+IInEPLxjmFjY291bnRfcHVia2V5oQFmaBYxEorM8QlSiOjwu1tq3NrT06TXgOEZj9X/jP7eZTIBggTStrtuYQ==',
    },
    {
      path: 'names/transfer',
      body: { account_id: ACCOUNT, name_id: NAME_ID, recipient_id: OTHER, fee: 1, ttl: 1234, nonce: 9 },
      tx: 'tx_+G0kAaEB8JNAGGmxg9o9wAEUcZGGlebraOFVIdbjYruyTXEhbhoJoQK8mOve5PRaSEu+7dAvtpvZhpDbI1gogtqcZNHyQuZm+KEBZmgWMRKKzPEJUojo8Ltbatza09Ok14DhGY/V/4z+3mUBggTSQOwRAQ==',
    },
    {
      path: 'names/revoke',
      body: { account_id: OTHER, name_id: NAME_ID, fee: 1, ttl: 1234, nonce: 1 },
      tx: 'tx_+EsjAaEBZmgWMRKKzPEJUojo8Ltbatza09Ok14DhGY/V/4z+3mUBoQK8mOve5PRaSEu+7dAvtpvZhpDbI1gogtqcZNHyQuZm+AGCBNLEKYCV',
    },
    {
      path: 'transactions/spend',
      body: { sender_id: ACCOUNT, recipient_id: NAME_ID, amount: 2, fee: 1, ttl: 1234, nonce: 5 },
      tx: 'tx_+E0MAaEB8JNAGGmxg9o9wAEUcZGGlebraOFVIdbjYruyTXEhbhqhAryY697k9FpIS77t0C+2m9mGkNsjWCiC2pxk0fJC5mb4AgGCBNIFgHcz6ZY=',
    },
  ];
  for (const { path, body, tx } of VECTORS) {
    it(`${path} returns the transaction of the vector, in both versions of the API`, () => {
      expect(text(ask(post(path, body)))).to.equal(`{"tx":"${tx}"}`);
      const asTexts = (value: Json): Json =>
        typeof value === 'number' || typeof value === 'bigint'
          ? String(value)
          : typeof value === 'object' && value !== null && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).map(([member, each]) => [member, asTexts(each)]))
            : value;
      expect(text(ask(post(path, asTexts(body) as JsonObject, 'v3')))).to.equal(`{"tx":"${tx}"}`);
    });
  }

  it('register an oracle at the path of the specification and at that of the node', () => {
    const { body } = VECTORS[0]!;
    expect(ask(post('oracles/oracle', body))).to.deep.equal(ask(post('oracles/register', body)));
    expect(ask(post('oracles/oracle', {}))).to.deep.equal(ask(post('oracles/register', {})));
  });

  it('use the next nonce of the account, and refuse an account that does not exist', () => {
    const spend = { sender_id: ACCOUNT, recipient_id: OTHER, amount: 1, fee: 1, ttl: 0 };
    expect(built(ask(post('transactions/spend', spend)))['nonce']).to.equal(5);
    expect(text(ask(post('transactions/spend', { ...spend, sender_id: OTHER })))).to.equal(
      '{"reason":"Account of sender_id not found"}',
    );
    const extend = { oracle_id: ORACLE, oracle_ttl: { type: 'delta', value: 5 }, fee: 1 };
    expect(built(ask(post('oracles/extend', extend)))['nonce']).to.equal(3);
  });

  it('build a spend to a name given as text, without payload', () => {
    const answer = ask(
      post('transactions/spend', { sender_id: ACCOUNT, recipient_id: 'foobar.test', amount: 2, fee: 1, ttl: 1234 }),
    );
    expect(built(answer)).to.include({ recipient_id: NAME_ID, payload: 'ba_Xfbg4g==', ttl: 1234 });
  });

  it('build a query of the beneficiary if there is no sender', () => {
    const query = {
      oracle_id: ORACLE,
      query_fee: 4,
      query_ttl: { type: 'delta', value: 10 },
      response_ttl: { type: 'delta', value: 10 },
      fee: 2,
      ttl: 100,
      query: 'How are you?',
    };
    expect(built(ask(post('oracles/query', query)))).to.include({ sender_id: BENEFICIARY, nonce: 8 });
    expect(text(internal(KNOWN)(post('oracles/query', query)))).to.contain('"data":"sender_id"');
  });

  it('build a response of the queried oracle if there is no oracle', () => {
    const response = { query_id: QUERY, response_ttl: { type: 'delta', value: 10 }, fee: 2, ttl: 9, response: 'Fine' };
    expect(built(ask(post('oracles/respond', response)))).to.include({ oracle_id: ORACLE, nonce: 3, response: 'Fine' });
    const unknown = { ...response, query_id: encodeId('oq', new Uint8Array(32)) };
    expect(text(ask(post('oracles/respond', unknown)))).to.equal(
      '{"reason":"Oracle query for key query_id not found"}',
    );
    expect(text(ask(post('oracles/respond', { ...response, query_id: 'oq_x' })))).to.equal(
      '{"reason":"Invalid hash: query_id"}',
    );
  });

  it('refuse TTLs of a wrong type, claims of invalid names, and invalid pointers', () => {
    const extend = { oracle_id: ORACLE, oracle_ttl: { type: 'block', value: 5 }, fee: 1 };
    expect(text(ask(post('oracles/extend', extend)))).to.equal(
      '{"info":{"error":"not_in_enum","data":"block","path":["oracle_ttl","type"]},"parameter":"body","reason":"validation_error"}',
    );
    for (const [name, why] of [
      ['foobar', 'no_registrar'],
      ['foo.bar.chain', 'multiple_namespaces'],
      ['foobar.aet', 'registrar_unknown'],
      ['.chain', 'no_label_in_registrar'],
      ['foo_bar.chain', 'invalid_name'],
    ] as const) {
      const claim = { account_id: ACCOUNT, name: encodeId('nm', Buffer.from(name)), name_salt: 1, fee: 1 };
      expect(text(ask(post('names/claim', claim))), name).to.equal(
        `{"reason":"Name validation failed with a reason: ${why}"}`,
      );
    }
    const update = { account_id: ACCOUNT, name_id: NAME_ID, name_ttl: 1, client_ttl: 1, fee: 1 };
    const pointing = (id: string): Answer => ask(post('names/update', { ...update, pointers: [{ key: 'x', id }] }));
    expect(text(pointing('kh_x'))).to.equal('{"reason":"Invalid pointers"}');
    expect(built(pointing(encodeId('ba', Buffer.from('data'))))['version']).to.equal(2);
  });

  it('reverse the order of pointers, as nodes do', () => {
    const pointers = [
      { key: 'account_pubkey', id: ACCOUNT },
      { key: 'oracle_pubkey', id: ORACLE },
    ];
    const update = { account_id: ACCOUNT, name_id: NAME_ID, name_ttl: 1, client_ttl: 1, fee: 1, pointers };
    const { pointers: made } = built(ask(post('names/update', update))) as { pointers: { key: string }[] };
    expect(made.map(({ key }) => key)).to.deep.equal(['oracle_pubkey', 'account_pubkey']);
  });

  it('build every channel transaction', () => {
    const hash = encodeId('st', new Uint8Array(32).fill(7));
    const channel = encodeId('ch', new Uint8Array(32).fill(6));
    const from = { channel_id: channel, from_id: ACCOUNT, fee: 1 };
    const payload = encodeId('tx', new Uint8Array(0));
    const moved = { channel_id: channel, amount: 1, fee: 1, state_hash: hash, round: 3, nonce: 4 };
    const final = { ...from, initiator_amount_final: 1, responder_amount_final: 2, nonce: 4 };
    const create = {
      initiator_id: ACCOUNT,
      initiator_amount: 10,
      responder_id: OTHER,
      responder_amount: 10,
      push_amount: 0,
      channel_reserve: 1,
      lock_period: 3,
      state_hash: hash,
      fee: 1,
    };
    const bodies: Record<string, JsonObject> = {
      'channels/create': { ...create, delegate_ids: { initiator: [OTHER], responder: [] } },
      'channels/deposit': { ...moved, from_id: ACCOUNT },
      'channels/withdraw': { ...moved, to_id: ACCOUNT },
      'channels/close/mutual': final,
      'channels/settle': final,
      'channels/close/solo': { ...from, payload, poi: encodeId('pi', Uint8Array.of(1)) },
      'channels/slash': { ...from, payload, poi: encodeId('pi', Uint8Array.of(1)) },
      'channels/snapshot/solo': { ...from, payload },
      'channels/set-delegates': {
        ...from,
        payload,
        state_hash: hash,
        round: 3,
        initiator_delegate_ids: [OTHER],
        responder_delegate_ids: [],
      },
    };
    for (const [path, body] of Object.entries(bodies)) {
      expect(built(ask(post(path, body))), path).to.include({ type: BUILDERS[path]!.type, fee: 1 });
    }
    expect(built(ask(post('channels/create', { ...create, delegate_ids: [OTHER] })))['version']).to.equal(1);
    expect(text(ask(post('channels/create', { ...create, delegate_ids: [ORACLE] })))).to.equal(
      '{"reason":"Invalid hash: delegate_ids"}',
    );
  });

  it('pay only for a transaction that its sender signed as an inner transaction', () => {
    const sender = keyPair(new Uint8Array(32).fill(9));
    const spend = {
      sender_id: encodeId('ak', sender.publicKey),
      recipient_id: OTHER,
      amount: 5,
      fee: 1,
      nonce: 1,
      payload: '',
    };
    const unsigned = decodeId((JSON.parse(text(ask(post('transactions/spend', spend)))) as { tx: string }).tx, 'tx');
    const inner = (forPayer: boolean): JsonObject => ({
      tx: { type: 'SpendTx', ...spend },
      signatures: [encodeId('sg', sender.sign(signedMessage(unsigned, forPayer ? innerNetwork(NETWORK) : NETWORK)))],
    });
    const pay = (tx: Json): Answer => ask(post('transactions/paying-for', { payer_id: ACCOUNT, fee: 1, tx }));
    expect(built(pay(inner(true)))).to.include({ type: 'PayingForTx', payer_id: ACCOUNT, nonce: 5 });
    expect(text(pay(inner(false)))).to.equal('{"reason":"Inner tx: invalid authentication"}');
    expect(text(pay({ ...inner(true), tx: { type: 'SpendTx', ...spend, recipient_id: 'ak_x' } }))).to.equal(
      '{"reason":"Inner tx: Invalid hash: recipient_id"}',
    );
  });

  it('report the beneficiary, the key of the node and its peers', () => {
    expect(text(ask(get('accounts/beneficiary')))).to.equal(`{"pub_key":"${BENEFICIARY}"}`);
    expect(internal(KNOWN)(get('accounts/beneficiary'))).to.deep.equal({
      status: 404,
      body: '{"reason":"beneficiary_not_configured"}',
    });
    expect(text(ask(get('accounts/node')))).to.equal(`{"pub_key":"${OTHER}"}`);
    expect(JSON.parse(text(ask(get('peers'))))).to.have.all.keys('peers', 'inbound', 'outbound', 'blocked');
  });

  it('refuse other methods, other paths, and bodies with another content type than JSON', () => {
    expect(ask(get('transactions/spend'))).to.deep.equal({ status: 405, allow: 'POST' });
    expect(ask(post('transactions/nonsense', {}))).to.deep.equal({ status: 404 });
    const request = asHandled(post('transactions/spend', {}));
    const handle = createInternal({
      chain: { state: () => ({}), pool: {} } as unknown as LiveChain,
      mining: {} as Mining,
      beneficiary: undefined,
    });
    expect(handle({ ...request, contentType: 'text/plain' })).to.deep.equal({ status: 415 });
  });
});
