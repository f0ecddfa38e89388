/** Runs the commands and examples of the guide, word for word, as a reader with the demo and a PostgreSQL does. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PAGES } from '../../scripts/guide/contents.js';
import { partsOf } from '../../scripts/guide/render.js';
import { startDevnode } from '../../src/devnode/start.js';
import type { Devnode } from '../../src/devnode/start.js';
import { freePort } from '../../src/local-postgres/free-port.js';
import { demoFolder } from '../support/demo.js';
import type { RunningDemo } from '../support/demo.js';
import { codeOf, commandsOf, titleOf } from '../support/documents.js';
import { tool } from '../support/kube-tools.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import { administer } from '../support/roles.js';
import { skipFor } from '../support/skip.js';
import { isAll, listed, reasonFor } from './elsewhere.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = PAGES.flatMap((page) => partsOf(page).map(({ source }) => source));

/** Commands that do not end by themselves: they run in the background of the next block. */
const BACKGROUND = ['npx mdw -ps\n'];

/** Examples that do not end by themselves: other suites run them, see `following.test.ts` and `test/clients/websockets.test.ts`. */
const ENDLESS = ["from 'ws'", 'Last-Event-ID', 'from websockets'];

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

describe('the list of commands that are not run', () => {
  it('names only blocks that exist', () => {
    const missing = listed().filter(
      ([source, line]) => !commandsOf(source).some((block) => isAll(line) || block.startsWith(`${line}\n`)),
    );
    expect(missing).to.deep.equal([]);
  });
});

