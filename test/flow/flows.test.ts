import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import type { Devnode, LiveOptions } from '../../devtools/devnode/start.js';
import { mdw } from '../support/mdw.js';
import type { Outcome } from '../support/mdw.js';
import { startLive } from '../support/service.js';

const COIN = 10n ** 18n;
const SEED = new Uint8Array(32).fill(5);
const ACCOUNT = encodeId('ak', keyPair(SEED).publicKey);
const OTHER = encodeId('ak', keyPair(new Uint8Array(32).fill(6)).publicKey);
const KEY = encodeId('sk', SEED);

interface Setting {
  devnode: Devnode;
  /** Runs `mdw flow …` against the node with the middleware in front of it. */
  flow(args: string[], env?: Record<string, string>): Promise<Outcome>;
  middleware: string;
  close(): Promise<void>;
}

async function setUp(options: LiveOptions): Promise<Setting> {
  const funded = { funds: { [ACCOUNT]: 10_000n * COIN }, ...options };
  const { devnode, url: middleware, close } = await startLive(funded, { internal: '127.0.0.1:0' });
  const places = ['--node', middleware, '--internal', devnode.internalUrl!, '--middleware', middleware];
  return {
    devnode,
    middleware,
    flow: (args, env = { MDW_SECRET_KEY: KEY }) => mdw(['flow', ...args, ...places, '--timeout', '60'], env),
    close,
  };
}

const lines = ({ status, stdout, stderr }: Outcome): string[] => {
  expect(status, stdout + stderr).to.equal(0);
  return stdout.trim().split('\n');
};

function expectInOrder(printed: string[], ...patterns: RegExp[]): void {
  let from = 0;
  for (const pattern of patterns) {
    const at = printed.findIndex((line, i) => i >= from && pattern.test(line));
    expect(at, `${pattern} after line ${from} of\n${printed.join('\n')}`).to.be.at.least(0);
    from = at + 1;
  }
}

