import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface LoadFigures {
  /** Answers, all of status 200. */
  count: number;
  /** A second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface LoadMaker {
  /** What `fire` asks for under a name, each in turn. */
  prepare(name: string, paths: readonly string[]): void;
  /** Asks for `ms`, going on where the last time of that name ended. */
  fire(name: string, port: number, connections: number, ms: number): Promise<LoadFigures>;
  kill(): boolean;
}

/** Starts the process of `load-maker.mjs`. */
export function startLoadMaker(): LoadMaker {
  const child: ChildProcess = fork('bench/load-maker.mjs', { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('The load maker ended')));
  gone.catch(() => undefined);
  return {
    prepare: (name, paths) => void child.send({ name, paths }),
    async fire(name, port, connections, ms) {
      child.send({ fire: { name, port, connections, ms } });
      const [figures] = (await Promise.race([once(child, 'message'), gone])) as [LoadFigures];
      return figures;
    },
    kill: () => child.kill(),
  };
}
