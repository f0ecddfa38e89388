import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { openLogFile } from '../observe/log-file.js';
import { print } from '../observe/print.js';
import { refuseHeldPidFile } from '../runtime/pid-file.js';

/** Variable that is set to 1 in the environment of the detached process. */
const DETACHED = 'MDW_DETACHED';

/** What the detached process reports once to the process that started it. */
type Report = { ready: true } | { waiting: string } | { status: number; message: string };

/** Environment for processes that a detached process starts: they are not detached themselves. */
export const NOT_DETACHED = { [DETACHED]: '' };

export const isDetached = (): boolean => process.env[DETACHED] === '1' && process.send !== undefined;

/**
 * Starts this program again with the same arguments, in its own session and without a terminal. Waits until it reports that
 * it is ready, what it waits for, or why it ends. Returns the exit status for this process.
 */
export async function detach(argv: readonly string[], config: Config): Promise<number> {
  if (config.pidFile !== undefined) refuseHeldPidFile(config.pidFile);
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...argv], {
    detached: true,
    env: { ...process.env, [DETACHED]: '1' },
    stdio: ['ignore', ...outputs(config.logDir), 'ipc'],
  });
  const stopChild = () => void child.kill('SIGTERM');
  process.once('SIGINT', stopChild).once('SIGTERM', stopChild);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('message', (report: Report) => {
      if ('message' in report) print('stderr', `mdw: ${report.message}`);
      if ('waiting' in report)
        print('stderr', `mdw: process ${child.pid} continues in the background, ${report.waiting}`);
      resolve('message' in report ? report.status : 0);
    });
  });
  process.off('SIGINT', stopChild).off('SIGTERM', stopChild);
  if (child.connected) child.disconnect();
  child.unref();
  return status;
}

/** Reports the result of the start to the process that started this one, and disconnects from it. */
export function report(result: Report): void {
  if (!isDetached() || !process.connected) return;
  process.send?.(result, () => {
    if (process.connected) process.disconnect();
  });
}

/** Writes what the detached process prints besides its log, for example the reason of a crash, to a file next to the log. */
function outputs(logDir: string | undefined): ('ignore' | number)[] {
  if (logDir === undefined) return ['ignore', 'ignore'];
  const file = openLogFile(join(logDir, 'mdw.out'));
  return [file, file];
}
