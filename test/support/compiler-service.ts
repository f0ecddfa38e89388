import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bodyOf, reply, startServer } from './http-server.js';
import type { TestServer } from './http-server.js';

/** The Sophia compiler in the JavaScript SDK: a program for Erlang's `escript`. */
const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('@aeternity/aepp-sdk')),
  '..',
  'bin',
  'aesophia_cli',
);

/** Its version; undefined where it cannot run. */
export const compilerVersion = ((): string | undefined => {
  const { stdout } = spawnSync('escript', [PROGRAM, '--version'], { encoding: 'utf8' });
  return /version (\S+)/.exec(stdout ?? '')?.[1];
})();

interface Outcome {
  ok: boolean;
  stdout: string;
}

/** Runs the compiler on a source. */
export async function runCompiler(source: string, ...options: string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mdw-test-sophia-'));
  try {
    const file = join(folder, 'contract.aes');
    await writeFile(file, source);
    return await new Promise((resolve) => {
      execFile('escript', [PROGRAM, file, ...options], (error, stdout) => resolve({ ok: error === null, stdout }));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The compiler with the part of the API of the public compiler service that is used to verify contracts. It compiles a source once: who waited
 * too short on a slow machine, and asks again, gets the result.
 */
export function startCompilerService(): Promise<TestServer> {
  const outcomes = new Map<string, Promise<Outcome>>();
  return startServer(async (request, response) => {
    if (request.url === '/version') return reply(response, 200, JSON.stringify({ version: compilerVersion }));
    if (request.method !== 'POST' || request.url !== '/compile') return reply(response, 404, '{}');
    const { code } = JSON.parse(await bodyOf(request)) as { code: string };
    const outcome = outcomes.get(code) ?? runCompiler(code, '-wall');
    outcomes.set(code, outcome);
    const { ok, stdout } = await outcome;
    if (ok) return reply(response, 200, JSON.stringify({ bytecode: stdout.trim() }));
    return reply(response, 400, JSON.stringify([{ type: 'code_error', message: stdout.trim() }]));
  });
}
