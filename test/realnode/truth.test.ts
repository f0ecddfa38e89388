import { expect } from 'chai';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { describeWith } from '../support/kube-tools.js';
import { choices } from '../support/histories.js';
import { noRealNode } from '../support/real-node.js';
import { ask } from '../support/steady-client.js';
import { IMAGES } from '../support/test-images.js';
import { missingPrometheus } from '../chart/prometheus.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';
import { watchServiceAlerts } from './support/service-alerts.js';
import type { ServiceAlerts } from './support/service-alerts.js';
import type { Job } from '../../src/operator/types.js';

const STEPS = Number(process.env['TRUTH_STEPS'] ?? 8);
/** Only steps whose description matches. */
const ONLY = new RegExp(process.env['TRUTH_ONLY'] ?? '');
const SEED = Number(process.env['TRUTH_SEED'] ?? 1);
/** Max time until the conditions agree with what clients see, s. */
const SAID_WITHIN = 15;
/** Max time until everything has recovered, s. */
const WELL_WITHIN = 180;
const MAX_LAG = 5;
const NAMESPACE = 'truth';
/** Phases in which a reload still changes copies end with one of these. */
const RELOADED = [undefined, 'Complete', 'Aborted', 'RolledBack', 'Failed'];

/** State as seen by a client of the Service, a websocket client, SQL and the node. */
interface Seen {
  http: 'answers' | 'fails';
  websocket: 'opens' | 'fails';
  /** `<height> <hash>` of the head: as served, and in the copy that serves by the status. */
  served?: string;
  stored?: string;
  nodeHeight?: number;
  /** Clients are not served, or from a head that is further behind than allowed. */
  late: boolean;
  /** Blocks that the database is behind the node; undefined if one of them does not answer. */
  lag?: number;
  /** Whether a row has another value than the chain; undefined if the database does not answer. */
  differs?: boolean;
}

/** The alerts of the operator about a resource: the condition, and its value for which the alert waits. */
const ALERTS: Record<string, [type: string, value: number]> = {
  MiddlewareNotReady: ['Ready', 0],
  MiddlewareDegraded: ['Degraded', 1],
  MiddlewareNotVerified: ['Verified', 0],
  MiddlewareStalled: ['Stalled', 1],
};

interface Step {
  what: string;
  /** Causes a fault, and returns a function that ends it. */
  begin(): Promise<() => Promise<unknown>>;
}