describe('the examples of the guide', () => {
  const folder = demoFolder();
  /** Home and working directory of the reader. */
  const home = mkdtempSync(join(tmpdir(), 'mdw-guide-'));
  const shims = join(home, 'bin');
  let demo: RunningDemo;
  /** The node of the reader. */
  let node: Devnode;
  let administrator: string;
  /** Texts of the documents, and their replacements in this suite. */
  let replacements: [documented: string | RegExp, actual: string][];
  let ownReplacements: [documented: string | RegExp, actual: string][];
  let env: Record<string, string>;
  let background: ChildProcess | undefined;

  before(async () => {
    demo = folder.start();
    const database = await testDatabase();
    administrator = new URL('/postgres', database.url).href;
    await database.drop();
    const [, metrics] = await demo.saw(/^Metrics +http:\/\/(\S+)\/metrics$/m);
    const [, external] = await demo.saw(/^Simulated node +(\S+)$/m);
    node = await startDevnode({
      external: '127.0.0.1:0',
      source: { generate: { seed: 'guide', generations: 60, txsPerGeneration: 10 } },
    });
    const [, internal] = await demo.saw(/--internal (\S+)/);
    const [, events] = await demo.saw(/--url (ws:\S+)/);
    const base = await demo.base();
    const own = await Promise.all(['HTTP', 'METRICS', 'WEBSOCKET'].map(async () => `127.0.0.1:${await freePort()}`));
    const { host, password, username } = new URL(administrator);
    const shared: typeof replacements = [
      ['http://localhost:3013', node.externalUrl],
      [/postgres:\/\/(postgres|administrator)@localhost/g, `postgres://${username}:${password}@${host}`],
      [/@localhost\//g, `@${host}/`],
    ];
    replacements = [['localhost:8080', new URL(base).host], ['localhost:9090', metrics!], ...shared];
    ownReplacements = [['localhost:8080', own[0]!], ['localhost:9090', own[1]!], ...shared];

    mkdirSync(shims);
    // Flags with the ports of the demo, instead of the default ports.
    const addresses: Record<string, string> = {
      flow: `--node ${external} --internal ${internal} --middleware ${base}`,
      watch: `--url ${events}`,
    };
    const cases = Object.entries(addresses).map(([command, flags]) => `  ${command}) exec "$mdw" "$@" ${flags};;\n`);
    const program = `mdw=${ROOT}bin/mdw.js\ncase "$1" in\n${cases.join('')}  *) exec "$mdw" "$@";;\nesac\n`;
    writeFileSync(join(shims, 'mdw'), `#!/bin/sh\n${program}`, { mode: 0o755 });
    writeFileSync(join(shims, 'npx'), `#!/bin/sh\nshift\n${program}`, { mode: 0o755 });
    // A command fails if a request or a statement is refused.
    writeFileSync(join(home, '.curlrc'), 'fail\nshow-error\n');
    writeFileSync(join(home, '.psqlrc'), '\\set QUIET on\n\\set ON_ERROR_STOP on\n');
    env = {
      PATH: shims + delimiter + process.env.PATH,
      HOME: home,
      HTTP_ADDRESS: own[0]!,
      METRICS_ADDRESS: own[1]!,
      WEBSOCKET_ADDRESS: own[2]!,
      NODE_URL: node.externalUrl,
      // The blocks of this node are dated in the past.
      STATUS_MAX_BLOCK_AGE: '999999999',
      DATABASE_URL: `postgres://mdw:secret@${host}/mdw`,
      POLL_INTERVAL_MS: '100',
    };
  });
  after(async () => {
    await endBackground();
    await node.close();
    await folder.stop();
    folder.remove();
    rmSync(home, { recursive: true });
    await dropAll(administrator);
  });

  const run = (
    command: string,
    args: string[],
    input: string,
    cwd: string,
  ): { child: ChildProcess; ended: Promise<Outcome> } => {
    const child = spawn(command, args, { cwd, env, detached: true });
    const outcome: Outcome = { status: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    child.stdin.end(input);
    const ended = once(child, 'close').then(([status]) => ({ ...outcome, status: status as number | null }));
    return { child, ended };
  };
  const withReplacements = (source: string, text: string): string =>
    (source === 'docs/own-node.md' ? ownReplacements : replacements).reduce(
      (all, [documented, actual]) => all.replaceAll(documented, actual),
      text,
    );
  /** The variables that a block sets stay set for the later blocks of the page. */
  const shell = (source: string, block: string): ReturnType<typeof run> => {
    const cwd = source === 'docs/quick-start.md' ? folder.path : home;
    const variables = join(home, `${source.replaceAll('/', '-')}.env`);
    const script = `set -eu\nif [ -f ${variables} ]; then . ${variables}; fi\n${withReplacements(source, block)}\nexport -p >${variables}\n`;
    return run('bash', ['-c', script], '', cwd);
  };

  async function endBackground(): Promise<void> {
    if (background === undefined) return;
    const ended = once(background, 'exit');
    process.kill(-background.pid!, 'SIGINT');
    background = undefined;
    await ended;
  }

  for (const source of SOURCES) {
    const blocks = commandsOf(source).filter((block) => reasonFor(source, block) === undefined);
    for (const block of blocks) {
      it(`${source}: ${titleOf(block)}`, async function () {
        for (const name of ['psql', 'pg_dump', 'pg_restore']) {
          if (block.includes(`${name} `) && tool(name) === undefined) skipFor(`${name} is not in PATH`, this);
        }
        if (/\bpg_(dump|restore) /.test(block) && !(await isDumpable(administrator)))
          skipFor('the programs are older than the server', this);
        if (BACKGROUND.includes(block)) {
          const started = shell(source, block);
          background = started.child;
          void started.ended;
          const ready = withReplacements(source, 'http://localhost:8080/middleware/status');
          await eventually(
            () =>
              fetch(ready).then(
                ({ status }) => status,
                () => 0,
              ),
            (status) => status === 200,
          );
          return;
        }
        const { status, stdout, stderr } = await shell(source, block).ended;
        await endBackground();
        expect(status, stdout + stderr).to.equal(0);
        if (/\b(curl|watch)\b/.test(block) && !block.includes(' -o ')) expect(stdout.trim()).to.not.equal('');
      });
    }

    for (const { language, text } of codeOf(source, ['js', 'python'])) {
      if (ENDLESS.some((part) => text.includes(part)) || source === 'docs/trust.md' || source === 'docs/events.md')
        continue;
      const [command, args]: [string, string[]] =
        language === 'js' ? [process.execPath, ['--input-type=module']] : ['python3', ['-']];
      it(`${source}: ${language} that begins ${text.split('\n')[0]}`, async function () {
        if (language === 'python' && tool('python3') === undefined) skipFor('python3 is not in PATH', this);
        const { ended } = run(command, args, withReplacements(source, text), ROOT);
        const { status, stdout, stderr } = await ended;
        expect(status, stdout + stderr).to.equal(0);
        expect(stdout).to.match(/\d+ aettos/);
      });
    }
  }
});

/** Drops the databases and roles that readers create. */
async function dropAll(administrator: string): Promise<void> {
  for (const name of ['mdw', 'restored']) {
    await administer(administrator, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await administer(administrator, `DROP DATABASE IF EXISTS ${name}`);
  }
  await administer(administrator, 'DROP ROLE IF EXISTS ada, analysts, mdw');
}

/** Whether pg_dump is new enough: it refuses a server that is newer than itself. */
async function isDumpable(administrator: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: administrator });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    const child = spawn('pg_dump', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    for await (const part of child.stdout) output += String(part);
    return Number(/ (\d+)\./.exec(output)?.[1]) >= Math.floor(Number(rows[0]!.server_version_num) / 10_000);
  } finally {
    await client.end();
  }
}
