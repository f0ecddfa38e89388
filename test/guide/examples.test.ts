/** Runs the commands and examples of the guide, word for word, as a reader with the demo and a PostgreSQL does. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PAGES } from '../../scripts/guide/contents.js';
import { partsOf } from '../../scripts/guide/render.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { demoFolder } from '../support/demo.js';
import type { RunningDemo } from '../support/demo.js';
import { codeOf, commandsOf, titleOf } from '../support/documents.js';
import { installIn } from '../support/mdw.js';
import { tool } from '../support/kube-tools.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import { administer } from '../support/roles.js';
import { skipFor } from '../support/skip.js';
import { isAll, listed, reasonFor } from './elsewhere.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = PAGES.flatMap((page) => partsOf(page).map(({ source }) => source));

/** Pages whose commands are also run beside the demo, with what it prints, and pages for which this is the only way. */
const BESIDE_DEMO = ['docs/day-to-day.md', 'docs/sql.md'];
const ONLY_BESIDE_DEMO = ['docs/quick-start.md'];

const RUNS = SOURCES.flatMap((source): [source: string, isBesideDemo: boolean][] => [
  ...(ONLY_BESIDE_DEMO.includes(source) ? [] : [[source, false] as [string, boolean]]),
  ...([...ONLY_BESIDE_DEMO, ...BESIDE_DEMO].includes(source) ? [[source, true] as [string, boolean]] : []),
]);

/** Pages whose reader has a node and a database of its own instead of the demo. */
const OWN_NODE = ['docs/own-node.md', 'docs/own-network.md'];

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
  let demo: RunningDemo;
  /** The node of the reader. */
  let node: Devnode;
  let administrator: string;
  /** Texts of the documents, and their replacements in this suite. */
  let replacements: [documented: string | RegExp, actual: string][];
  let ownReplacements: [documented: string | RegExp, actual: string][];
  let env: Record<string, string>;
  /** The line with the node and the database of the demo, as it prints it. */
  let ofDemo: string;
  let background: ChildProcess | undefined;

  before(async () => {
    installIn(home);
    installIn(folder.path);
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
    [, ofDemo] = (await demo.saw(/^ {2}(export NODE_URL=\S+ DATABASE_URL=\S+ ROSETTA_URL=\S+)$/m)) as unknown as [
      string,
      string,
    ];
    const [, events] = await demo.saw(/--url (ws:\S+)/);
    const base = await demo.base();
    const own = await Promise.all(['HTTP', 'METRICS', 'WEBSOCKET'].map(async () => `127.0.0.1:${await freePort()}`));
    const { host, password, username } = new URL(administrator);
    const shared: typeof replacements = [
      ['http://localhost:3013', node.externalUrl],
      [/postgres:\/\/(postgres|administrator)@localhost/g, `postgres://${username}:${password}@${host}`],
      [/@localhost\//g, `@${host}/`],
      // The chain of the demo is of today.
      [/YEAR( ?= ?)2025/g, `YEAR$1${new Date().getUTCFullYear()}`],
      // The ports of this demo are not the default ones.
      [/npx mdw flow \w+/g, `$& --node ${external} --internal ${internal} --middleware ${base}`],
      [/npx mdw watch [\w,]+/g, `$& --url ${events}`],
    ];
    replacements = [['localhost:8080', new URL(base).host], ['localhost:9090', metrics!], ...shared];
    ownReplacements = [['localhost:8080', own[0]!], ['localhost:9090', own[1]!], ...shared];

    // A command fails if a request or a statement is refused.
    writeFileSync(join(home, '.curlrc'), 'fail\nshow-error\n');
    writeFileSync(join(home, '.psqlrc'), '\\set QUIET on\n\\set ON_ERROR_STOP on\n');
    env = {
      PATH: process.env.PATH!,
      HOME: home,
      npm_config_update_notifier: 'false',
      HTTP_ADDRESS: own[0]!,
      METRICS_ADDRESS: own[1]!,
      WEBSOCKET_ADDRESS: own[2]!,
      NODE_URL: node.externalUrl,
      // The blocks of this node are dated in the past.
      STATUS_MAX_BLOCK_AGE: '999999999',
      DATABASE_URL: `postgres://mdw:secret@${host}/mdw`,
      ADMINISTRATOR_URL: new URL('/mdw', administrator).href,
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
    (OWN_NODE.includes(source) ? ownReplacements : replacements).reduce(
      (all, [documented, actual]) => all.replaceAll(documented, actual),
      text,
    );
  /** The variables that a block sets stay set for the later blocks of the page. */
  const shell = (source: string, block: string, isBesideDemo: boolean): ReturnType<typeof run> => {
    const cwd = isBesideDemo ? folder.path : home;
    const variables = join(cwd, `${source.replaceAll('/', '-')}.env`);
    const first = isBesideDemo ? `unset ADMINISTRATOR_URL\n${ofDemo}` : 'true';
    const script = `set -eu\nif [ -f ${variables} ]; then . ${variables}; else ${first}; fi\n${withReplacements(source, block)}\nexport -p >${variables}\n`;
    return run('bash', ['-c', script], '', cwd);
  };

  async function endBackground(): Promise<void> {
    if (background === undefined) return;
    const ended = once(background, 'exit');
    process.kill(-background.pid!, 'SIGINT');
    background = undefined;
    await ended;
  }

  for (const [source, isBesideDemo] of RUNS) {
    const blocks = commandsOf(source).filter((block) => reasonFor(source, block) === undefined);
    for (const block of blocks) {
      it(`${source}${isBesideDemo ? ', beside the demo' : ''}: ${titleOf(block)}`, async function () {
        for (const name of ['psql', 'pg_dump', 'pg_restore']) {
          if (block.includes(`${name} `) && tool(name) === undefined) skipFor(`${name} is not in PATH`, this);
        }
        if (/\bpg_(dump|restore) /.test(block) && !(await isDumpable(administrator)))
          skipFor('the programs are older than the server', this);
        if (BACKGROUND.includes(block)) {
          const started = shell(source, block, isBesideDemo);
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
        const { status, stdout, stderr } = await shell(source, block, isBesideDemo).ended;
        await endBackground();
        expect(status, stdout + stderr).to.equal(0);
        if (/\b(curl|watch)\b/.test(block) && !block.includes(' -o ')) expect(stdout.trim()).to.not.equal('');
      });
    }

    if (isBesideDemo) continue;
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
