import { AE } from '../../src/chain/networks.js';
import { expect } from 'chai';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NOT_FOUND } from '../../devtools/devnode/wire/answer.js';
import { createChainAnswers } from '../../devtools/devnode/http/chain-answers.js';
import { createRouter } from '../../devtools/devnode/http/router.js';
import { readReplay } from '../../devtools/devnode/replay.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';
import { mainView } from '../../devtools/devnode/store/chain-view.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask, closeDevnodes, open } from '../support/devnode.js';

interface Line {
  method: string;
  path: string;
  port: number;
  status: number;
  headers: Record<string, string>;
  body: string;
}

const file = (name: string): string => fileURLToPath(new URL(`../fixtures/realnode/${name}`, import.meta.url));
const lines = (name: string): Line[] =>
  gunzipSync(readFileSync(file(name)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('a replayed recording', () => {
  let devnode: Devnode;
  before(async () => {
    devnode = await open({ internal: '127.0.0.1:0', source: { replay: file('chain.jsonl.gz') } });
  });
  after(closeDevnodes);

  it('returns exactly the recorded answers, in both versions of the API and on both ports', async () => {
    const recorded = lines('chain.jsonl.gz').filter(({ method }) => method === 'GET');
    for (const { path, port, status, headers, body } of recorded) {
      const url = (port === 3113 ? devnode.internalUrl! : devnode.externalUrl) + path;
      const response = await fetch(url);
      const told = [response.status, response.headers.get('content-type'), await response.text()];
      expect(told, path).to.deep.equal([status, headers['content-type'] ?? null, body]);
    }
    expect(recorded.length).to.be.greaterThan(6000);
  });

  it('answers what was not recorded from the recorded chain', async () => {
    const { body } = await ask(devnode, '/v3/generations/height/13?int-as-string=TRUE');
    expect(body)
      .to.match(/"height":"13"/)
      .and.to.match(/"pow":\["\d+"/);
    const [hash] = (JSON.parse((await ask(devnode, '/v2/generations/height/13')).body) as { micro_blocks: string[] })
      .micro_blocks;
    expect((await ask(devnode, `/v2/micro-blocks/hash/${hash!}/transactions/index/1`)).status).to.equal(200);
    expect((await ask(devnode, '/v2/nothing')).status).to.equal(404);
  });

  it('can lag behind the recording', async () => {
    devnode.misbehave({ behind: 14 });
    expect((await ask(devnode, '/v2/key-blocks/current/height')).body).to.equal('{"height":200}');
    devnode.misbehave(null);
    expect((await ask(devnode, '/v2/key-blocks/current/height')).body).to.equal('{"height":214}');
  });

  it('does not grow', async () => {
    const error = await devnode.mineKeyBlock().catch((fault: unknown) => fault);
    expect(error).to.have.property('fault', 'conflict');
  });

  it('is refused if the file is missing or contains no chain', async () => {
    for (const replay of ['/no/such/file', file('README.md'), file('errors.jsonl.gz')]) {
      const error = await open({ source: { replay } }).catch((fault: unknown) => fault);
      expect(error, replay).to.have.property('code', 'invalid_replay');
    }
  });
});

describe("the simulated node's own answers", () => {
  const store = createChainStore();
  readReplay(file('chain.jsonl.gz'), store);
  const route = createRouter({
    store,
    chain: createChainAnswers(store, () => undefined),
    status: () => '{}',
    networkId: () => 'ae_mdwtest',
    currency: AE,
    peerKey: 'pp_25mJ45NXooRF9YFmAqUUX4DVTstgyouSSSomUHh6ujE5bJiiwT',
  });
  after(() => store.close());

  /** The state of accounts and other objects and results of execution are not simulated. */
  const OTHERS =
    /^\/(v[23]\/(accounts|names|auctions|oracles|contracts|channels|status$|key-blocks\/pending|recent-gas-prices|debug|node)|api)/;
  const ours = ({ path, port, status }: Line): boolean =>
    port === 3013 && !OTHERS.test(path) && !(path.endsWith('/info') && status === 200);

  for (const name of ['chain.jsonl.gz', 'errors.jsonl.gz']) {
    it(`are those of the real node in ${name}`, () => {
      const compared = lines(name).filter((line) => ours(line) && line.method !== 'POST');
      for (const { method, path, status, headers, body } of compared) {
        const answer = route({ method, url: path }, mainView(store));
        const said = [answer.status, String(answer.body ?? ''), answer.allow];
        expect(said, `${method} ${path}`).to.deep.equal([status, body, headers['allow']]);
      }
      expect(compared.length).to.be.greaterThan(90);
    });
  }

  it('refuse texts other than true and false for int-as-string', () => {
    const answer = route({ method: 'GET', url: '/v3/key-blocks/current?int-as-string=1' }, mainView(store));
    expect(answer).to.deep.equal({
      status: 400,
      body: '{"info":{"data":"1","error":"wrong_type"},"parameter":"int-as-string","reason":"validation_error"}',
    });
  });

  it('are 404 for paths that are too short or too long', () => {
    const hash = store.id(store.head());
    for (const path of [
      '/v2/key-blocks/current/hash/x',
      '/v2/generations',
      `/v2/key-blocks/hash/${hash}/x`,
      '/v4/status',
    ]) {
      expect(route({ method: 'GET', url: path }, mainView(store)), path).to.equal(NOT_FOUND);
    }
  });
});
