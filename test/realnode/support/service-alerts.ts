/** The alerts about populators and servers in a real Prometheus, compared with what SQL, the node and the pods themselves say. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { findAccess } from '../../../src/operator/kube/kubeconfig.js';
import type { Pod } from '../../../src/operator/types.js';
import { withTimeout } from '../../../src/runtime/with-timeout.js';
import { repeatedly } from '../../support/repeatedly.js';
import { startPrometheus } from '../../chart/prometheus.js';
import type { Scene } from './scene.js';

/** Interval of scrapes, ms. */
const EVERY_MS = 2_000;
/** Max time of a question, ms. */
const ANSWER_MS = 3_000;
/** Time in which Prometheus gets to know that a pod is gone: it reads its targets every few seconds, and applies them every 5 s. */
const GONE_MS = 12_000;
/** Time in which a populator notices that its node is silent, ms. */
const NODE_MS = 30_000;
/** As in the rules of the chart. */
const [MAX_LAG, MAX_AGE_SECONDS] = [5, 1_800];
/** Nothing in the walk is their cause. */
const NEVER = [
  'MiddlewareDeepFork',
  'MiddlewareReorgHeld',
  'MiddlewareRowsDiffer',
  'MiddlewareNodesContradict',
  'MiddlewareUndecodableTransactions',
  'MiddlewareDecodeBacklog',
  'MiddlewareBalancesDiffer',
  'MiddlewareMoneyUnanswered',
  'MiddlewareSlowClients',
];

/** What is known of the middleware without its metrics. */
interface Facts {
  /** Pods that have an address, and whether they answer a probe; `late` if Prometheus may have waited too short for them. */
  pods: { component: string; answers: 'yes' | 'late' | 'no' }[];
  /** Whether somebody holds the right to write, and age of the head; undefined while the database does not answer. */
  stored: { held: boolean; age: number } | undefined;
  nodeAnswers: boolean;
}

/** What a client of the Service and of the node sees at the same time. */
interface ClientView {
  http: 'answers' | 'fails';
  lag?: number;
}

export interface ServiceAlerts {
  /** Alerts that are active although nothing is wrong, or not although something is; empty if all are right. */
  wrong(seen: ClientView, schema: string | undefined): Promise<string[]>;
  /** Alerts that were active at some time, in order of their names. */
  seen(): string[];
  close(): Promise<void>;
}

/** Lets a real Prometheus scrape the pods of the resource, with the labels that the Prometheus operator gives them. */
export async function watchServiceAlerts(scene: Scene, namespace: string, resource: string): Promise<ServiceAlerts> {
  const rules = readFileSync('charts/chain-middleware/files/middleware-alerts.yaml', 'utf8');
  const { port, ...how } = await throughApiServer(scene.node.plane.kubeconfig);
  const prometheus = await startPrometheus([parse(rules) as object], EVERY_MS, how);
  const known = new Set<string>();
  let goneAt = -Infinity;
  const finding = repeatedly(EVERY_MS / 2, async () => {
    const pods = await scene.servicePods().catch(() => undefined);
    if (pods === undefined) return;
    const found = new Set(pods.map(({ metadata }) => metadata.name));
    for (const pod of known) {
      if (found.has(pod)) continue;
      prometheus.drop(pod);
      goneAt = performance.now();
    }
    for (const pod of found) {
      const path = `/api/v1/namespaces/${namespace}/pods/${pod}:9090/proxy/metrics`;
      const labels = { namespace, pod, instance: pod, job: `${resource}-metrics`, __metrics_path__: path };
      if (!known.has(pod)) prometheus.scrape(pod, { port, labels });
    }
    known.clear();
    for (const pod of found) known.add(pod);
  });
  const active = new Set<string>();
  let answeredAt = performance.now();

  return {
    async wrong(seen, schema) {
      const [facts, now] = await Promise.all([factsOf(scene, schema), prometheus.active().catch(() => undefined)]);
      if (now === undefined) return [];
      for (const alert of now) active.add(alert);
      if (facts.nodeAnswers) answeredAt = performance.now();
      const isPodGone = performance.now() - goneAt < GONE_MS;
      const expected = expectedOf(facts, seen, { silentMs: performance.now() - answeredAt, isPodGone });
      return Object.entries(expected).flatMap(([alert, isActive]) =>
        isActive === undefined || now.includes(alert) === isActive
          ? []
          : [`${alert} is ${isActive ? 'not ' : ''}active: ${JSON.stringify({ ...facts, isPodGone })}`],
      );
    },
    seen: () => [...active].sort(),
    async close() {
      await finding.stop();
      await prometheus.close();
    },
  };
}

