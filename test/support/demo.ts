import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMdw } from './mdw.js';
import type { RunningMdw } from './mdw.js';

const ANY_PORT = '127.0.0.1:0';

/** What starts a demo on free ports. */
export const ON_ANY_PORT = {
  args: ['--node-address', ANY_PORT, '--internal-address', ANY_PORT, '--rosetta-address', ANY_PORT],
  env: {
    HTTP_ADDRESS: ANY_PORT,
    METRICS_ADDRESS: ANY_PORT,
    WEBSOCKET_ADDRESS: ANY_PORT,
    COMPAT_ADDRESS: ANY_PORT,
    POLL_INTERVAL_MS: '100',
    // With it grows the time after which a process that is still ending is ended by force, and a busy machine ends a demo slowly.
    WEBSOCKET_DRAIN_MS: '600000',
  },
};

export interface RunningDemo extends RunningMdw {
  /** Address of the middleware, once the demo has printed it. */
  base(): Promise<string>;
  /** Sends a GET to the middleware. */
  get(path: string): Promise<Response>;
}

export interface DemoFolder {
  path: string;
  /** Starts `mdw demo` in the folder, on free ports. */
  start(env?: Record<string, string>): RunningDemo;
  /** Kills running processes. */
  stop(): Promise<void>;
  remove(): void;
}

export function demoFolder(): DemoFolder {
  const path = mkdtempSync(join(tmpdir(), 'mdw-demo-'));
  // If the tests run as root, the user of the database must be able to enter the folder.
  chmodSync(path, 0o755);
  const started: RunningMdw[] = [];
  return {
    path,
    start(env = {}) {
      const running = startMdw(['demo', ...ON_ANY_PORT.args], { ...ON_ANY_PORT.env, ...env }, path);
      started.push(running);
      let printed: Promise<RegExpExecArray> | undefined;
      const base = async (): Promise<string> => (await (printed ??= running.saw(/^Middleware +(http:\S+)\n/m)))[1]!;
      return { ...running, base, get: async (asked) => fetch(`${await base()}${asked}`) };
    },
    async stop() {
      for (const { process, ended } of started.splice(0)) {
        process.kill('SIGKILL');
        await ended;
      }
    },
    // The database server ends a moment after the demo.
    remove: () => rmSync(path, { recursive: true, maxRetries: 20, retryDelay: 250 }),
  };
}
