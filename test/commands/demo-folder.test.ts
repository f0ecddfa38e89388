import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from '../support/demo.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { eventually } from '../support/populator.js';

describe('the data folder of mdw demo', () => {
  const folder = demoFolder();
  /** For a demo with its own node, which generates a chain of 7,000 transactions. */
  const whole = demoFolder();
  let elsewhere: Record<string, string>;

  before(async () => {
    const now = { startTime: Date.now() - 8 * 20_000, blockIntervalMs: 20_000 };
    elsewhere = { NODE_URL: (await generated(now)).externalUrl };
  });
  afterEach(async () => {
    await folder.stop();
    await whole.stop();
  });
  after(async () => {
    folder.remove();
    whole.remove();
    await closeDevnodes();
  });

  const postmasterFile = () => join(folder.path, '.data', 'postgres', 'data', 'postmaster.pid');
  const postmaster = () => Number(readFileSync(postmasterFile(), 'utf8').split('\n')[0]);

  function isThere(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  it('is used by one demo at a time: of two started at once one works, and a later one says where that one runs', async () => {
    const both = [folder.start(elsewhere), folder.start(elsewhere)];
    const refused = await Promise.race(both.map(async (demo) => ({ demo, outcome: await demo.ended })));
    const winner = both.find((demo) => demo !== refused.demo)!;
    const base = await winner.base();
    const server = postmaster();

    const late = await folder.start(elsewhere).ended;
    const status = await winner.get('/middleware/status');

    expect(refused.outcome.status).to.equal(1);
    expect(refused.outcome.stderr).to.match(/^mdw: A demo is already (starting|running) in this folder/);
    expect({ status: late.status, stdout: late.stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(late.stderr).to.contain(`process ${winner.process.pid}`).and.to.contain(base);
    expect(late.stderr.trim().split('\n')).to.have.lengthOf(1);
    expect(status.status).to.equal(200);
    expect(postmaster()).to.equal(server);
  });

  it('can be used again after kill -9, and the PostgreSQL of the killed demo is stopped', async () => {
    const first = folder.start(elsewhere);
    await first.base();
    const left = postmaster();
    const supervisor = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(left)], { encoding: 'utf8' }));
    // With its supervisor the server loses what would have stopped it.
    process.kill(supervisor, 'SIGKILL');
    first.process.kill('SIGKILL');
    await first.ended;
    process.kill(left, 0);

    const second = folder.start(elsewhere);
    const status = await second.get('/middleware/status');

    expect(status.status).to.equal(200);
    // A process that ended has an entry until its parent, or process 1, has read its status.
    await eventually(
      () => Promise.resolve(isThere(left)),
      (isThere) => !isThere,
    );
  });

  it('prints its addresses only when the chain of its node is loaded, whatever earlier demos reported', async () => {
    const before = whole.start();
    await before.base();
    before.process.kill('SIGKILL');
    await before.ended;

    const demo = whole.start();
    await demo.base();
    const [, height] = await demo.saw(/^Chain +height (\d+)/m);
    const { height: loaded } = (await (await demo.get('/readyz')).json()) as { height: number };

    expect(loaded).to.be.at.least(Number(height));
  });

  it('never stops a process that only has the process id of an earlier PostgreSQL', async () => {
    const first = folder.start(elsewhere);
    await first.base();
    const content = readFileSync(postmasterFile(), 'utf8');
    first.process.kill('SIGINT');
    await first.ended;
    const stranger = spawn('sleep', ['600']);
    const gone = once(stranger, 'exit');
    try {
      const stale = content.replace(/^\d+/, String(stranger.pid));
      writeFileSync(postmasterFile(), stale, { mode: 0o600 });

      const second = folder.start(elsewhere);
      const status = await second.get('/middleware/status');

      expect(status.status).to.equal(200);
      expect(stranger.exitCode ?? stranger.signalCode).to.equal(null);
    } finally {
      stranger.kill('SIGKILL');
      await gone;
    }
  });

  it('is named in the error if it cannot be used', async () => {
    const other = demoFolder();
    writeFileSync(join(other.path, '.data'), 'a file');
    const data = join(realpathSync(other.path), '.data');
    const { status, stdout, stderr } = await other.start(elsewhere).ended;
    other.remove();

    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.equal(
      `mdw: Cannot store the data in ${data} (EEXIST): it must be a folder that this user may write to\n`,
    );
  });

  it('can lose its PostgreSQL: the demo then ends and says why', async () => {
    const demo = folder.start(elsewhere);
    await demo.base();

    process.kill(postmaster(), 'SIGKILL');
    const { status, stderr } = await demo.ended;

    expect(status).to.equal(75);
    expect(stderr).to.match(/^mdw: PostgreSQL ended unexpectedly; its log is .*server\.log/);
    expect((await folder.start(elsewhere).get('/middleware/status')).status).to.equal(200);
  });
});