describe('the flows as commands', () => {
  let setting: Setting;
  afterEach(() => setting.close());
  const mining = { autostart: true, beneficiary: OTHER, intervalMs: 400 };

  it('run oracle, name and spend under current rules, through the middleware', async () => {
    setting = await setUp({ mining });
    const { flow } = setting;
    const oracle = withPrefix('ok', ACCOUNT);

    expectInOrder(
      lines(await flow(['oracle', '--question', 'Rain?', '--answer', 'Not yet'])),
      new RegExp(`^Account ${ACCOUNT} has ${10_000n * COIN} aettos`),
      new RegExp(`^${oracle} is not registered yet \\(404: Oracle not found`),
      /^register: posted th_/,
      /^register: in generation \d+/,
      new RegExp(`^${oracle} is registered until generation \\d+$`),
      /^extend: in generation/,
      new RegExp(`^${oracle} is registered until generation \\d+, 100 longer$`),
      /^query: in generation/,
      /^Query oq_\w+ "Rain\?" has no response yet/,
      /^respond: in generation/,
      /^Query oq_\w+ "Rain\?" has the response "Not yet"/,
      /^The middleware at http/,
      new RegExp(`^  GET /middleware/oracles/${oracle}\\S*: 200 .*OracleRespondTx`),
      new RegExp(`^  GET /middleware/oracles/list\\S*: 200 .*${oracle}`),
    );
    expect((await flow(['oracle'])).stdout).to.contain(`${oracle} is already registered`);

    const name = 'walked-by-a-flow.chain';
    expectInOrder(
      lines(await flow(['name', name, '--keep', '--amount', '7'])),
      new RegExp(`^${name} \\(${nameHash(name)}\\) is free: 404: Name not found`),
      /^Commitment cm_\w+, salt \d+$/,
      /^preclaim: in generation/,
      /^claim: in generation/,
      new RegExp(`^${name} belongs to ${ACCOUNT} until generation \\d+, pointers \\[\\]$`),
      /^update: in generation/,
      new RegExp(`^${name} belongs .*"key":"account_pubkey"`),
      new RegExp(`^spend 7 aettos to ${name}: in generation`),
      /^transfer: in generation/,
      /^The middleware at/,
      new RegExp(`^  GET /middleware/names/${name}: 200 .*"${name}"`),
      new RegExp(`^  GET /middleware/names/reverse/${ACCOUNT}: 200 .*"${name}"`),
    );
    const taken = await flow(['name', name]);
    expect([taken.status, taken.stderr]).to.deep.equal([1, `mdw: ${taken.stderr.slice(5)}`]);
    expect(taken.stderr).to.contain(`${name} is taken`);

    expectInOrder(
      lines(await flow(['spend', '--to', name, '--amount', '5', '--payload', 'to a name'])),
      new RegExp(`^${name} is ${nameHash(name)}`),
      new RegExp(`^spend 5 aettos to ${name}: in generation`),
      /^Account ak_\w+ has \d+ aettos, \d+ less$/,
      /^ {2}GET \/middleware\/transactions\/account\/ak_\w+\?limit=1&page=1: 200 .*SpendTx/,
    );
    expectInOrder(
      lines(await flow(['spend', '--to', OTHER, '--amount', '9'])),
      /GET \/middleware\/transactions\/account\/\S+\/to\/\S+: 200 .*"amount":9,/,
    );
  });

  it('run the specification: a .test name until it is revoked, with fees of at least 1', async () => {
    setting = await setUp({ mining, rules: { profile: 'early' } });
    const { flow } = setting;
    expectInOrder(
      lines(await flow(['name', 'foobar.test', '--fee', '1'])),
      /^foobar\.test \(nm_2S4U3A6LGh2LASvbA1RgA6WVq9FDBCfEZK6FN5uL65MPVhiVGL\) is free/,
      /^preclaim: in generation/,
      /^claim: in generation/,
      /^update: in generation/,
      /^transfer: in generation/,
      /^revoke: in generation/,
      /^foobar\.test is revoked: 404: Name revoked/,
      /GET \/middleware\/names\/foobar\.test: 200/,
    );
    // TTL 500 costs 1 and 1 for the first thousand.
    expectInOrder(lines(await flow(['oracle', '--fee', '2'])), /^register: in generation/, /^respond: in generation/);
    const cheap = await flow(['spend', '--to', OTHER, '--fee', '0']);
    expect([cheap.status, cheap.stderr]).to.deep.equal([1, cheap.stderr]);
    expect(cheap.stderr).to.contain('too_low_fee');
  });

  it('mine for a node that does not mine itself', async () => {
    setting = await setUp({ mining: { beneficiary: OTHER, edgeBits: 11 } });
    const { flow, devnode } = setting;
    expectInOrder(
      lines(await flow(['mine', '--blocks', '2', '--edge-bits', '11'], {})),
      /^Candidate for height 1, target \d+$/,
      /^Found nonce \d+$/,
      new RegExp(`^Block 1 kh_\\w+ accepted, rewards go to ${OTHER}$`),
      /^Block 2 kh_\w+ accepted/,
      /^The middleware at/,
      /^ {2}GET \/middleware\/reward\/height\/2: 200/,
      /^ {2}GET \/v2\/key-blocks\/height\/2: 200/,
    );
    expect(devnode.height()).to.equal(2);
    const wrong = await flow(['mine', '--edge-bits', '10'], {});
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr).to.contain('Block rejected');
  });

  it('read the key from a file or the environment, and never print it', async () => {
    setting = await setUp({ mining });
    const { flow } = setting;
    const folder = mkdtempSync(join(tmpdir(), 'mdw-flow-'));
    const file = join(folder, 'key');
    try {
      writeFileSync(file, `${Buffer.from(SEED).toString('hex')}\n`, { mode: 0o600 });
      expect(lines(await flow(['spend', '--to', OTHER, '--key-file', file], {}))[0]).to.contain(ACCOUNT);
      const none = await flow(['spend', '--to', OTHER], {});
      expect([none.status, none.stderr.split('\n')[0]]).to.deep.equal([
        2,
        'mdw: no key: give a file with --key-file, or set MDW_SECRET_KEY',
      ]);
      const bad = await flow(['spend', '--to', OTHER], { MDW_SECRET_KEY: 'secretsecret' });
      expect(bad.status).to.equal(2);
      expect(bad.stdout + bad.stderr).to.not.contain('secretsecret');
      const poor = await flow(['spend', '--to', ACCOUNT], { MDW_SECRET_KEY: '66'.repeat(32) });
      expect([poor.status, poor.stderr.includes('has no coins to pay with')]).to.deep.equal([1, true]);
      for (const [args, message] of [
        [['spend', '--to', 'nobody'], '--to: neither identifier nor name: nobody'],
        [['spend', '--to', OTHER, '--amount', 'x'], '--amount: not a number of aettos: x'],
        [['name', 'foobar'], 'foobar is not a valid name: no registrar'],
        [['name', 'foobar.test', '--transfer-to', 'bob'], '--transfer-to: not an account (ak_…): bob'],
      ] as const) {
        const outcome = await flow([...args]);
        expect([outcome.status, outcome.stderr.split('\n')[0]]).to.deep.equal([2, `mdw: ${message}`]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
