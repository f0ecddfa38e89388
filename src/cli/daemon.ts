import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { refuseHeldPidFile } from '../runtime/pid-file.js';

/** Set in the environment of the detached process. */
const MARK = 'MDW_DETACHED';

/** What the detached process reports to the process that started it, once. */
type Report = { ready: true } | { waiting: string } | { status: number; message: string };

/** For processes that a detached one starts. */
export const NOT_DETACHED = { [MARK]: '' };

export const isDetached = (): boolean => process.env[MARK] === '1' && process.send !== undefined;

/**
 * Starts this program again with the same arguments in a session of its own, without a terminal, and waits until it
 * reports that it is ready, what it waits for, or why it ends. Returns the exit status for this process.
 */
export async function detach(argv: readonly string[], config: Config): Promise<number> {
  if (config.pidFile !== undefined) refuseHeldPidFile(config.pidFile);
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...argv], {
    detached: true,
    env: { ...process.env, [MARK]: '1' },
    stdio: ['ignore', ...outputs(config.logDir), 'ipc'],
  });
  const pass = () => void child.kill('SIGTERM');
  process.once('SIGINT', pass).once('SIGTERM', pass);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('message', (report: Report) => {
      if ('message' in report) process.stderr.write(`mdw: ${report.message}\n`);
      if ('waiting' in report)
        process.stderr.write(`mdw: process ${child.pid} continues in the background, ${report.waiting}\n`);
      resolve('message' in report ? report.status : 0);
    });
  });
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (child.connected) child.disconnect();
  child.unref();
  return status;
}

/** Reports to the waiting process how the start went, and disconnects from it. */
export function report(how: Report): void {
  if (!isDetached() || !process.connected) return;
  process.send?.(how, () => {
    if (process.connected) process.disconnect();
  });
}

/** What the detached process prints besides its log, the reason of a crash for example, is kept with the log. */
function outputs(logDir: string | undefined): ('ignore' | number)[] {
  if (logDir === undefined) return ['ignore', 'ignore'];
  mkdirSync(logDir, { recursive: true });
  const file = openSync(join(logDir, 'mdw.out'), 'a');
  return [file, file];
}
