/**
 * An operator beside hostile pods, termination messages and resources, on a simulated control plane, with a watched limit of memory, while
 * an honest resource is changed and reports its height. Writes its part of bench/README.md. Run by mocha, whose end stops the control
 * plane of test/cluster.
 *
 *   KUBE_PLANE=FOLDER make bench-hostile-operator                       ten minutes
 *   BENCH_SECONDS=60 KUBE_PLANE=FOLDER make bench-hostile-operator      bench/README.md stays as it is
 */
import { expect } from 'chai';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PORT } from '../src/config/ports.js';
import { LABEL } from '../src/operator/names.js';
import type { Pod } from '../src/operator/types.js';
import { eventually } from '../test/cluster/support/eventually.js';
import { NEW_DATABASE, createMany, startOperatorProcess } from '../test/cluster/support/many.js';
import type { OperatorProcess } from '../test/cluster/support/many.js';
import { openScene } from '../test/cluster/support/scene.js';
import type { Deployment, Scene } from '../test/cluster/support/scene.js';
import { percentile } from './event-bench.js';
import { writeSection } from './readme.js';
import { watchMemory } from './watched-memory.js';

const FULL_SECONDS = 600;
const SECONDS = Number(process.env.BENCH_SECONDS ?? FULL_SECONDS);
/** Resources whose pods are hostile. */
const COUNT = 20;
/** Resources that exist at a time in each of the loops that make and delete them. */
const AT_A_TIME = 4;
/** Limit of the operator in the chart, MiB. Node.js gives itself half of it for the heap, when it is the limit of a container. */
const LIMIT_MIB = 256;
/** The store of the control plane keeps each version for minutes, and accepts 2 GB. */
const GIANT_PAUSE_MS = 5_000;
/** Just within the time that the operator gives a pod. */
const SLOW_MS = 2_500;

const forever = (response: ServerResponse, chunk: string): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};
const another = (): string => `${Math.random()}`.padEnd(15_000, 'x');

/** Answers of pods to `/readyz`. */
const ANSWERS: Record<string, RequestListener> = {
  'an answer without an end': (_, response) => forever(response, 'x'.repeat(65_536)),
  'an answer without an end, a byte at a time': (_, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(timer));
  },
  'no answer': () => undefined,
  'headers without an end': ({ socket }) => {
    const timer = setInterval(() => socket.write(`x: ${'y'.repeat(100)}\r\n`), 10);
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.once('close', () => clearInterval(timer));
  },
  'long texts, another one each time': (_, response) => {
    const reason = another();
    response.end(
      JSON.stringify({ ready: false, reason, code: reason, node_state: reason, held_reorg: { hash: reason } }),
    );
  },
  'another height and readiness each time, slowly': (_, response) => {
    const height = Math.floor(Math.random() * 1e9);
    setTimeout(() => response.end(JSON.stringify({ ready: height % 2 === 0, height, lag: height })), SLOW_MS);
  },
  'numbers out of range': (_, response) =>
    void response.end(`{"ready":true,"height":-1e308,"node_height":1e999,"lag":0.1,"head_time":9e99,"done":-1}`),
  'deep JSON': (_, response) => void response.end('['.repeat(16_000)),
  'bytes that are no text': ({ socket }) => void socket.end(Buffer.alloc(10_000, 0xff)),
  'a redirection to itself': (_, response) => void response.writeHead(302, { location: '/readyz' }).end(),
};

const long = (length: number): string => 'x'.repeat(length);
const copies = [{ schema: 'mdw', live: true, height: 1, provenHeight: 1, work: '1' }];
/** Termination messages of Jobs, as long as a kubelet lets them be. */
const MESSAGES = [
  long(4_000),
  JSON.stringify({ ok: true, copies: long(3_900), serving: {} }),
  JSON.stringify({ ok: true, copies, serving: [], message: { toString: 1 }, database: { a: [1] } }),
  JSON.stringify({ ok: true, copies, serving: Array(30).fill({ step: 'done', reload: long(60), work: '9e9' }) }),
  JSON.stringify({ ok: false, code: ['x'], message: 7, differing: {} }),
  `{"ok":true,"copies":[{"schema":"mdw","live":true,"height":1e999,"provenHeight":0,"work":"${long(3_000)}"}]}`,
  '['.repeat(4_000),
  'null',
  '\u0000\u001b[2J\n\n',
];

interface Loop {
  what: string;
  /** Number of rounds. */
  count: number;
}

