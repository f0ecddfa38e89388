/** For `mocha --parallel`: one PostgreSQL for the files of all workers, from before the first to after the last. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARED_SERVER, startServer, stopServer } from './postgres.js';
import { SECONDS_FILE, slowest } from './seconds.js';
import { SHARE_TEXT } from './share.js';

const count = Number(process.env['SLOWEST'] ?? 0);
let folder: string | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  process.stdout.write(`${SHARE_TEXT}\n`);
  if (count > 0) {
    folder = mkdtempSync(join(tmpdir(), 'mdw-seconds-'));
    process.env[SECONDS_FILE] = join(folder, 'seconds');
  }
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'mdw-test-compile-cache');
  process.env[SHARED_SERVER] = await startServer();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServer();
  if (folder === undefined) return;
  process.stdout.write(slowest(join(folder, 'seconds'), count));
  rmSync(folder, { recursive: true });
}
