import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmodSync, constants, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asYaml, customResourceDefinition } from '../../src/operator/schema/crd.js';
import { buildOnce, mdw } from '../support/mdw.js';
import type { Outcome } from '../support/mdw.js';
import { skipFor } from '../support/skip.js';

describe('mdw', () => {
  for (const flag of ['-V', '--version', '-psV']) {
    it(`reports name and version for ${flag}`, async () => {
      expect(await mdw([flag])).to.deep.equal({ status: 0, stdout: 'chain-middleware 1.0.0\n', stderr: '' });
    });
  }

  it('reports the version before it loads anything else, so that it is fast', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-version-'));
    const root = fileURLToPath(new URL('../../', import.meta.url));
    mkdirSync(join(folder, 'bin'));
    for (const file of ['bin/mdw.js', 'package.json']) copyFileSync(join(root, file), join(folder, file));
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'bin', 'mdw.js'), '--version']);
    rmSync(folder, { recursive: true });

    expect(stdout).to.equal('chain-middleware 1.0.0\n');
  });

  it('prints all of a long result into a pipe, which takes 64 KiB at a time', async () => {
    buildOnce();
    const program = fileURLToPath(new URL('../../bin/mdw.js', import.meta.url));
    // The pipe of a shell: those of Node.js are sockets with a larger buffer.
    const { stdout } = await promisify(execFile)('sh', ['-c', '"$0" "$1" crd | cat', process.execPath, program], {
      maxBuffer: 16 << 20,
    });
    expect(stdout).to.equal(asYaml(customResourceDefinition()));
  });

  describe('as a user without an entry in the system, as on OpenShift', () => {
    const program = fileURLToPath(new URL('../../bin/mdw.js', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'mdw-node-'));
    const node = join(folder, 'node');
    const home = join(folder, 'home');
    const place = join(folder, 'place');

    before(function () {
      if (process.getuid?.() !== 0) skipFor('only root becomes another user', this);
      buildOnce();
      // Node.js itself may be in a folder that only its owner can read.
      chmodSync(folder, 0o755);
      copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
      mkdirSync(home, { mode: 0o700 });
      mkdirSync(place);
      chmodSync(place, 0o777);
    });
    after(() => rmSync(folder, { recursive: true }));

    const run = (args: string[], env: Record<string, string>, gid: number): Promise<Outcome> =>
      new Promise((resolve) => {
        const options = { uid: 1_000_650_000, gid, cwd: place, env: { PATH: process.env.PATH, ...env } };
        const child = execFile(node, [program, ...args], options, (_, stdout, stderr) =>
          resolve({ status: child.exitCode, stdout, stderr }),
        );
      });

    for (const [what, env] of Object.entries({
      'with HOME=/': { HOME: '/' },
      'without HOME': {},
      'with an empty HOME': { HOME: '' },
      'with a HOME that it cannot read': { HOME: home },
      'with a HOME that does not exist': { HOME: '/nonexistent' },
    } as Record<string, Record<string, string>>))
      it(`runs ${what}`, async () => {
        const { stdout, stderr } = await run(['crd', '--sample'], env, 1_000_650_000);
        expect(stderr).to.equal('');
        expect(stdout).to.contain('kind: Middleware');
      });

    const away = { DATABASE_URL: 'postgres://u@127.0.0.1:1/d', NODE_URL: 'http://127.0.0.1:1' };
    const metrics = { METRICS_ADDRESS: '127.0.0.1:0' };
    for (const [args, status, message] of [
      [['-s', '--no-wait'], 75, /ECONNREFUSED/],
      [['-p', '--no-wait'], 75, /ECONNREFUSED/],
      [['doctor'], 1, /ECONNREFUSED/],
      [['operator'], 78, /No cluster/],
      [['status', 'mainnet'], 78, /No cluster/],
      // PostgreSQL does not run without one.
      [['demo'], 1, /initdb failed: .*user ID 1000650000/],
    ] as const) {
      it(`has no other faults in ${args.join(' ')} than another user, without a home and in group 0`, async () => {
        const outcome = await run([...args], args[0] === 'demo' ? {} : { ...away, ...metrics }, 0);
        expect(outcome.stdout + outcome.stderr).to.match(message);
        expect(outcome.status).to.equal(status);
      });
    }
  });

  it('lists flags, commands, settings and exit statuses', async () => {
    const { status, stdout } = await mdw(['--help']);

    expect(status).to.equal(0);
    for (const word of ['--populate', '--heights', 'doctor', 'NODE_URL', 'STATUS_MAX_BLOCK_AGE', '78']) {
      expect(stdout).to.contain(word);
    }
  });

  it('refuses a type of Services that there is not, before it asks for a cluster', async () => {
    const { status, stderr } = await mdw(['operator', '--allowed-service-types', 'ClusterIP,Balancer']);

    expect(status).to.equal(2);
    expect(stderr).to.contain('--allowed-service-types Balancer is not one of ClusterIP, NodePort, LoadBalancer');
  });

  it('warns when there is nothing to do, and ends well', async () => {
    for (const args of [[], ['-w'], ['-d']]) {
      const { status, stdout, stderr } = await mdw(args);
      expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
      expect(stderr).to.contain('nothing to do');
    }
  });

  for (const [args, word] of [
    [['-x'], '-x'],
    [['--poplate'], '--poplate'],
    [['-H', '1,b'], '"b"'],
    [['-H1-'], '"1-"'],
    [['--heights=4-3'], 'backwards'],
    [['-pH'], 'expects a value'],
    [['-v', '3-x'], '"3-x"'],
    [['-p', '1,3'], 'Unexpected argument'],
    [['-p', '--json'], '--json goes with -v'],
    [['frobnicate'], 'frobnicate'],
    [['migrate', '--now'], '--now'],
  ] as [string[], string][]) {
    it(`refuses ${args.join(' ')} with status 2 and no stack trace`, async () => {
      const { status, stdout, stderr } = await mdw(args, { NODE_URL: 'x', DATABASE_URL: 'postgres://x/x' });

      expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr)
        .to.contain(word)
        .and.not.match(/\n\s+at /);
    });
  }

  it('lists all wrong settings at once, with status 78', async () => {
    const { status, stderr } = await mdw(['-ps'], { DATABASE_URL: 'mysql://u:hush@h/d', STATUS_MAX_BLOCK_AGE: 'old' });

    expect(status).to.equal(78);
    expect(stderr)
      .to.contain('NODE_URL is not set')
      .and.contain('DATABASE_URL=')
      .and.contain('STATUS_MAX_BLOCK_AGE="old"');
    expect(stderr).not.to.contain('hush');
  });

  it('says in one line that a node or a database cannot be reached, with status 75', async () => {
    const env = { NODE_URL: '127.0.0.1:1', DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', LOG_LEVEL: 'silent' };
    for (const args of [['-p'], ['-s'], ['-v'], ['-H1'], ['migrate']]) {
      const { status, stderr } = await mdw([...args, '--no-wait'], env);
      expect(status).to.equal(75);
      expect(stderr).to.match(/^mdw: database: .*ECONNREFUSED.*\n$/);
    }
  });

  it('shows no password of an address that a flow is given', async () => {
    const key = { MDW_SECRET_KEY: '66'.repeat(32) };
    for (const node of ['http://me:hush-hush@127.0.0.1:1', 'http://me:hush-hush', 'ftp://me:hush-hush@a']) {
      const { status, stderr } = await mdw(['flow', 'spend', '--to', 'a.chain', '--node', node], key);
      expect(status).to.be.oneOf([1, 2, 75]);
      expect(stderr)
        .to.match(/^mdw: (no answer from http:|--node: not an address)/)
        .and.not.contain('hush');
    }
  });

  it('says that the folder for logs cannot be written, with status 78', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-usage-'));
    writeFileSync(join(folder, 'file'), '');
    const env = { NODE_URL: 'n:1', DATABASE_URL: 'postgres://h/d', LOG_DIR: join(folder, 'file', 'logs') };

    for (const args of [['-s'], ['-ds']]) {
      const { status, stderr } = await mdw(args, env);
      expect(status).to.equal(78);
      expect(stderr).to.match(/^mdw: LOG_DIR=.* cannot be written: .*\n$/);
    }
    rmSync(folder, { recursive: true });
  });
});