describeWith(noRealNode(), `the status, compared with what clients see (TRUTH_SEED=${SEED})`, function () {
  this.timeout((STEPS + 1) * 400_000);
  let scene: Scene;
  let alerts: ServiceAlerts | undefined;
  /** The query that tells whether a row differs from the chain, while a digit in it was changed. */
  let altered: string | undefined;
  const random = choices(SEED);
  let looks = 0;
  let mismatches = 0;

  before(async () => {
    scene = await openScene(NAMESPACE);
    await scene.sql('CREATE DATABASE other OWNER mdw');
    await scene.change({ head: { maxLag: MAX_LAG } });
    if (missingPrometheus === false) alerts = await watchServiceAlerts(scene, NAMESPACE, 'chain');
  });
  after(async () => {
    await alerts?.close();
    await scene?.close();
    process.stdout.write(
      `    ${STEPS} steps, ${looks} looks, ${mismatches} of them after ${SAID_WITHIN} s and wrong\n`,
    );
    const seen = alerts?.seen().join(', ') ?? missingPrometheus;
    process.stdout.write(`    alerts of populators and servers in Prometheus: ${seen}\n`);
  });
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    process.stderr.write(`${this.currentTest.err?.message}\n${JSON.stringify(this.currentTest.err)}\n`);
    process.stderr.write(scene.describe());
  });

  const kubectl = (...args: string[]): string => scene.node.plane.kubectl(['-n', NAMESPACE, ...args]);
  const nothing = () => Promise.resolve(undefined);
  const grow = (generations: number) => scene.chain('/grow', { generations, txsPerGeneration: 3 });
  const url = (database: string): Promise<void> => {
    const data = { url: Buffer.from(`postgres://mdw:first@postgres/${database}`).toString('base64') };
    kubectl('patch', 'secret', 'chain-db', '--type=merge', '-p', JSON.stringify({ data }));
    return Promise.resolve();
  };
  const podOf = (component: string): string =>
    kubectl('get', 'pods', '-l', `app.kubernetes.io/component=${component}`, '-o', 'name').split('\n')[0]!;
  const kill = (component: string) => {
    const pod = podOf(component);
    if (pod !== '') kubectl('delete', pod, '--force', '--grace-period=0');
    return Promise.resolve(nothing);
  };
  const edit = (spec: object, back: object) => async () => {
    await scene.change(spec);
    return () => scene.change(back);
  };

  /** Ends the sessions of the program, so that the next ones have new defaults. */
  const newSessions = () =>
    scene.node.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mdw'`);
  const migrateAgain = (): Promise<void> => {
    kubectl('annotate', 'mdw', 'chain', '--overwrite', `chain-middleware.io/retry=${Math.random()}`);
    return Promise.resolve();
  };
  /** Sends a signal to the processes of a pod, as far as they are still there. */
  const signal = (uid: string, name: NodeJS.Signals): void => {
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        if (readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(uid)) process.kill(Number(pid), name);
      } catch {
        // It has ended.
      }
    }
  };

  let reloads = 0;
  const STEPS_THERE_ARE: Step[] = [
    { what: 'the chain grows', begin: async () => (await grow(random.int(1, 4)), nothing) },
    {
      what: 'a reorg',
      begin: async () => (await scene.chain('/fork', { depth: random.int(1, 6), grow: 7 }), nothing),
    },
    { what: 'the populator is killed', begin: () => kill('populator') },
    { what: 'a server is killed', begin: () => kill('server') },
    {
      what: 'the resource asks for no servers',
      begin: edit({ server: { replicas: 0 } }, { server: { replicas: 1 } }),
    },
    { what: 'more servers', begin: edit({ server: { replicas: 3 } }, { server: { replicas: 1 } }) },
    {
      what: 'nobody populates while the chain grows',
      begin: async () => {
        await scene.change({ populator: { enabled: false } });
        await scene.eventually('it is gone', () => podOf('populator') === '');
        await grow(MAX_LAG + 3);
        return () => scene.change({ populator: { enabled: true } });
      },
    },
    {
      what: 'the populator hangs while the chain grows',
      begin: async () => {
        const uid = kubectl('get', podOf('populator'), '-o', 'jsonpath={.metadata.uid}');
        signal(uid, 'SIGSTOP');
        await grow(MAX_LAG + 3);
        return () => Promise.resolve(signal(uid, 'SIGCONT'));
      },
    },
    {
      what: 'no machine takes the populator while the chain grows',
      begin: async () => {
        await scene.change({ populator: { nodeSelector: { no: 'such' } } });
        await grow(MAX_LAG + 3);
        return () => scene.change({ populator: { nodeSelector: null } });
      },
    },
    {
      what: 'the database is read-only while the chain grows',
      begin: async () => {
        await scene.node.sql('ALTER DATABASE mdw SET default_transaction_read_only = on');
        await newSessions();
        await grow(MAX_LAG + 3);
        return async () => {
          await scene.node.sql('ALTER DATABASE mdw RESET default_transaction_read_only');
          await newSessions();
        };
      },
    },
    {
      what: 'a digit is changed in the database, and a comparison finds it',
      begin: async () => {
        await scene.eventually('no reload', async () => RELOADED.includes((await scene.status()).reload?.phase));
        const { activeSchema: schema } = await scene.status();
        const [row] = await scene.sql<{ position: string; height: string; fee: string }>(
          `SELECT position::text, (position >> 33)::text AS height, fee::text FROM ${schema}.transactions
           ORDER BY position LIMIT 1 OFFSET ${random.int(0, 20)}`,
        );
        const { position, height, fee } = row!;
        const at = `${schema}.transactions WHERE position = ${position}`;
        const setTo = (value: string) =>
          scene.sql(`UPDATE ${schema}.transactions SET fee = ${value} WHERE position = ${position}`);
        altered = `SELECT fee <> ${fee} AS differs FROM ${at}`;
        await setTo('fee + 1');
        await scene.change({ verification: { interval: '1s', heights: height } });
        await scene.eventually('Verified is False', async () =>
          (await scene.condition('Verified')).startsWith('False'),
        );
        return async () => {
          await setTo(fee);
          await scene.eventually('Verified is True', async () =>
            (await scene.condition('Verified')).startsWith('True'),
          );
          altered = undefined;
          await scene.change({ verification: null });
        };
      },
    },
    { what: 'it hibernates', begin: edit({ hibernated: true }, { hibernated: null }) },
    { what: 'an image that there is not', begin: edit({ image: 'mdw.test/none:1' }, { image: null }) },
    { what: 'another image', begin: edit({ image: IMAGES.newer }, { image: null }) },
    {
      what: 'a migration that is refused',
      begin: async () => {
        const { activeSchema: schema } = await scene.status();
        await scene.sql(`INSERT INTO ${schema}.migrations (name) VALUES ('9999_later')`);
        await migrateAgain();
        return async () => {
          await scene.sql(`DELETE FROM ${schema}.migrations WHERE name = '9999_later'`);
          await migrateAgain();
        };
      },
    },
    {
      what: 'somebody sets a variable of the servers',
      begin: () => {
        const color = kubectl('get', 'mdw', 'chain', '-o', 'jsonpath={.status.activeColor}');
        kubectl('set', 'env', `deployment/chain-server-${color}`, 'NODE_URL=http://elsewhere:3013');
        return Promise.resolve(nothing);
      },
    },
    {
      what: 'the node does not answer',
      begin: async () => {
        await scene.chain('/misbehave', { hang: true });
        return () => scene.chain('/misbehave', null);
      },
    },
    {
      what: 'the database refuses the login',
      begin: async () => {
        await scene.node.sql('ALTER ROLE mdw NOLOGIN');
        await newSessions();
        return () => scene.node.sql('ALTER ROLE mdw LOGIN');
      },
    },
    {
      what: 'the database is away',
      begin: () => {
        kubectl('scale', 'deployment/postgres', '--replicas=0');
        return Promise.resolve(() => {
          kubectl('scale', 'deployment/postgres', '--replicas=1');
          return Promise.resolve();
        });
      },
    },
    { what: 'the Secret names another database', begin: async () => (await url('other'), () => url('mdw')) },
    {
      what: 'a setting that there is not',
      begin: edit({ settings: { NO_SUCH: '1' } }, { settings: { NO_SUCH: null } }),
    },
    {
      what: 'a pod template of which no pod can be made',
      begin: edit(
        { server: { podTemplate: { spec: { runtimeClassName: 'no-such' } } } },
        { server: { podTemplate: null } },
      ),
    },
    { what: 'it is paused', begin: edit({ paused: true }, { paused: false }) },
    {
      what: 'the Service selects no pods',
      begin: () => {
        kubectl('patch', 'service', 'chain', '-p', JSON.stringify({ spec: { selector: { nobody: 'there' } } }));
        return Promise.resolve(nothing);
      },
    },
    {
      what: 'the operator is killed',
      begin: async () => {
        for (const pod of await scene.operators()) await scene.end(pod, 'at once');
        return nothing;
      },
    },
    {
      what: 'a reload of the whole chain',
      begin: async () => {
        const id = `walk-${(reloads += 1)}`;
        await scene.reload({ id });
        return nothing;
      },
    },
  ];

  /** State as clients see it now; each request has 3 s. */
  async function look(): Promise<Seen> {
    const bounded = async <T>(answer: Promise<T>): Promise<T | undefined> =>
      Promise.race([answer.catch(() => undefined), pause(3_000, undefined)]);
    const [answer, websocket, state] = await Promise.all([
      bounded(ask(`${scene.http}/middleware/size/current`)),
      bounded(opens(scene.events)),
      bounded(scene.status()),
    ]);
    const schema = state?.activeSchema;
    const [stored, nodeHeight, changed] = await Promise.all([
      schema === undefined
        ? undefined
        : bounded(
            scene.sql<{ head: string }>(
              `SELECT height || ' ' || hash AS head FROM ${schema}.key_blocks ORDER BY height DESC LIMIT 1`,
            ),
          ),
      bounded(scene.height()),
      altered === undefined ? [] : bounded(scene.sql<{ differs: boolean }>(altered)),
    ]);
    const { 'x-chain-height': height, 'x-chain-hash': hash, age } = answer?.headers ?? {};
    // With an age it is what a server has kept while its database is away.
    const http = answer?.status === 200 && age === undefined ? 'answers' : 'fails';
    const servedHeight = http === 'answers' ? Number(height) : undefined;
    const storedHeight = stored?.[0] && Number(stored[0].head.split(' ')[0]);
    const lag = storedHeight !== undefined && nodeHeight !== undefined ? nodeHeight - storedHeight : undefined;
    looks += 1;
    return {
      http,
      websocket: websocket === true ? 'opens' : 'fails',
      ...(http === 'answers' && { served: `${String(height)} ${String(hash)}` }),
      ...(stored?.[0] && { stored: stored[0].head }),
      ...(nodeHeight !== undefined && { nodeHeight }),
      late: servedHeight === undefined || nodeHeight === undefined || nodeHeight - servedHeight > MAX_LAG,
      ...(lag !== undefined && { lag }),
      ...(changed !== undefined && { differs: changed[0]?.differs ?? false }),
    };
  }

  async function opens(address: string): Promise<true> {
    const socket = new WebSocket(address);
    socket.on('error', () => undefined);
    try {
      await once(socket, 'open');
      return true;
    } finally {
      socket.terminate();
    }
  }

  /** Differences between the status and what clients see; empty if both agree. */
  async function disagreements(): Promise<string[]> {
    const seen = await look();
    const { conditions = [], height, activeSchema } = await scene.status();
    const conditionOf = (type: string): string => conditions.find((one) => one.type === type)?.status ?? 'missing';
    const wrong: string[] = [];
    const served = seen.http === 'answers' && seen.websocket === 'opens';
    // Another database in the Secret makes Ready False at once, while servers still use the old database.
    const isMoving = conditions.some(({ type, reason }) => type === 'Ready' && reason === 'DatabaseChanged');
    if ((conditionOf('Ready') === 'True') !== served && !(served && isMoving))
      wrong.push(`Ready is ${conditionOf('Ready')}`);
    const saysWell =
      conditionOf('Ready') === 'True' && conditionOf('Populated') === 'True' && conditionOf('Degraded') === 'False';
    if (saysWell && seen.late) wrong.push('all conditions are fine while clients are served late, or not at all');
    if (conditionOf('Populated') === 'True' && seen.stored === undefined)
      wrong.push('Populated is True without a database');
    if (conditionOf('Populated') === 'False' && conditionOf('Degraded') === 'False')
      wrong.push('Populated is False, but nothing Degraded');
    if (served && seen.stored !== undefined && seen.served !== seen.stored)
      wrong.push('the copy that the status names is not the copy that serves');
    if (saysWell && String(height) !== seen.served?.split(' ')[0]) wrong.push(`the height is ${height}`);
    const [columns, metrics] = await Promise.all([scene.columns(), scene.metrics().catch(() => undefined)]);
    if (columns['Ready'] !== conditionOf('Ready')) wrong.push(`the column READY is ${String(columns['Ready'])}`);
    if (columns['Lag'] !== null && seen.lag !== undefined && columns['Lag'] !== seen.lag)
      wrong.push(`the column LAG is ${String(columns['Lag'])}`);
    if (columns['Lag'] !== null && columns['Seen'] !== null) wrong.push('the columns LAG and SEEN both have a value');
    if (columns['Verified'] !== conditionOf('Verified'))
      wrong.push(`the column VERIFIED is ${String(columns['Verified'])}`);
    if (seen.differs !== undefined && (conditionOf('Verified') === 'False') !== seen.differs)
      wrong.push(`Verified is ${conditionOf('Verified')}`);
    if (conditionOf('Verified') === 'False' && conditionOf('Degraded') !== 'True')
      wrong.push('Verified is False, but nothing Degraded');
    const sleeps = conditions.some(({ reason }) => reason === 'Hibernated');
    if ((columns['Phase'] === 'Hibernated') !== sleeps) wrong.push(`the column PHASE is ${String(columns['Phase'])}`);
    if (metrics === undefined) wrong.push('no operator reports its metrics');
    else {
      if (metrics['mdw_operator_lag_blocks'] !== (columns['Lag'] ?? undefined))
        wrong.push(`the lag of the operator's metric is ${metrics['mdw_operator_lag_blocks']}`);
      for (const [alert, [type, value]] of Object.entries(ALERTS)) {
        const { status, reason } = conditions.find((one) => one.type === type) ?? {};
        const said = reason !== 'Hibernated' && status === (value === 1 ? 'True' : 'False');
        if ((metrics[type] === value) !== said) wrong.push(`the metric of ${alert} is ${metrics[type]}`);
      }
      if (served && metrics['Ready'] === 0 && !isMoving)
        wrong.push('MiddlewareNotReady waits while clients are served');
      if (!served && !sleeps && metrics['Ready'] !== 0)
        wrong.push('MiddlewareNotReady does not wait, and clients fail');
    }
    wrong.push(...((await alerts?.wrong(seen, activeSchema)) ?? []));
    return wrong.map((what) => `${what}: ${JSON.stringify(seen)}, ${conditions.map(inShort).join('; ')}`);
  }

  const inShort = ({ type, status, reason }: { type: string; status: string; reason: string }): string =>
    `${type} ${status} ${reason}`;

  async function agree(when: string): Promise<void> {
    let wrong: string[] = [];
    const until = performance.now() + SAID_WITHIN * 1000;
    do {
      wrong = await disagreements();
      if (wrong.length === 0) return;
      await pause(200);
    } while (performance.now() < until);
    mismatches += 1;
    expect(wrong, `${when}, TRUTH_SEED=${SEED}`).to.deep.equal([]);
  }

  async function well(when: string): Promise<void> {
    const wanted = ['Ready True', 'Populated True', 'Degraded False', 'Reconciling False', 'Stalled False'];
    let wrong: string[] = [];
    const until = performance.now() + WELL_WITHIN * 1000;
    do {
      const { conditions = [] } = await scene.status();
      const current = conditions.map(({ type, status }) => `${type} ${status}`);
      wrong = [
        ...wanted
          .filter((one) => !current.includes(one))
          .map((one) => `${one} is awaited: ${conditions.map(inShort).join('; ')}`),
        ...(await disagreements()),
      ];
      if (wrong.length === 0) return;
      await pause(200);
    } while (performance.now() < until);
    expect(wrong, `all is well ${when}, TRUTH_SEED=${SEED}`).to.deep.equal([]);
  }

  /** Draws each kind once before any kind is repeated. */
  let left: Step[] = [];
  function next(): Step {
    if (left.length === 0) left = STEPS_THERE_ARE.filter(({ what }) => ONLY.test(what));
    return left.splice(random.int(0, left.length - 1), 1)[0]!;
  }

  it('agrees with clients before any fault', () => well('at the beginning'));

  for (let step = 1; step <= STEPS; step += 1) {
    const { what, begin } = next();
    it(`agrees at step ${step}: ${what}`, async () => {
      const mend = await begin();
      try {
        await agree(what);
        await pause(random.int(0, 8) * 500);
        await agree(`still ${what}`);
      } finally {
        await mend();
      }
      await agree(`after ${what}`);
      await well(`after ${what}`);
    });
  }

  it('set off no alert about Jobs', () => {
    const jobs = JSON.parse(kubectl('get', 'jobs', '-o', 'json')) as { items: Job[] };
    const failed = jobs.items.filter(({ status }) => (status?.failed ?? 0) > 0).map(({ metadata }) => metadata.name);
    expect(failed).to.deep.equal([]);
  });
});
