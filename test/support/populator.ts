import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { OF_SYSTEM } from './mdw.js';
import { watchForSecrets } from './secrets.js';
import { GIVE_UP_MS } from './patience.js';

export interface Populator {
  process: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Resolves when it prints a line that contains the text. */
  says(text: string): Promise<void>;
  /** Ends it with a signal and waits until it has ended. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The built program with `mdw -p`. */
export function startPopulator(env: Record<string, string>, args: string[] = ['-p']): Populator {
  const child = spawn(process.execPath, ['bin/mdw.js', ...args], {
    env: { ...OF_SYSTEM, METRICS_ADDRESS: '127.0.0.1:0', POLL_INTERVAL_MS: '50', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watchForSecrets(child, env);
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const look of waiting) look();
    });
  }
  const exited = once(child, 'exit');
  return {
    process: child,
    output: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        exited.then(() => reject(new Error(`ended without saying "${text}":\n${output}`)), reject);
      }),
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

/** Repeats a request until the answer is the expected one. If that takes too long, fails with the last answer. */
export async function eventually<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(answer)} after ${GIVE_UP_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