describe('an operator beside hostile pods and resources', function () {
  this.timeout((SECONDS + 900) * 1000);
  let scene: Scene;
  let operator: OperatorProcess;
  const servers: Server[] = [];
  let asked = 0;
  let height = 100;
  let isOver = false;

  const addressOf = (i: number): string => `127.0.1.${i + 1}`;
  const HONEST = '127.0.2.1';
  const listen = async (address: string, listener: RequestListener): Promise<void> => {
    const server = createServer({ keepAliveTimeout: 100 }, listener).listen(PORT.metrics, address);
    await once(server, 'listening');
    servers.push(server);
  };

  before(async () => {
    for (const [i, answer] of Object.values(ANSWERS).entries()) {
      await listen(addressOf(i), (request, response) => {
        asked += 1;
        answer(request, response);
      });
    }
    await listen(HONEST, (_, response) => {
      response.end(
        JSON.stringify({ ready: true, height, node_height: height, node_state: 'ok', lag: 0, loading: false }),
      );
    });
    scene = await openScene();
    operator = await startOperatorProcess(scene, { NODE_OPTIONS: `--max-old-space-size=${LIMIT_MIB / 2}` });
    await operator.program.saw(/"Acquired the lease"/);
    await createMany(scene, COUNT);
    const database = { secret: { name: 'db' }, schema: 'honest' };
    await scene.create('honest', { database, server: { replicas: 2 }, migration: NEW_DATABASE });
    await operator.serves(COUNT + 1);
    await point();
  });
  after(async () => {
    operator.program.process.kill('SIGKILL');
    await operator.program.ended;
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await scene.close();
  });

  /** Gives pods the addresses of servers: those of the honest resource that of the honest one. */
  async function point(isHostile = false): Promise<number> {
    const pods = (await scene.list<Pod>('Pod')).filter(({ status }) => status?.phase === 'Running');
    for (const [i, { metadata, status }] of pods.entries()) {
      const isHonest = metadata.labels?.[LABEL.instance] === 'honest';
      if (!isHonest && !isHostile) continue;
      const podIP = isHonest ? HONEST : addressOf(i % Object.keys(ANSWERS).length);
      if (status?.podIP === podIP || (status?.podIP?.startsWith('127.0.1.') && !isHonest)) continue;
      await scene.patch('Pod', `${metadata.name}/status`, { status: { podIP, podIPs: [{ ip: podIP }] } }).catch(gone);
    }
    return pods.length;
  }

  /** Milliseconds until a change of the honest resource is written to its Deployment. */
  async function change(replicas: number): Promise<number> {
    const start = performance.now();
    await scene.change('honest', { server: { replicas } });
    await eventually(
      async () => {
        const deployment = await scene.get<Deployment>('Deployment', 'honest-server-blue');
        expect(deployment?.spec.replicas).to.equal(replicas);
      },
      { everyMs: 20 },
    );
    return performance.now() - start;
  }

  /** Milliseconds until a height that the honest pods report is in the status. */
  async function grow(): Promise<number> {
    const start = performance.now();
    const grown = (height += 1);
    await eventually(async () => expect((await scene.status('honest')).height).to.equal(grown), { everyMs: 100 });
    return performance.now() - start;
  }

  /** Makes and deletes resources again and again. */
  async function churn(loop: Loop, make: (name: string, n: number) => Promise<void>, pauseMs = 500): Promise<void> {
    const prefix = loop.what.split(' ')[0]!;
    for (let n = 0; !isOver; n += 1) {
      const name = `${prefix}-${n}`;
      await make(name, n);
      loop.count += 1;
      if (n >= AT_A_TIME) await scene.remove('Middleware', `${prefix}-${n - AT_A_TIME}`).catch(gone);
      await pause(pauseMs);
    }
  }

  /** Measures the honest resource for some seconds. */
  async function measure(seconds: number, failed = (): boolean => false) {
    const seen = { changes: [] as number[], heights: [] as number[], failures: 0 };
    const until = performance.now() + seconds * 1000;
    const take = async (times: number[], act: (n: number) => Promise<number>): Promise<void> => {
      for (let n = 0; performance.now() < until && !failed(); n += 1) {
        await act(n).then(
          (ms) => times.push(ms),
          () => (seen.failures += 1),
        );
        await pause(1_000);
        await point();
      }
    };
    await Promise.all([take(seen.changes, (n) => change(2 + (n % 2))), take(seen.heights, grow)]);
    return seen;
  }

  it(`for ${SECONDS} s`, async () => {
    const alone = await measure(Math.min(60, SECONDS / 2));
    const database = { secret: { name: 'db' } };
    const messages: Loop = {
      what: 'messages of Jobs that are long or no reports, in resources made and deleted',
      count: 0,
    };
    const giants: Loop = { what: 'giant specs, annotations and statuses, in resources made and deleted', count: 0 };
    const fleeting: Loop = { what: 'fleeting resources, deleted before they are settled', count: 0 };
    const repointed: Loop = { what: 'pods pointed to hostile servers', count: 0 };
    const loops = [
      churn(messages, (name, n) =>
        scene.create(name, {
          database,
          migration: { podAnnotations: { 'sim/message': MESSAGES[n % MESSAGES.length]! } },
        }),
      ),
      churn(
        giants,
        async (name) => {
          const [text, annotation] = [long(200_000), { 'example.test/text': long(200_000) }];
          const podTemplate = { spec: { containers: [{ name: 'beside', image: 'x', args: [text] }] } };
          await scene.create(name, { database, server: { podTemplate }, migration: NEW_DATABASE }, annotation);
          const lastTransitionTime = new Date().toISOString();
          const conditions = [
            { type: 'Ready', status: 'False', reason: 'X', message: long(30_000), lastTransitionTime },
          ];
          await scene
            .patch('Middleware', `${name}/status`, {
              status: { image: long(100_000), reload: { message: text }, conditions },
            })
            .catch(gone);
        },
        GIANT_PAUSE_MS,
      ),
      churn(fleeting, (name) => scene.create(name, { database, migration: NEW_DATABASE })),
      (async () => {
        for (; !isOver; await pause(1_000)) repointed.count = Math.max(repointed.count, await point(true));
      })(),
    ];
    const memory = watchMemory(operator.program.process, LIMIT_MIB, SECONDS);
    const before = await operator.metrics();
    const beside = await measure(SECONDS, () => memory.failed());
    isOver = true;
    memory.stop();
    await Promise.all(loops);
    const now = memory.failed() ? before : await operator.metrics();
    const writes = [...now]
      .filter(([name]) => /^mdw_operator_api_requests_total\{verb="(POST|PATCH|DELETE)"/.test(name))
      .reduce((sum, [name, value]) => sum + value - (before.get(name) ?? 0), 0);
    const inShort = (times: number[]): string =>
      times.length === 0 ? 'none' : `${percentile(times, 0.5).toFixed(0)}, ${percentile(times, 0.99).toFixed(0)} ms`;
    const lines = [
      '## Hostile pods and resources (`KUBE_PLANE=FOLDER make bench-hostile-operator`)',
      '',
      `One operator process with a heap of ${LIMIT_MIB / 2} MiB, as Node.js gives itself in a container of ${LIMIT_MIB} MiB, and ${COUNT} resources on a control plane with simulated nodes, all on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; ${SECONDS} s. Their pods answered \`/readyz\` with ${Object.keys(ANSWERS).join('; ')}: ${asked} requests. All of it together.`,
      '',
      ...memory.verdict(),
      `The operator wrote ${(writes / SECONDS).toFixed(1)} objects per second.`,
      '',
      '| An honest resource, p50 and p99 | before | beside the others |',
      '|---|---|---|',
      `| a change is written to its Deployment | ${inShort(alone.changes)} | ${inShort(beside.changes)} (${beside.changes.length}) |`,
      `| a height that its pods report is in its status | ${inShort(alone.heights)} | ${inShort(beside.heights)} (${beside.heights.length}) |`,
      `| failures | ${alone.failures} | ${beside.failures} |`,
      '',
      '| Hostile | count |',
      '|---|---|',
      ...[repointed, messages, giants, fleeting].map(({ what, count }) => `| ${what} | ${count} |`),
    ];
    console.log(lines.join('\n'));
    if (memory.failed()) console.error((await operator.program.ended).stderr.slice(-4_000));
    if (SECONDS === FULL_SECONDS) writeSection('hostile-operator', lines);
    expect(memory.failed()).to.equal(false);
    expect(asked).to.be.above(COUNT);
  });
});

/** An object that was deleted meanwhile. */
function gone(error: { status?: number }): void {
  if (error.status !== 404 && error.status !== 409) throw error as Error;
}
