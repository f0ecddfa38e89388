/** What `bench/http.ts` measures the service beside: processes that answer the same bytes by primary key, or forward as it does. */
import { execFileSync, fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { VARIANT } from './http-rows.js';
import type { Baseline, Row } from './http-rows.js';

/** What answers: the service as it is, an earlier build of it, or a baseline. */
export interface Target {
  port: number;
  process: ChildProcess;
}

export type Baselines = Map<Baseline, Target>;

const IN_NODE = ['pg', 'memory', 'proxy'] as const;

/** How those of other languages are built into a folder, and what is started then. */
const BUILT: Partial<Record<Baseline, (folder: string) => { tool: string; args: string[]; program: string }>> = {
  go: (folder) => ({
    tool: 'go',
    args: ['build', '-C', 'bench/baselines/go', '-o', join(folder, 'baseline-go'), '.'],
    program: join(folder, 'baseline-go'),
  }),
  rust: (folder) => ({
    tool: 'cargo',
    args: [
      'build',
      '--release',
      '--manifest-path',
      'bench/baselines/rust/Cargo.toml',
      '--target-dir',
      join(folder, 'rust'),
    ],
    program: join(folder, 'rust/release/baseline'),
  }),
};

/** Builds and starts those that the rows need. What cannot be built here is left out, and named in `missing`. */
export async function startBaselines(
  rows: readonly Row[],
  { url, nodeUrl, builds }: { url: string; nodeUrl: string; builds: string },
  onStart: (child: ChildProcess) => void,
): Promise<{ all: Baselines; missing: string[] }> {
  const all: Baselines = new Map();
  const missing: string[] = [];
  const needed = new Set(rows.flatMap(({ beside }) => Object.keys(beside) as Baseline[]));
  for (const which of IN_NODE) {
    if (!needed.has(which)) continue;
    const child = fork('bench/http-baseline.mjs', [which, url, nodeUrl], {
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    onStart(child);
    all.set(which, { port: await portOf(child), process: child });
  }
  for (const [which, plan] of Object.entries(BUILT) as [Baseline, (typeof BUILT)[Baseline] & {}][]) {
    if (!needed.has(which)) continue;
    const { tool, args, program } = plan(builds);
    try {
      console.log(`${tool} ${args.join(' ')}`);
      execFileSync(tool, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    } catch (error) {
      missing.push(which);
      console.error(
        `NO BASELINE ${which}: ${tool} could not build it (${(error as Error).message}). Its rows are left out.`,
      );
      continue;
    }
    const child = spawn(program, [url], { stdio: ['ignore', 'pipe', 'inherit'] });
    onStart(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    all.set(which, { port: Number(line.toString()), process: child });
  }
  return { all, missing };
}

/** The port that a process in Node.js sends when it listens. */
export async function portOf(child: ChildProcess): Promise<number> {
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

/** Stores what the service answers, by path, for the baselines to answer. */
export async function storePages(rows: readonly Row[], port: number, url: string): Promise<void> {
  await statements(url, 'CREATE TABLE IF NOT EXISTS baseline (path text PRIMARY KEY, body text NOT NULL)');
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows: known } = await client.query<{ path: string }>('SELECT path FROM baseline');
  const stored = new Set(known.map(({ path }) => path));
  const missing = new Map<string, string[]>();
  const asked = rows.filter(({ beside }) => beside['page 1'] === undefined).flatMap(({ paths }) => paths);
  for (const path of new Set(asked)) {
    const plain = path.replace(VARIANT, '');
    if (!stored.has(path)) missing.set(plain, [...(missing.get(plain) ?? []), path]);
  }
  const waiting = [...missing];
  while (waiting.length > 0) {
    const bodies = waiting.splice(0, 100).map(async ([plain, paths]) => {
      const response = await fetch(`http://127.0.0.1:${port}${plain}`);
      if (response.status !== 200) throw new Error(`${plain}: ${response.status}`);
      return { paths, body: await response.text() };
    });
    // Variants of a path are sent once.
    const text = 'INSERT INTO baseline SELECT path, $2 FROM unnest($1::text[]) AS path';
    for (const { paths, body } of await Promise.all(bodies))
      await client.query({ name: 'store', text, values: [paths, body] });
  }
  await client.end();
  // What was left to be written would be written during the first rounds.
  if (missing.size > 0) await statements(url, 'VACUUM ANALYZE baseline', 'CHECKPOINT');
}

export async function statements(url: string, ...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}
