import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  watch,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { OF_SYSTEM, buildOnce, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy } from '../support/roles.js';

const BIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'bin', 'mdw.js');

/** Ports on which a process waits for connections. */
function listening(pid: number): number[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return 'was closed meanwhile';
    }
  });
  const LISTEN = '0A';
  return ['tcp', 'tcp6'].flatMap((protocol) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTEN && sockets.includes(`socket:[${inode}]`))
      .map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16)),
  );
}

/** `open`, or why a connection to this port of this machine fails. */
const connecting = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve('open'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    socket.once('connect', () => socket.destroy());
  });

describe('a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-signals-'));
  let database: TestDatabase;
  let node: FakeNode;
  let env: Record<string, string>;
  const started: ChildProcess[] = [];

  before(async () => {
    buildOnce();
    database = await testDatabase();
    await migrateCopy(database.url);
    node = await fakeNode((_, res) => void res.writeHead(404).end());
    env = {
      NODE_URL: node.url,
      DATABASE_URL: asRole(database.url, 'serve'),
      HTTP_ADDRESS: '127.0.0.1:0',
      METRICS_ADDRESS: '127.0.0.1:0',
      WEBSOCKET_ADDRESS: '127.0.0.1:0',
    };
  });
  after(async () => {
    await node.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

  async function serve(more: Record<string, string> = {}): Promise<RunningMdw & { alive: () => Promise<number> }> {
    const running = startMdw(['-s'], { ...env, ...more });
    started.push(running.process);
    const [, port] = await running.saw(/"metrics":\{[^}]*"port":(\d+)/);
    return { ...running, alive: async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status };
  }

  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    it(`without a terminal goes on after ${signal}, opens no debugger, and still drains on SIGTERM`, async () => {
      const running = await serve();

      running.process.kill(signal);
      if (signal === 'SIGHUP') await running.saw(/SIGHUP changes nothing/);
      expect(await running.alive()).to.equal(200);
      running.process.kill('SIGTERM');

      const { status, stderr } = await running.ended;
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
  }

  it('and its workers open no port for a debugger after SIGUSR1, where another program opens it', async () => {
    const port = await freePort();
    const NODE_OPTIONS = `--inspect-port=${port}`;
    const other = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1000)'], {
      env: { ...OF_SYSTEM, NODE_OPTIONS },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(other);
    await once(other.stdout, 'data');
    other.kill('SIGUSR1');
    await once(other.stderr, 'data');
    expect(await connecting(port)).to.equal('open');
    other.kill('SIGKILL');
    await once(other, 'exit');

    const running = startMdw(['-s', '--workers=2'], { ...env, NODE_OPTIONS });
    started.push(running.process);
    // Both workers and the process that started them: one that still starts has no handler yet.
    await running.saw(/("msg":"Listening"[^]*){3}/);
    const pid = running.process.pid!;
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    expect(workers).to.have.length(2);
    for (const one of [pid, ...workers]) {
      process.kill(one, 'SIGUSR1');
      // Its answer to a later signal shows that it got this one.
      process.kill(one, 'SIGHUP');
    }
    await running.saw(/(SIGHUP changes nothing[^]*){3}/);
    for (const one of [pid, ...workers]) {
      for (const listened of listening(one)) expect(listened).not.to.be.within(port, port + 3);
    }
    running.process.kill('SIGTERM');

    const { status, stderr } = await running.ended;
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('goes on when the reader of its output is gone', async () => {
    const { process: child, alive } = await serve();

    child.stdout!.destroy();
    child.stderr!.destroy();
    // It writes a line about this.
    child.kill('SIGHUP');
    for (let i = 0; i < 3; i++) expect(await alive()).to.equal(200);
    child.kill('SIGTERM');

    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('goes on while its output cannot be written, as on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [BIN, '-s'], {
      // It reports that it is ready, as to the process that has started it in the background.
      env: { ...OF_SYSTEM, ...env, MDW_DETACHED: '1' },
      stdio: ['ignore', full, full, 'ipc'],
    });
    started.push(child);

    expect(await once(child, 'message')).to.deep.include({ ready: true });
    child.kill('SIGTERM');

    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('drains when its terminal is closed', async () => {
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const log = join(logs, 'mdw.log');
    /** Resolves when the log contains the text. */
    const logged = (text: string) =>
      new Promise<void>((resolve) => {
        const watcher = watch(logs, () => {
          if (!existsSync(log) || !readFileSync(log, 'utf8').includes(text)) return;
          watcher.close();
          resolve();
        });
      });
    const listening = logged('"msg":"Listening"');
    const terminal = spawn('script', ['-qec', `exec ${process.execPath} ${BIN} -s`, '/dev/null'], {
      env: { ...OF_SYSTEM, ...env, TERM: 'xterm', LOG_DIR: logs },
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    started.push(terminal);
    // The program holds this pipe until it ends.
    const held = terminal.stdio[3] as Readable;
    const ended = once(held.resume(), 'close');
    await listening;

    const stopping = logged('"reason":"SIGHUP","msg":"Stopping"');
    terminal.kill('SIGKILL');

    await Promise.all([stopping, ended]);
  });
});
