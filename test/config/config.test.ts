import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeConfig, readConfig, readEnvironment } from '../../src/config.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { masked } from '../support/secrets.js';

const needed = { NODE_URL: 'http://node:3013', DATABASE_URL: 'postgres://mdw:secret@db/mdw' };

function faultsOf(env: Record<string, string>, roles: Parameters<typeof readConfig>[1] = ['serve']): string {
  try {
    readConfig(env, roles);
  } catch (fault) {
    expect(fault).to.be.instanceOf(MiddlewareError).with.property('code', 'invalid_config');
    return (fault as Error).message;
  }
  throw new Error('The settings were accepted');
}

/** What a process prints about its settings. */
function shownOf(env: Record<string, string>): string {
  try {
    return JSON.stringify(describeConfig(readConfig(env, ['serve'])));
  } catch (fault) {
    return (fault as Error).message;
  }
}

describe('the settings', () => {
  it('have the documented defaults', () => {
    const config = readConfig(needed, ['populate', 'serve']);

    expect(config).to.include({
      databaseSchema: 'mdw',
      statusMaxBlockAge: 900,
      statusMaxQueueLength: 2,
      explorer: 'on',
      strictParameters: 'off',
      limitCap: 10000,
    });
    expect(config.websocketAddress).to.deep.equal({ host: '0.0.0.0', port: 3020 });
    expect(config.httpAddress).to.deep.equal({ host: '0.0.0.0', port: 8080 });
    // Without a login, so for this machine alone.
    expect(config.metricsAddress).to.deep.equal({ host: '127.0.0.1', port: 9090 });
    expect(config.compilerUrls).to.equal(undefined);
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('accept several node addresses, without a scheme and with a slash at the end', () => {
    const { nodeUrls } = readConfig({ ...needed, NODE_URL: 'node:3013, https://other/base/ ,10.0.0.1:3013/' }, [
      'serve',
    ]);

    expect(nodeUrls).to.deep.equal(['http://node:3013', 'https://other/base', 'http://10.0.0.1:3013']);
  });

  it('accept a second opinion only with a second node', () => {
    const two = 'http://node:3013,http://other:3013';
    const config = (share: string, nodes = two) =>
      readConfig({ ...needed, NODE_URL: nodes, SECOND_OPINION_SHARE: share }, ['populate']);

    expect(readConfig(needed, ['populate']).secondOpinionShare).to.equal(0);
    expect(['0', '0.01', '1', '1.0', '0.5'].map((share) => config(share).secondOpinionShare)).to.deep.equal([
      ...[0, 0.01, 1, 1, 0.5],
    ]);
    for (const share of ['1.1', '-0.1', '1e-2', '50', '.5', 'many', '0,01']) {
      expect(faultsOf({ ...needed, NODE_URL: two, SECOND_OPINION_SHARE: share }), share).to.include(
        `SECOND_OPINION_SHARE="${share}" is not a number from 0 to 1, for example 0.01`,
      );
    }
    for (const one of ['http://node:3013', 'http://node:3013,http://node:3013/']) {
      expect(faultsOf({ ...needed, NODE_URL: one, SECOND_OPINION_SHARE: '0.01' }, ['populate']), one).to.include(
        'SECOND_OPINION_SHARE=0.01 needs a second node: add its address to NODE_URL, or set it to 0',
      );
      expect(config('0', one).secondOpinionShare).to.equal(0);
      // The servers of the same resource have the same settings.
      expect(readConfig({ ...needed, NODE_URL: one, SECOND_OPINION_SHARE: '1' }, ['serve']).nodeUrls).to.be.an('array');
    }
  });

  for (const slip of [
    ...[
      '/usr/bin/node',
      'http:///usr/bin/node',
      'http:/node:3013',
      'http:\\\\node:3013',
      'http://\\\\node',
      '//node:3013',
    ],
    ...[
      'http://',
      'http://:3013',
      'http://node:',
      'http://node:99999',
      'http://node/a b',
      'http://a http://b',
      'http://a;http://b',
    ],
    ...[
      'http://node?x',
      'http://node/?',
      'http://node/#x',
      'ftp://node',
      'http://user:secret@',
      'http://user:100%@node',
      ',',
    ],
  ]) {
    it(`refuse ${masked(slip)} as the address of a node`, () => {
      expect(faultsOf({ ...needed, NODE_URL: slip }))
        .to.contain('NODE_URL="')
        .and.to.contain('is not http(s) URLs separated by commas, for example http://node:3013');
    });
  }

  it('accept addresses of nodes with login, path, IPv6 and capitals', () => {
    const list = ['http://user:secret@node:3013/a/b', 'http://[::1]:3013', 'HTTPS://Node.example', 'http://node/a:b@c'];
    expect(readConfig({ ...needed, NODE_URL: list.join() }, ['serve']).nodeUrls).to.deep.equal(list);
  });

  it('use AESOPHIA_URL if COMPILER_URL is not set', () => {
    expect(readConfig({ ...needed, AESOPHIA_URL: 'c:3080' }, ['serve']).compilerUrls).to.deep.equal(['http://c:3080']);
    expect(
      readConfig({ ...needed, AESOPHIA_URL: 'c:3080', COMPILER_URL: 'd:1' }, ['serve']).compilerUrls,
    ).to.deep.equal(['http://d:1']);
  });

  it('are required only by the roles that use them', () => {
    expect(readConfig({ DATABASE_URL: needed.DATABASE_URL }, ['migrate']).nodeUrls).to.deep.equal([]);
    expect(faultsOf({ DATABASE_URL: needed.DATABASE_URL }, ['serve'])).to.contain('NODE_URL is not set');
    expect(faultsOf({}, ['populate']))
      .to.contain('NODE_URL is not set')
      .and.contain('DATABASE_URL is not set');
  });

  it('report all faults in one message, with variable, value and what is allowed', () => {
    const message = faultsOf({
      ...needed,
      NODE_API: 'v4',
      DATABASE_SCHEMA: 'Mdw',
      STATUS_MAX_BLOCK_AGE: '15m',
      HTTP_ADDRESS: '8080',
      WEBSOCKET_ADDRESS: '0.0.0.0:99999',
      COMPILER_URL: 'ftp://x',
    });

    expect(message).to.contain('NODE_API="v4" is not one of auto, v2, v3');
    expect(message).to.contain('DATABASE_SCHEMA="Mdw"');
    expect(message).to.contain('STATUS_MAX_BLOCK_AGE="15m" is not an integer from 1 to');
    expect(message).to.contain('HTTP_ADDRESS="8080" is not host:port');
    expect(message).to.contain('WEBSOCKET_ADDRESS="0.0.0.0:99999"');
    expect(message).to.contain('COMPILER_URL="ftp://x"');
  });

  for (const schema of ['public', 'pg_catalog', 'pg_temp', 'information_schema']) {
    it(`refuse the schema ${schema}, which is not for a copy alone`, () => {
      expect(faultsOf({ ...needed, DATABASE_SCHEMA: schema })).to.contain(
        `DATABASE_SCHEMA="${schema}" is not a schema of its own: neither public nor information_schema`,
      );
    });
  }

  it('have several Rosetta interfaces, separated by commas', () => {
    const read = (text?: string) =>
      readConfig({ ...needed, ...(text && { ROSETTA_URL: text }) }, ['populate']).rosettaUrls;
    expect([read(), read('http://a:3213'), read('http://a:3213, b:3214')]).to.deep.equal([
      ...[undefined, ['http://a:3213']],
      ['http://a:3213', 'http://b:3214'],
    ]);
    expect(faultsOf({ ...needed, ROSETTA_URL: 'http://a:3213,ftp://me:hush@b' }))
      .to.contain('ROSETTA_URL')
      .and.not.contain('hush');
  });

  for (const text of ['1e3', '0x10', '-1', '1.5', ' ', '99999999999999999999']) {
    it(`refuse ${JSON.stringify(text)} as a number`, () => {
      const env = { ...needed, STATUS_MAX_QUEUE_LENGTH: text };
      if (text.trim() === '') expect(readConfig(env, ['serve']).statusMaxQueueLength).to.equal(2);
      else expect(faultsOf(env)).to.contain('STATUS_MAX_QUEUE_LENGTH');
    });
  }

  it('never show a password', () => {
    for (const url of [
      ...['mysql://me:hush@db/x', 'me:hush', 'postgres:/me:hush@db', 'pg://me:hu@hush@db/x?password=hush'],
      ...['postgres://me:hush', 'postgres://me:hush/x', 'postgres://me:hush:5432/x', 'postgres://me:hush%40db/x'],
      ...['pg://db/x:hush', 'pg://db:5432hush', 'pg://[::1]:hush/x', 'pg://db/x#hush', 'pg://me:p@db:hush/x'],
      ...['"postgres://me:hush@db/x"', ' postgres:// me:hush@db/x', 'postgres://me:pass\nhush', 'pg://db\\hush'],
    ]) {
      expect(shownOf({ ...needed, DATABASE_URL: url }))
        .to.contain('DATABASE_URL')
        .and.not.contain('hush');
      expect(shownOf({ ...needed, DATABASE_REPLICA_URLS: `postgres://db2,${url}` }))
        .to.contain('DATABASE_REPLICA_URLS')
        .and.not.contain('hush');
    }
    for (const url of [
      'http://me:hush',
      'http://me:hush/x',
      'https://me:hu,hush',
      'http://[::1]:hush',
      'ftp://me:hush',
    ]) {
      expect(faultsOf({ ...needed, NODE_URL: `http://a:3013,${url}` }))
        .to.contain('NODE_URL="http://a:3013,')
        .and.not.contain('hush');
    }
    expect(faultsOf({ ...needed, NODE_URL: 'a:3013,ftp://me:hush@b' }))
      .to.contain('a:3013')
      .and.not.contain('hush');
    for (const login of ['me:hush/x', 'me:hush,x', 'me:hush x', 'me:hush@x', 'me:x/hush/x']) {
      expect(faultsOf({ ...needed, NODE_URL: `http://a:3013/,http://${login}@:b` }))
        .to.contain('NODE_URL="http://a:3013/,http://')
        .and.not.contain('hush');
      expect(faultsOf({ ...needed, NODE_URL: `${login}@:b` }))
        .to.contain('@:b')
        .and.not.contain('hush');
    }
    expect(JSON.stringify(describeConfig(readConfig(needed, ['serve']))))
      .to.contain('mdw:***@db')
      .and.not.contain('secret');
  });
});

describe('a depth', () => {
  const read = (text: string): unknown =>
    readConfig({ DATABASE_URL: 'postgres://a@b/c', NODE_URL: 'http://node', MAX_UNPROVEN_REORG: text }, ['populate'])
      .maxUnprovenReorg;

  it('is a number of key blocks or a time', () => {
    expect(read('0')).to.deep.equal({ blocks: 0 });
    expect(read('6000')).to.deep.equal({ blocks: 6000 });
    expect(read('90s')).to.deep.equal({ ms: 90_000 });
    expect(read('30m')).to.deep.equal({ ms: 1_800_000 });
    expect(read('5h')).to.deep.equal({ ms: 18_000_000 });
    expect(read('1d')).to.deep.equal({ ms: 86_400_000 });
  });

  it('is refused in any other form', () => {
    for (const text of ['-1', '1.5', '5 h', 'h', '1w', '1e3', '1h30m', '9999999999'])
      expect(() => read(text), text).to.throw(/MAX_UNPROVEN_REORG.*such as 90s, 30m, 5h or 1d/);
  });
});

describe('the depth of caches', () => {
  const read = (text: string): unknown =>
    readConfig({ DATABASE_URL: 'postgres://a@b/c', NODE_URL: 'http://node', CACHE_DEPTH: text }, ['serve']).cacheDepth;

  it('is a number of key blocks or a time, and more than none', () => {
    expect(read('480')).to.deep.equal({ blocks: 480 });
    expect(read('1d')).to.deep.equal({ ms: 86_400_000 });
    for (const none of ['0', '0s']) expect(() => read(none), none).to.throw(/CACHE_DEPTH/);
  });
});

describe('the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-config-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is completed by .env, but real variables win', () => {
    writeFileSync(join(folder, '.env'), 'NODE_URL=http://fromfile:1\nLOG_LEVEL="debug" # comment\n');

    const env = readEnvironment({ NODE_URL: 'http://real:2' }, folder);

    expect(env).to.include({ NODE_URL: 'http://real:2', LOG_LEVEL: 'debug' });
  });

  for (const [what, text] of Object.entries({
    'a byte order mark': '\uFEFFNODE_URL=http://n:1\nLOG_LEVEL=debug\n',
    'line ends of Windows': 'NODE_URL=http://n:1\r\n\r\n# more\r\nLOG_LEVEL=debug\r\n',
    'both, quotes and comments': '\uFEFFNODE_URL="http://n:1" # one\r\nLOG_LEVEL=\'debug\'\r\n',
    'spaces around =': '  NODE_URL = http://n:1 \r\nLOG_LEVEL= debug\r\n',
    export: 'export NODE_URL=http://n:1\nexport LOG_LEVEL="debug"\n',
  }))
    it(`is read from a .env with ${what}`, () => {
      writeFileSync(join(folder, '.env'), text);
      expect(readEnvironment({}, folder)).to.deep.equal({ NODE_URL: 'http://n:1', LOG_LEVEL: 'debug' });
    });

  it('is not read from a .env in UTF-16, which must be saved as UTF-8', () => {
    for (const text of ['\uFEFFNODE_URL=http://n:1', 'NODE_URL=http://n:1']) {
      writeFileSync(join(folder, '.env'), text, 'utf16le');
      expect(() => readEnvironment({}, folder)).to.throw(/\.env is not text in UTF-8: save it in UTF-8/);
    }
    rmSync(join(folder, '.env'));
  });

  it('has names of files without the spaces and line ends of Windows around them', () => {
    const file = join(folder, 'windows');
    writeFileSync(file, '\uFEFFpostgres://u:p@h/d\r\n');
    expect(readEnvironment({ DATABASE_URL_FILE: ` ${file}\r` }, folder).DATABASE_URL).to.equal('postgres://u:p@h/d');
    const gone = () => readEnvironment({ DATABASE_CA_FILE: `${file}\r` }, folder);
    expect(gone).to.throw(/contains no certificates/);
  });

  it('reads a secret from the file that the _FILE variable names', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'postgres://u:p@h/d\n');

    expect(readEnvironment({ DATABASE_URL_FILE: file }, folder).DATABASE_URL).to.equal('postgres://u:p@h/d');
    expect(() => readEnvironment({ DATABASE_URL_FILE: `${file}.gone` }, folder)).to.throw(
      /DATABASE_URL_FILE=.*cannot be read/,
    );
  });

  it('shows no password of a URL that is given in place of a file', () => {
    for (const variable of ['DATABASE_URL_FILE', 'DATABASE_CA_FILE', 'NODE_CA_FILE'])
      for (const url of ['postgres://me:hush@db/x', 'postgres://me:hush', 'me:hush@db'])
        expect(() => readEnvironment({ [variable]: url }, folder))
          .to.throw(`${variable}=`)
          .with.property('message')
          .that.contains('cannot be read')
          .and.not.contains('hush');
  });
});
