import { startMdw } from './mdw.js';
import type { RunningMdw } from './mdw.js';

export interface Supervised {
  /** Ends the current process with a signal, and resolves when it has ended. A new one is started. */
  kill(signal: NodeJS.Signals): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs `mdw` and restarts it whenever it ends, as an orchestrator does. */
export function supervised(args: string[], env: Record<string, string>): Supervised {
  let running: RunningMdw;
  let closing = false;
  const loop = (async () => {
    while (!closing) {
      running = startMdw(args, env);
      await running.ended;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    kill(signal) {
      running.process.kill(signal);
      return running.ended;
    },
    async close() {
      closing = true;
      running.process.kill('SIGKILL');
      await loop;
    },
  };
}
