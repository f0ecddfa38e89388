import { expect } from 'chai';
import pg from 'pg';
import { nameHash, oracleId } from '../../src/chain/protocol/ids.js';
import { verify } from '../../src/populate/verify.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { madeHash } from '../support/seed.js';

const NONCE = '18439611149950595087';
const BEYOND_64 = String(2n ** 64n + 1n);
const BEYOND_128 = String(2n ** 128n + 7n);

/** Contents of JSON strings as a node prints them that databases, COPY and JSON readers often damage. */
const HARD = [
  String.raw`\u0000`,
  String.raw`a\u0000b`,
  String.raw`high \ud800 alone`,
  String.raw`low \udc00 alone`,
  String.raw`turned \udc00\ud800`,
  String.raw`pair \ud83d\ude00`,
  String.raw`\"quoted\" 'single' $$ \\ \/ \\N \\. \\u0000 \\\" %s :id $1`,
  String.raw`\b\f\n\r\t`,
  'astral 😀𝒳 \u2028\u2029 \u007f\ufeff \u{10ffff} ÄÖ\u0301',
  '\\\\',
  ' spaces ',
  'x'.repeat(70_000),
];
const text = HARD.join('|');

const alice = madeHash('ak', 'alice');
const bob = madeHash('ak', 'bob');
const oracle = oracleId(bob);
const name = nameHash('numbers-and-texts.chain');
const micro = madeHash('mh', 'numbers');

interface Made {
  hash: string;
  envelope: string;
}

let made = 0;
/** `tx` as the node prints it; `%s` in it is the hard text. */
function transaction(tx: string, { space = '' } = {}): Made {
  const th = madeHash('th', `numbers ${made++}`);
  const inner = tx.replaceAll('%s', () => text);
  const envelope = `{${space}"block_hash":"${micro}",${space}"block_height":1,"hash":"${th}","signatures":["sg_1"],"tx":${inner}${space}}`;
  return { hash: th, envelope };
}

const spend = (members: string): string =>
  `{"amount":${BEYOND_64},"fee":20000,"nonce":${NONCE},"recipient_id":"${bob}","sender_id":"${alice}",${members},"type":"SpendTx","version":1}`;

const TRANSACTIONS = [
  transaction(spend('"payload":"%s"')),
  transaction(spend('"payload":"","x":"first"').replace(BEYOND_64, BEYOND_128)),
  // Unknown members, numbers that no float can hold, duplicate members, unusual keys.
  transaction(
    spend(`"payload":"%s","%s":[1e400,-0,1.0,0.1e-7,${10n ** 60n}],"deep":{"tx":{"%s":null}},"fee":${BEYOND_64}`),
  ),
  transaction(
    `{ "type" : "SpendTx",\n\t"sender_id": "${alice}" , "payload": "%s", "recipient_id":"${bob}", "amount": 1, "fee": ${BEYOND_128} }`,
    { space: '\n  ' },
  ),
  transaction(
    `{"account_id":"${bob}","fee":${BEYOND_128},"nonce":1,"oracle_ttl":{"type":"delta","value":500},"query_fee":${BEYOND_64},"query_format":"%s","response_format":"%s","ttl":9,"type":"OracleRegisterTx"}`,
  ),
  transaction(
    `{"fee":1,"nonce":${NONCE},"oracle_id":"${oracle}","query":"%s","query_fee":${BEYOND_128},"query_ttl":{"type":"delta","value":50},"response_ttl":{"type":"delta","value":50},"sender_id":"${alice}","type":"OracleQueryTx"}`,
  ),
  transaction(
    `{"account_id":"${alice}","fee":1,"name":"numbers-and-texts.chain","name_fee":${BEYOND_128},"name_salt":${NONCE},"nonce":2,"type":"NameClaimTx"}`,
  ),
  transaction(
    `{"account_id":"${alice}","client_ttl":1,"fee":1,"name_id":"${name}","name_ttl":1000,"nonce":3,"pointers":[{"id":"${bob}","key":"account_pubkey"},{"id":"${alice}","key":"%s"},{"id":"%s","key":"raw"}],"type":"NameUpdateTx"}`,
  ),
  transaction(
    `{"fee":${BEYOND_64},"nonce":7,"payer_id":"${bob}","tx":{"signatures":[],"tx":${spend('"payload":"%s"')}},"type":"PayingForTx"}`,
  ),
  transaction(
    String.raw`{"fee":1,"nonce":8,"payer_id":"${bob}","tx":{"signatures":[],"tx":{"fee":1,"nonce":6,"oracle_id":"${oracle}","query":"%s" , "query_fee":${BEYOND_128},"\u0000":"\\u0000","sender_id":"${alice}","type":"OracleQueryTx"}},"type":"PayingForTx"}`,
  ),
  // Transactions that cannot be read.
  transaction('{"type":"%s","sender_id":{"%s":1}}'),
  transaction(String.raw`{"type":"Zero\u0000Tx","sender_id":"a\u0000b"}`),
  transaction(
    String.raw`{"type":"NameClaimTx","name":"a\u0000b.chain","account_id":"${alice}","name_salt":1,"fee":1,"nonce":4}`,
  ),
  transaction(
    String.raw`{"type":"NameClaimTx","name":"\ud800\ud800-lone-surrogates.chain","account_id":"${alice}","name_salt":1,"fee":1,"nonce":5}`,
  ),
  transaction(String.raw`{"type":"OracleRespondTx","query_id":"oq_\u0000","oracle_id":"\ud800","response":"%s"}`),
];

