import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { serverUser } from '../../devtools/local-postgres/binaries.js';

export interface PgBouncer {
  /** URL of the same database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** Debian installs it in a folder that is only in the PATH of administrators. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Why PgBouncer cannot be used, for `describeWith`. */
export const missingPgBouncer: string | false =
  spawnSync('pgbouncer', ['--version'], { env }).status !== 0 && 'pgbouncer is not installed';

/** A real PgBouncer in front of the server of `url`, configured as its manual describes for clients that send `options`. */
export async function startPgBouncer(
  url: string,
  mode: 'session' | 'transaction' | 'statement',
  settings: Record<string, string> = {},
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'mdw-pgbouncer-'));
  const port = await freePort();
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
    ignore_startup_parameters: 'extra_float_digits,options',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const files = { ini: join(folder, 'pgbouncer.ini'), users: join(folder, 'users') };
  writeFileSync(files.ini, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`);
  writeFileSync(files.users, `"${username}" "${password}"\n`);
  // Like PostgreSQL it does not run as root.
  const user = serverUser();
  if (user !== undefined) for (const path of [folder, ...Object.values(files)]) chownSync(path, user.uid, user.gid);

  const child = spawn('pgbouncer', [files.ini], { ...user, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`pgbouncer did not start: ${log}`)));
  });
  const through = new URL(url);
  through.port = String(port);
  return {
    url: through.href,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
