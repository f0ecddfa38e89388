import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { readHead } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { chainDump, cleanDump } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy, tamper } from '../support/roles.js';

/** Height of the chain when the second copy is begun: more than eight epochs. */
const HEAD = 85;
/** What makes the loads last, so that the chain changes while they run. */
const SLOW = { slowMs: 8 };
const BLUE = 'mdw';
const GREEN = 'mdw_green';

interface Report {
  ok: boolean;
  code?: string;
  differing?: string;
  branch?: boolean;
}

/** The commands that the operator runs as Jobs and Deployments, in their order: see `docs/reload.md`. */
describe('a second copy of a hyperchain, which is loaded while the chain grows and forks', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let [blue, green] = [] as unknown as [Database, Database];
  let folder: string;
  let log: string;
  const running: RunningMdw[] = [];

  before(async () => {
    server = await testDatabase();
    devnode = await generated({
      seed: 'reload',
      generations: HEAD,
      txsPerGeneration: 4,
      emptyShare: 0.5,
      consensus: 'hyperchain',
    });
    blue = await emptyCopy(server.url, BLUE);
    green = await emptyCopy(server.url, GREEN);
    folder = mkdtempSync(join(tmpdir(), 'mdw-reload-'));
    log = join(folder, 'log');
  });
  after(async () => {
    await Promise.all(running.splice(0).map(end));
    await closeDevnodes();
    await Promise.all([blue.close(), green.close()]);
    await server.drop();
    rmSync(folder, { recursive: true });
  });

  const envOf = (schema: string, role: 'migrate' | 'populate' | 'serve' = 'populate'): Record<string, string> => ({
    NODE_URL: devnode.externalUrl,
    DATABASE_URL: asRole(server.url, role),
    DATABASE_SCHEMA: schema,
    METRICS_ADDRESS: '127.0.0.1:0',
    POLL_INTERVAL_MS: '50',
    TERMINATION_LOG: log,
    LOG_LEVEL: 'warn',
  });
  const start = (args: string[], env: Record<string, string>): RunningMdw => {
    const program = startMdw(args, env);
    running.push(program);
    return program;
  };
  const end = async ({ process, ended }: RunningMdw): Promise<number | null> => {
    process.kill('SIGTERM');
    return (await ended).status;
  };
  /** Runs a command to its end; what it reports to the operator. */
  const report = async (args: string[], env: Record<string, string>): Promise<Report> => {
    await start(args, env).ended;
    return JSON.parse(readFileSync(log, 'utf8')) as Report;
  };
  const follows = (database: Database): Promise<unknown> =>
    eventually(
      () => readHead(database),
      (head) => (head?.microHashes.at(-1) ?? head?.hash) === devnode.top().hash,
    );
  const has = (database: Database, height: number): Promise<unknown> =>
    eventually(
      () => readHead(database),
      (head) => (head?.height ?? -1) >= height,
    );
  /** Verifies as the operator does: what differs near the head is compared once more. */
  const verdict = async (schema: string): Promise<Report> => {
    const compare = (heights: string): Promise<Report> =>
      report(['-v', heights, '--quiet', '--against', BLUE], envOf(schema));
    const first = await compare(`0-${devnode.height()}`);
    return first.code === 'differs' && first.differing !== undefined ? compare(first.differing) : first;
  };

  it('is loaded by -H, also after a kill and across forks, and is caught up and verified', async () => {
    start(['-p'], envOf(BLUE));
    await follows(blue);

    devnode.misbehave(SLOW);
    const killed = start(['-H', `0-${HEAD}`], envOf(GREEN));
    await has(green, 20);
    killed.process.kill('SIGKILL');
    await killed.ended;
    const loaded = (await readHead(green))!.height;
    expect(loaded).to.be.below(HEAD);

    const again = report(['-H', `${loaded}-${HEAD}`], envOf(GREEN));
    await has(green, loaded + 5);
    await devnode.fork({ depth: HEAD - loaded - 10, grow: HEAD - loaded, retainTxs: 'some' });
    await has(green, loaded + 20);
    await devnode.grow(3);
    await devnode.fork({ depth: 5, grow: 7, retainTxs: 'some' });
    const outcome = await again;
    // What a fork replaced is left to the populator, which follows forks.
    expect(outcome.ok || (outcome.code === 'heights_failed' && outcome.branch === true)).to.equal(true);
    devnode.misbehave(null);

    start(['-p'], envOf(GREEN));
    await devnode.addMicroBlock({ txs: 3 });
    await follows(green);
    await devnode.microFork({ drop: 1 });
    await devnode.fork({ depth: 2, grow: 4 });
    await Promise.all([follows(blue), follows(green)]);
    const growing = devnode.grow(12);
    expect(await verdict(GREEN)).to.include({ ok: true });
    await growing;
  });

  it('answers as the first copy does, before and after the switch', async () => {
    const ports = [await freePort(), await freePort()] as const;
    const origins = ports.map((port) => `http://127.0.0.1:${port}`);
    for (const [i, schema] of [BLUE, GREEN].entries()) {
      start(['-s'], {
        ...envOf(schema, 'serve'),
        HTTP_ADDRESS: `127.0.0.1:${ports[i]}`,
        WEBSOCKET_ADDRESS: '127.0.0.1:0',
      });
    }
    const answer = (origin: string, path: string): Promise<string> =>
      fetch(origin + path).then(
        // What a call answered is decoded some time after its block is stored.
        async (response) => `${response.status} ${(await response.text()).replaceAll(/,"outcome":"\w+"/g, '')}`,
        () => '',
      );
    const equal = async (): Promise<void> => {
      await Promise.all([follows(blue), follows(green)]);
      const top = devnode.height();
      const paths = [
        `/middleware/transactions/interval/0/${top}?limit=10000`,
        `/middleware/count/height/${top}`,
        `/middleware/generations/0/${top}`,
        '/middleware/network',
        '/v2/generations/current',
        ...Array.from({ length: top + 1 }, (_, height) => `/v2/generations/height/${height}`),
      ];
      for (const path of paths) {
        const [first, second] = await Promise.all(origins.map((origin) => answer(origin, path)));
        expect(second, path).to.equal(first);
        expect(first, path).to.match(/^200 /);
      }
    };
    await Promise.all(
      origins.map((origin) =>
        eventually(
          () => answer(origin, '/v2/status'),
          (text) => text.startsWith('200'),
        ),
      ),
    );
    await equal();
    for (const step of ['intended', 'switched']) {
      const recorded = await report(['record', step, '--other', BLUE, '--reload', 'one'], envOf(GREEN, 'migrate'));
      expect(recorded, step).to.include({ ok: true });
    }
    await devnode.fork({ depth: 4, grow: 6 });
    await equal();
  });

  it('is the copy of a clean load, and the first one can be dropped', async () => {
    await follows(green);
    await Promise.all(running.splice(0).map(end));
    expect(await chainDump(green)).to.deep.equal(await cleanDump(server, 'clean', devnode.externalUrl));
    const dropped = await report(
      ['drop', BLUE, '--serving', GREEN, '--reload', 'one', '--result', 'Complete'],
      envOf(BLUE, 'migrate'),
    );
    expect(dropped).to.include({ ok: true });
  });

  it('is not verified with one digit of a block changed, so that it never serves', async () => {
    await tamper(green, 'UPDATE key_blocks SET target = target + 1 WHERE height = 40');
    const { ok, code, differing } = await report(['-v', `0-${devnode.height()}`, '--quiet'], envOf(GREEN));
    expect({ ok, code, differing }).to.deep.equal({ ok: false, code: 'differs', differing: '40' });
  });
});