const genesis = {
  hash: madeHash('kh', 'genesis'),
  body: `{"beneficiary":"${alice}","hash":"${madeHash('kh', 'genesis')}","height":0,"info":"cb_Xfbg4g==","miner":"${alice}","prev_hash":"${madeHash('kh', 'none')}","prev_key_hash":"${madeHash('kh', 'none')}","state_hash":"bs_1","target":553713663,"time":0,"version":5}`,
};
const first = {
  hash: madeHash('kh', 'first'),
  body: `{"beneficiary":"${alice}","hash":"${madeHash('kh', 'first')}","height":1,"info":"cb_Xfbg4g==","miner":"${alice}","nonce":${NONCE},"pow":[1,2,4294967296],"prev_hash":"${genesis.hash}","prev_key_hash":"${genesis.hash}","state_hash":"bs_2","target":553713663,"time":180000,"unknown":{"more":[${BEYOND_128},"Ä😀"]},"version":5}`,
};
const header = `{"hash":"${micro}","height":1,"pof_hash":"no_fraud","prev_hash":"${first.hash}","prev_key_hash":"${first.hash}","signature":"sg_2","state_hash":"bs_3","time":181000,"txs_hash":"bx_1","unknown":${BEYOND_64},"version":5}`;
const list = `{"transactions":[${TRANSACTIONS.map(({ envelope }) => envelope).join(',')}]}`;
const generation = (body: string, hashes: string[]): string =>
  `{"key_block":${body},"micro_blocks":${JSON.stringify(hashes)}}`;

const ANSWERS: Record<string, string> = {
  '/v2/status': `{"node_version":"7.2.2","network_id":"ae_numbers","genesis_key_block_hash":"${genesis.hash}","syncing":false,"protocols":[],"top_block_height":1,"top_key_block_hash":"${first.hash}"}`,
  '/v2/generations/current': generation(first.body, [micro]),
  '/v2/generations/height/0': generation(genesis.body, []),
  '/v2/generations/height/1': generation(first.body, [micro]),
  '/v2/key-blocks/height/0': genesis.body,
  '/v2/key-blocks/height/1': first.body,
  [`/v2/key-blocks/hash/${genesis.hash}`]: genesis.body,
  [`/v2/key-blocks/hash/${first.hash}`]: first.body,
  [`/v2/micro-blocks/hash/${micro}/header`]: header,
  [`/v2/micro-blocks/hash/${micro}/transactions`]: list,
  [`/v2/micro-blocks/hash/${micro}/transactions/count`]: `{"count":${TRANSACTIONS.length}}`,
  '/v2/key-blocks/current/height': '{"height":1}',
  '/v2/forwarded': `{"balance":${BEYOND_128},"text":"${text}"}`,
  ...Object.fromEntries(TRANSACTIONS.map(({ hash: th, envelope }) => [`/v2/transactions/${th}`, envelope])),
};

