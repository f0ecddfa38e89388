/** What makes each alert about populators and servers true, with the programs as they are installed. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { testApi } from '../support/api.js';
import { reply, startServer } from '../support/http-server.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { populateInto, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { deafClient, maskedText } from '../support/raw-websocket.js';
import { recorded, recording } from '../support/recording.js';
import { startRelay } from '../support/relay.js';
import { replayServer } from '../support/replay-server.js';
import { administer, asRole, emptyCopy, migrateCopy } from '../support/roles.js';
import { repeatedly } from '../support/repeatedly.js';
import { ask } from '../support/steady-client.js';
import { wrongClock } from '../support/wrong-clock.js';
import type { Prometheus, Target } from './prometheus.js';

/** Causes a fault, and returns a function that ends it. */
export type Cause = () => Promise<() => Promise<unknown>>;

/** By the name of the alert: what happens, and how. */
export type Causes = Record<string, [what: string, cause: Cause]>;

interface Started {
  causes: Causes;
  close(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** Starts a populator and a server that Prometheus scrapes, and names the causes for them. */
export async function startService(prometheus: Prometheus): Promise<Started> {
  const server: TestDatabase = await testDatabase();
  await migrateCopy(server.url);
  const generate = { seed: 'alerts', generations: 14, txsPerGeneration: 10, accounts: 8 };
  // The head is from the near future, so that it is not too old while the chain stands still.
  const startTime = Date.now() - 8 * 180_000;
  const devnode = await startDevnode({ external: '127.0.0.1:0', source: { generate: { ...generate, startTime } } });
  const closers: (() => Promise<unknown>)[] = [() => server.drop(), () => devnode.close()];
  const running = new Map<string, RunningMdw>();
  const ports: Record<string, Record<string, number>> = {};

  const end = async (pod: string): Promise<void> => {
    const { process, ended } = running.get(pod)!;
    running.delete(pod);
    process.kill('SIGKILL');
    await ended;
  };
  const environment = (role: 'populate' | 'serve'): Record<string, string> => ({
    NODE_URL: devnode.externalUrl,
    DATABASE_URL: asRole(server.url, role),
    HTTP_ADDRESS: '127.0.0.1:0',
    WEBSOCKET_ADDRESS: '127.0.0.1:0',
    POLL_INTERVAL_MS: '50',
    NODE_TIMEOUT_MS: '1000',
    LEASE_SECONDS: '2',
    ...(role === 'serve' && { DATABASE_POOL_SIZE: '4', STATEMENT_TIMEOUT_MS: '3000', WEBSOCKET_MAX_BACKLOG: '65536' }),
  });
  const target = (pod: string, port: number, job = 'mdw'): Target => ({ port, labels: { namespace: 'n', job, pod } });
  /** Starts the program as a pod whose metrics are scraped. */
  const start = async (pod: 'populator' | 'server' | 'skewed', env: Record<string, string> = {}): Promise<void> => {
    const [flag, role] = pod === 'populator' ? (['-p', 'populate'] as const) : (['-s', 'serve'] as const);
    const METRICS_ADDRESS = `127.0.0.1:${ports[pod]?.['metrics'] ?? 0}`;
    const program = startMdw([flag], { ...environment(role), METRICS_ADDRESS, ...env });
    running.set(pod, program);
    for (const name of role === 'serve' ? ['http', 'websocket', 'metrics'] : ['metrics']) {
      const [, port] = await program.saw(new RegExp(`"${name}":\\{[^}]*"port":(\\d+)`));
      (ports[pod] ??= {})[name] = Number(port);
    }
    if (role === 'populate') await program.saw(/Caught up with the node/);
    prometheus.scrape(pod, target(pod, ports[pod]!['metrics']!));
  };
  const restart = async (pod: 'populator' | 'server', env: Record<string, string> = {}): Promise<void> => {
    await end(pod);
    await start(pod, env);
  };
  await start('populator');
  await start('server');
  closers.unshift(async () => {
    for (const pod of [...running.keys()]) await end(pod);
  });

  const sql = (statement: string | string[]): Promise<void> => administer(server.url, statement, 'mdw');
  const misbehave =
    (how: Parameters<Devnode['misbehave']>[0]): Cause =>
    () => {
      devnode.misbehave(how);
      return Promise.resolve(() => Promise.resolve(devnode.misbehave(null)));
    };
  /**
   * Asks with many clients at a time, each of which begins this long after the one before. `NTH` in the path is another number each time: no
   * answer is from the cache.
   */
  const crowd = (path: string, apartMs = 0): (() => Promise<unknown>) => {
    let asked = 0;
    const url = (): string => `http://127.0.0.1:${ports['server']!['http']}${path.replace('NTH', String(++asked))}`;
    const clients = Array.from({ length: 20 }, async (_, nth) => {
      await pause(nth * apartMs);
      return repeatedly(20, () => ask(url()).catch(() => undefined));
    });
    return () => Promise.all(clients.map(async (client) => (await client).stop()));
  };
  /** A populator in this process, whose metrics are scraped under its own name until the end of the cause. */
  const shown = async (job: string, populating: Populating): Promise<() => Promise<void>> => {
    const api = await testApi(populating.database, {}, { metrics: populating.metrics });
    prometheus.scrape(job, target(job, api.metricsPort, job));
    return async () => {
      prometheus.drop(job);
      await api.close();
      await populating.stop();
    };
  };

  const causes: Causes = {
    MiddlewareNodeNotUsable: ['the node accepts requests and never answers', misbehave({ hang: true })],
    MiddlewareNodeRequestsFailing: [
      'every second answer of the node is an error',
      misbehave({ status: 500, probability: 0.5 }),
    ],
    MiddlewareBehindNode: [
      'the node names new blocks, and does not return what is in them',
      async () => {
        devnode.misbehave({ hang: true, paths: 'micro-blocks|generations/height' });
        await devnode.grow(8);
        return () => Promise.resolve(devnode.misbehave(null));
      },
    ],
    MiddlewareDeepFork: [
      'the node changes to a branch that takes back eleven key blocks',
      async () => {
        await devnode.fork({ depth: 11, grow: 13 });
        return nothing;
      },
    ],
    MiddlewareTopTooOld: [
      'the node has stood still for a long time',
      async () => {
        const old = await startDevnode({
          external: '127.0.0.1:0',
          source: { generate: { ...generate, seed: 'old', startTime: Date.now() - 86_400_000 } },
        });
        const populating = await startPopulating(server, 'old', [old.externalUrl]);
        await populating.at(old.top().hash);
        const leave = await shown('old', populating);
        return async () => {
          await leave();
          await old.close();
        };
      },
    ],
    MiddlewareReorgHeld: [
      'the node changes to a branch that is deeper than MAX_UNPROVEN_REORG, without proof of work',
      async () => {
        const node = await startDevnode({ external: '127.0.0.1:0', source: { generate } });
        const database = await emptyCopy(server.url, 'held');
        const populating = populateInto(database, [node.externalUrl], {}, { maxUnprovenReorg: { blocks: 3 } });
        await populating.at(node.top().hash);
        const leave = await shown('held', populating);
        await node.fork({ depth: 4, grow: 6 });
        return async () => {
          await leave();
          await node.close();
        };
      },
    ],
    MiddlewareNodesContradict: [
      'one of two nodes tells another use of gas than the other',
      async () => {
        const status = JSON.parse(recorded('/v2/status', 'realnode-tokens')) as Record<string, unknown>;
        const replay = (key: string, instead: (path: string) => string | undefined) =>
          replayServer('realnode-tokens', (path) => {
            const body = path === '/status' ? JSON.stringify({ ...status, peer_pubkey: key }) : instead(path);
            return body === undefined ? undefined : { status: 200, body };
          });
        const liar = await replay('pp_liar', (path) =>
          path.endsWith('/info')
            ? recording('realnode-tokens')
                .get(`GET /v2${path}`)
                ?.body.replace(/"gas_used": ?/, '"gas_used":1')
            : undefined,
        );
        const honest = await replay('pp_honest', () => undefined);
        const urls = [liar.url, honest.url];
        const leave = await shown(
          'opinions',
          await startPopulating(server, 'opinions', urls, {}, { secondOpinionShare: 1 }),
        );
        return async () => {
          await leave();
          await liar.close();
          await honest.close();
        };
      },
    ],
    MiddlewareUndecodableTransactions: [
      'without proof, the node returns transactions of which a member is missing',
      async () => {
        let isCut = false;
        const proxy = await startServer((request, response) => {
          void fetch(`${devnode.externalUrl}${request.url}`).then(async (answer) => {
            const text = await answer.text();
            reply(response, answer.status, isCut ? text.replace(/"nonce":/g, '"nonsense":') : text);
          });
        });
        const populating = await startPopulating(server, 'undecodable', [proxy.url], { proof: 'off' });
        const leave = await shown('undecodable', populating);
        // The process of the test is old: only what is counted after the first scrape is an increase.
        await prometheus.until('mdw_undecodable_transactions_total{job="undecodable"}');
        isCut = true;
        await devnode.grow(2);
        return async () => {
          await leave();
          await proxy.close();
        };
      },
    ],
    MiddlewareDecodeBacklog: [
      'more than a thousand contract calls wait for an answer about their contract',
      async () => {
        await sql(`INSERT INTO contract_calls (position, contract_id, state, due_at)
          SELECT -i, 'ct_none', 'pending', now() + interval '1 hour' FROM generate_series(1, 1001) AS i`);
        // It counts them when it starts, and once a minute.
        await restart('populator');
        return () => sql('DELETE FROM contract_calls WHERE position < 0');
      },
    ],
    MiddlewareBalancesDiffer: [
      'the balance of an account is another one than that of the node',
      async () => {
        await sql('INSERT INTO ledger_checks (account, height, wrong_at) VALUES (-1, 0, 1)');
        await restart('populator');
        return () => sql('DELETE FROM ledger_checks WHERE account = -1');
      },
    ],
    MiddlewareMoneyUnanswered: [
      'the Rosetta interface of the node refuses a generation',
      async () => {
        await sql(`INSERT INTO ledger_questions (height, state, attempts, due_at) VALUES (0, 'refused', 1, now() + interval '1 hour')
          ON CONFLICT (height) DO UPDATE SET state = 'refused', attempts = 1, due_at = now() + interval '1 hour'`);
        await restart('populator', { ROSETTA_URL: 'http://127.0.0.1:9' });
        return async () => {
          await sql('DELETE FROM ledger_questions');
          await restart('populator');
        };
      },
    ],
    MiddlewareServerErrors: [
      'the node answers what is forwarded to it with errors',
      () => {
        devnode.misbehave({ status: 500, paths: 'accounts' });
        const leave = crowd('/v2/accounts/ak_none');
        return Promise.resolve(async () => {
          await leave();
          devnode.misbehave(null);
        });
      },
    ],
    MiddlewareSlow: [
      'the node takes three seconds for an answer',
      () => {
        devnode.misbehave({ slowMs: 3_000, paths: 'accounts' });
        // A window of the rule, divided, is shorter than an answer takes: in each of them some have to end.
        const leave = crowd('/v2/accounts/ak_none', 150);
        return Promise.resolve(async () => {
          devnode.misbehave(null);
          await leave();
        });
      },
    ],
    MiddlewareDatabasePoolExhausted: [
      'more clients look up auctions in a locked table than there are connections',
      async () => {
        const client = new Client({ connectionString: server.url });
        await client.connect();
        await client.query('BEGIN; LOCK TABLE mdw.names IN ACCESS EXCLUSIVE MODE');
        // Of lists, the server asks for fewer at a time than it has connections.
        const leave = crowd('/middleware/names/auctions/nthNTH.chain/info');
        return async () => {
          await client.end();
          await leave();
        };
      },
    ],
    MiddlewareShedding: [
      'the database refuses the login of the server',
      async () => {
        await sql([
          'ALTER ROLE mdw_serve NOLOGIN',
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mdw_serve'",
        ]);
        const leave = crowd('/middleware/names?limit=2&page=NTH');
        return async () => {
          await sql('ALTER ROLE mdw_serve LOGIN');
          await leave();
        };
      },
    ],
    MiddlewareEventsLate: [
      'the clock of a server is eight seconds ahead of the others',
      async () => {
        await start('skewed', wrongClock(8_000));
        const client = await deafClient(`ws://127.0.0.1:${ports['skewed']!['websocket']}`, {
          op: 'subscribe',
          payload: 'key_blocks',
        });
        client.resume();
        const mining = repeatedly(300, () => devnode.mineKeyBlock());
        return async () => {
          await mining.stop();
          client.destroy();
          prometheus.drop('skewed');
          await end('skewed');
        };
      },
    ],
    MiddlewareSlowClients: [
      'clients subscribe to much and read nothing',
      () => {
        const url = `ws://127.0.0.1:${ports['server']!['websocket']}`;
        const subscriptions = Array.from({ length: 1_000 }, (_, i) => encodeId('ak', Buffer.from(`${i}`.padEnd(32))));
        const arriving = repeatedly(200, async () => {
          const deaf = await deafClient(
            url,
            { op: 'subscribe', payload: 'key_blocks' },
            { op: 'subscribe', subscriptions },
          );
          for (let i = 0; i < 300; i++) deaf.write(maskedText('{"op":"unsubscribe","subscriptions":[]}'));
        });
        const mining = repeatedly(300, () => devnode.mineKeyBlock());
        return Promise.resolve(async () => {
          await arriving.stop();
          await mining.stop();
        });
      },
    ],
    MiddlewareRowsDiffer: [
      'somebody dropped an index, which no height loaded again brings back',
      async () => {
        await restart('populator', { VERIFY_SHARE: '50' });
        await sql('DROP INDEX contract_calls_contract_idx');
        return nothing;
      },
    ],
    MiddlewareNoWriter: [
      'the pod of the populator is gone',
      async () => {
        await end('populator');
        prometheus.drop('populator');
        return () => start('populator');
      },
    ],
    MiddlewareTargetDown: [
      'the process of a server is killed',
      async () => {
        await end('server');
        return () => start('server');
      },
    ],
    MiddlewareRestarting: [
      'the process in a pod ends and starts five times',
      async () => {
        const starts = [0, 1, 2, 3, 4, 5].map(async (nth) => {
          // Prometheus sees that a process started in another second.
          await pause(nth * 1_100);
          const program = startMdw(['-s'], { ...environment('serve'), METRICS_ADDRESS: '127.0.0.1:0' });
          running.set(`restarting-${nth}`, program);
          const [, port] = await program.saw(/"metrics":\{[^}]*"port":(\d+)/);
          return `http://127.0.0.1:${port}`;
        });
        const [first, ...others] = await Promise.all(starts);
        // All are started before, because Prometheus looks at 15 s only: in the address of the pod they follow each other.
        const relay = await startRelay(first!);
        prometheus.scrape('restarting', target('restarting', Number(new URL(relay.url).port)));
        await prometheus.until('up{pod="restarting"} == 1');
        for (const [nth, url] of others.entries()) {
          relay.lead(url);
          await end(`restarting-${nth}`);
          await pause(1_000);
        }
        return async () => {
          prometheus.drop('restarting');
          await relay.shut();
          await end(`restarting-${others.length}`);
        };
      },
    ],
  };
  return {
    causes,
    async close() {
      for (const close of closers) await close();
    },
  };
}