/** Whether each alert must be active; undefined while that is not known. */
function expectedOf(
  { pods, stored, nodeAnswers }: Facts,
  { http, lag }: ClientView,
  /** `isPodGone`: Prometheus may still ask a pod that is gone. */
  { silentMs, isPodGone }: { silentMs: number; isPodGone: boolean },
): Record<string, boolean | undefined> {
  const populates = pods.some(({ component, answers }) => component === 'populator' && answers !== 'no');
  const writes = stored?.held === true && populates;
  const either = (yes: boolean, no: boolean): boolean | undefined => (yes ? true : no ? false : undefined);
  const isOld = stored && stored.age > MAX_AGE_SECONDS;
  return {
    MiddlewareTargetDown: either(
      pods.some(({ answers }) => answers === 'no'),
      !isPodGone && pods.every(({ answers }) => answers === 'yes'),
    ),
    MiddlewareNoWriter: either(stored?.held === false && (populates || http === 'answers'), writes),
    MiddlewareBehindNode: either(writes && lag !== undefined && lag > MAX_LAG, lag !== undefined && lag <= MAX_LAG),
    MiddlewareTopTooOld: either(isOld === true && (writes || http === 'answers'), isOld === false),
    MiddlewareNodeNotUsable: either(writes && silentMs > NODE_MS, writes && nodeAnswers),
    ...Object.fromEntries(NEVER.map((alert) => [alert, false])),
  };
}

async function factsOf(scene: Scene, schema: string | undefined): Promise<Facts> {
  const bounded = <T>(answer: Promise<T>): Promise<T | undefined> =>
    withTimeout(
      ANSWER_MS,
      answer.catch(() => undefined),
    );
  const sql = `SELECT w.ends_at > clock_timestamp() AS held, extract(epoch FROM clock_timestamp()) - k.time / 1000 AS age
    FROM ${schema}.writer AS w, (SELECT time FROM ${schema}.key_blocks ORDER BY height DESC LIMIT 1) AS k`;
  const [pods, rows, nodeAnswers] = await Promise.all([
    scene.servicePods().then((found) =>
      Promise.all(
        found.map(async (pod) => {
          const asked = performance.now();
          const isAnswer = (await bounded(scene.answers(pod))) === true;
          const isLate = performance.now() - asked > EVERY_MS / 4;
          return { component: componentOf(pod), answers: isAnswer ? (isLate ? 'late' : 'yes') : 'no' } as const;
        }),
      ),
    ),
    schema === undefined ? undefined : bounded(scene.sql<{ held: boolean; age: string }>(sql)),
    bounded(scene.nodeAnswers()),
  ]);
  const [row] = rows ?? [];
  return {
    pods,
    stored: row && { held: row.held, age: Number(row.age) },
    nodeAnswers: nodeAnswers === true,
  };
}

const componentOf = ({ metadata }: Pod): string => metadata.labels?.['app.kubernetes.io/component'] ?? '';

/** The machine does not see the network of the pods: Prometheus reaches them through the API server. */
async function throughApiServer(kubeconfig: string) {
  const access = findAccess({ kubeconfig, env: {} });
  const { tls } = await access.credentials();
  const files = Object.fromEntries(
    Object.entries({ 'ca.crt': tls.ca, 'client.crt': tls.cert, 'client.key': tls.key }).map(([name, content]) => [
      name,
      Buffer.from(content as string | Buffer),
    ]),
  );
  const tls_config = { ca_file: 'ca.crt', cert_file: 'client.crt', key_file: 'client.key' };
  return { port: Number(new URL(access.server).port), config: { scheme: 'https', tls_config }, files };
}