describe('numbers and texts that are easily damaged', () => {
  let node: TestServer;
  let server: TestDatabase;
  let database: string;
  let populating: Populating;
  let api: TestApi | undefined;

  before(async () => {
    node = await startServer((request, response) => {
      const body = ANSWERS[request.url ?? ''];
      reply(response, body === undefined ? 404 : 200, body ?? '{"reason":"Not found"}');
    });
    server = await testDatabase();
    database = await anyDatabase();
    populating = await startPopulating({ ...server, url: database }, 'mdw', [node.url], { proof: 'off' });
    await populating.at(micro);
    api = await testApi(populating.database, { nodeUrls: [node.url] });
  });
  after(async () => {
    await api?.close();
    await populating.stop();
    await node.close();
    await administer('DROP DATABASE numbers');
    await server.drop();
  });

  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };

  /** As an administrator creates it on a system without another locale. */
  const anyDatabase = async (): Promise<string> => {
    await administer(`CREATE DATABASE numbers ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    return Object.assign(new URL(server.url), { pathname: '/numbers' }).href;
  };

  const body = async (path: string): Promise<string> => {
    const answer = await api!.get(path);
    expect(answer.status, path).to.equal(200);
    return answer.body;
  };

  /** A list without what it says besides the texts of the node. */
  const list = async (path: string): Promise<string> =>
    (await body(path)).replaceAll(/,"outcome":"(ok|unknown)"\}/g, '}');

  it('are not read from the node again, and are returned as the node sent them', async () => {
    const asked = node.requests.length;
    for (const [path, expected] of Object.entries(ANSWERS)) {
      if (path === '/v2/status' || path === '/v2/forwarded') continue;
      expect(await body(path), path).to.equal(expected);
    }
    // Meanwhile the populator does not request transactions.
    expect(node.requests.slice(asked).filter((line) => line.includes('transactions'))).to.deep.equal([]);
  });

  it('are forwarded byte for byte', async () => {
    expect(await body('/v2/forwarded')).to.equal(ANSWERS['/v2/forwarded']);
  });

  it('are unchanged in the list of an interval', async () => {
    const newestFirst = TRANSACTIONS.map(({ envelope }) => envelope).reverse();
    expect(await list('/middleware/transactions/interval/0/1')).to.equal(`{"transactions":[${newestFirst.join(',')}]}`);
  });

  it('are unchanged in the lists of an account and of a pair', async () => {
    const [a, b] = [
      await list(`/middleware/transactions/account/${alice}`),
      await list(`/middleware/transactions/account/${alice}/to/${bob}`),
    ];
    const ofAlice = TRANSACTIONS.filter(
      ({ envelope }) => /"(sender|account)_id": ?"(ak_\w+)"/.exec(envelope)?.[2] === alice,
    );
    const spends = ofAlice.filter(
      ({ envelope }) => /"type" ?: ?"SpendTx"/.test(envelope) && !envelope.includes('PayingForTx'),
    );
    const withTime = ofAlice
      .filter(({ envelope }) => !envelope.includes('PayingForTx'))
      .map(({ envelope }) => `${envelope.slice(0, -1)},"time":181000}`);

    expect(a).to.equal(`[${withTime.reverse().join(',')}]`);
    expect(JSON.parse(await body(`/middleware/transactions/account/${alice}/count`))).to.deep.equal({
      count: withTime.length,
    });
    expect(b).to.equal(
      `{"transactions":[${spends
        .map(({ envelope }) => envelope)
        .reverse()
        .join(',')}]}`,
    );
  });

  it('are unchanged in generations, where nonce and pow are text', async () => {
    const answer = await body('/middleware/generations/0/1');

    for (const { hash: th, envelope } of TRANSACTIONS)
      expect(answer.includes(`"${th}":${envelope}`), th).to.equal(true);
    expect(answer).to.contain(`"nonce":"${NONCE}"`).and.contain('"pow":"[1, 2, 4294967296]"');
    expect(answer).to.contain(`"unknown":{"more":[${BEYOND_128},"Ä😀"]}`).and.contain(`"unknown":${BEYOND_64}`);
  });

  it('are unchanged in questions to an oracle and in pointers of a name', async () => {
    const question = /"tx":(.*)\}$/s.exec(TRANSACTIONS[5]!.envelope)![1]!;
    const pointers = /"pointers":(\[.*?\]),"type"/s.exec(TRANSACTIONS[7]!.envelope)![1]!;

    expect(await body(`/middleware/oracles/${oracle}`)).to.contain(`"request":${question.slice(0, -1)},"hash"`);
    const paidQuestion = /"tx":\{"signatures":\[\],"tx":(.*)\},"type"/s.exec(TRANSACTIONS[9]!.envelope)![1]!;
    expect(await body(`/middleware/oracles/${oracle}`)).to.contain(`"request":${paidQuestion.slice(0, -1)},"hash"`);
    expect(await body('/middleware/oracles/list')).to.contain(`"query_format":"${text}"`);
    expect(await body(`/middleware/names/hash/${name}`)).to.contain(`"pointers":${pointers}`);
    expect(await body(`/middleware/names/reverse/${bob}`)).to.contain(`"pointers":${pointers}`);
  });

  it('are summed up with every digit', async () => {
    const fees = 20_000n * 1n + 20_000n + BigInt(BEYOND_64) * 2n + BigInt(BEYOND_128) * 2n + 6n;
    const reward = await body('/middleware/reward/height/1');
    const { rows } = await populating.database.query<{ fees: string }>({
      name: 'test.fees',
      text: 'SELECT fees FROM generations WHERE height = 1',
    });

    expect(rows[0]!.fees).to.equal(String(fees));
    expect(reward).to.match(/"fees":"?\d{38,}"?/);
  });

  it('are verified without a difference', async () => {
    const verdicts = [];
    for await (const verdict of verify({ database: populating.database, node: populating.node }))
      verdicts.push(verdict);

    expect(verdicts).to.deep.equal([
      { height: 1, ok: true },
      { height: 0, ok: true },
    ]);
  });

  it('make transactions count as unreadable where necessary, and stop nothing', async () => {
    const { rows } = await populating.database.query<{ hash: string }>({
      name: 'test.invalid',
      text: 'SELECT hash FROM transactions WHERE NOT valid ORDER BY position',
    });
    expect(rows.map((row) => row.hash)).to.include.members([TRANSACTIONS[12]!.hash, TRANSACTIONS[14]!.hash]);
    expect(await api!.get('/middleware/status').then((answer) => JSON.parse(answer.body) as object)).to.include({
      errors_last_500_blocks: rows.length,
    });
  });
});
