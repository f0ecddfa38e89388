import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { replayServer } from '../support/replay-server.js';
import { asRole, migrateCopy } from '../support/roles.js';

describe('mdw -d', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-daemon-'));
  const pidFile = join(folder, 'mdw.pid');
  let database: TestDatabase;
  let node: Awaited<ReturnType<typeof replayServer>>;
  let env: Record<string, string>;

  before(async () => {
    database = await testDatabase();
    await migrateCopy(database.url);
    node = await replayServer();
    env = {
      NODE_URL: node.url,
      DATABASE_URL: asRole(database.url, 'populate'),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
      PID_FILE: pidFile,
      LOG_DIR: join(folder, 'logs', 'deep'),
    };
  });

  after(async () => {
    await node.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** Resolves when the file no longer exists. */
  const gone = (file: string) =>
    new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        if (existsSync(file)) return;
        watcher.close();
        resolve();
      });
    });

  it('returns when the process is ready, with its own session, PID file and log; all end with SIGTERM', async () => {
    const { status, stderr } = await mdw(['-dps'], env);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });

    const pid = Number(readFileSync(pidFile, 'utf8'));
    const session = execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' });
    expect(Number(session)).to.equal(pid);
    expect(readFileSync(join(folder, 'logs', 'deep', 'mdw.log'), 'utf8')).to.contain('"msg":"Listening"');

    const again = await mdw(['-ds'], env);
    expect(again.status).to.equal(1);
    expect(again.stderr).to.equal(`mdw: Process ${pid} is running already (${pidFile})\n`);
    expect(Number(readFileSync(pidFile, 'utf8'))).to.equal(pid);

    const removed = gone(pidFile);
    process.kill(pid, 'SIGTERM');
    await removed;
  });

  it('replaces a stale PID file', async () => {
    writeFileSync(pidFile, '999999999\n');

    expect((await mdw(['-ds'], env)).status).to.equal(0);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(pid).not.to.equal(999999999);
    const removed = gone(pidFile);
    process.kill(pid, 'SIGTERM');
    await removed;
  });

  it('prints why the process could not start, and returns its status', async () => {
    const { status, stderr } = await mdw(['-dp', '--no-wait'], { ...env, NODE_URL: '127.0.0.1:1' });

    expect(status).to.equal(75);
    expect(stderr).to.match(/^mdw: node .*127\.0\.0\.1:1.*\n$/);
    expect(existsSync(pidFile)).to.equal(false);
  });
});
