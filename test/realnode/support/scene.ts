import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKubeClient } from '../../../src/operator/kube/client.js';
import { findAccess } from '../../../src/operator/kube/kubeconfig.js';
import { kindOf, pathOf } from '../../../src/operator/kube/kinds.js';
import type { MiddlewareStatus, ReloadPhase, ReloadStatus } from '../../../src/operator/schema/status.js';
import type { Deployment, Job, KubeObject, Pod } from '../../../src/operator/types.js';
import { watchService } from '../../cluster/support/endpoints.js';
import type { Watcher } from '../../cluster/support/endpoints.js';
import { mdw } from '../../support/mdw.js';
import { RELEASE, WITH_TEST_IMAGE, clusterIp, startRealNode } from '../../support/real-node.js';
import type { RealNode } from '../../support/real-node.js';
import { ask } from '../../support/steady-client.js';

const CHART = fileURLToPath(new URL('../../../charts/chain-middleware', import.meta.url));
const NAME = 'chain';
const COLOR = 'chain-middleware.io/color';
const RELOAD = 'chain-middleware.io/reload';
const ENDS: readonly string[] = ['Complete', 'Aborted', 'RolledBack', 'Failed'];

const resource = (namespace: string): string => `
apiVersion: chain-middleware.io/v1alpha1
kind: Middleware
metadata: {name: ${NAME}, namespace: ${namespace}}
spec:
  node: {urls: ['http://node:3013']}
  database: {secret: {name: chain-db}}
  head: {maxAge: 999999h} # the blocks of the simulated node are dated in the past
  populator: {pollIntervalMs: 200}
  # Tests mark copies by altering rows, which would be mended.
  settings: {VERIFY_SHARE: '0'}
  server: {replicas: 1}
  websocket: {drainMs: 1000}
`;

/** A resource on a real node, with helpers for tests of reloads. */
export interface Scene {
  node: RealNode;
  /** Addresses of the live Service. */
  http: string;
  events: string;
  /** Watches all changes of the live Service. */
  watcher: Watcher;
  status(): Promise<MiddlewareStatus>;
  /** What `kubectl get -o wide` shows of the resource, by column. */
  columns(): Promise<Record<string, string | number | null>>;
  /** What the operators report about the resource, by metric, or by type for conditions. */
  metrics(): Promise<Record<string, number>>;
  condition(type: string): Promise<string>;
  /** Merges into the spec. */
  change(spec: object): Promise<void>;
  /** Requests a reload with these fields. */
  reload(fields: { id: string } & Record<string, unknown>): Promise<void>;
  /** Waits until the reload is in one of the phases; throws when it ends in another. */
  phase(id: string, ...wanted: ReloadPhase[]): Promise<ReloadStatus>;
  /** Waits for another phase of the reload. */
  nextPhase(id: string, last: ReloadPhase | undefined): Promise<ReloadPhase>;
  /** Jobs of a reload, oldest first. */
  jobs(id: string, what: 'load' | 'verify'): Promise<Job[]>;
  /** Waits for a running pod of such a Job. */
  running(id: string, what: 'load' | 'verify'): Promise<Pod>;
  /** Populators and servers that have an address. */
  servicePods(): Promise<Pod[]>;
  /** Whether the address of metrics of a pod answers. */
  answers(pod: Pod): Promise<boolean>;
  /** Whether the node answers what populators ask it. */
  nodeAnswers(): Promise<boolean>;
  operators(): Promise<Pod[]>;
  /** Ends a pod: at once, or with its grace period. */
  end(pod: Pod, how: 'at once' | 'gracefully'): Promise<void>;
  /** Generations of the Deployments of a color, and restarts of its pods. */
  copy(color: string | undefined): Promise<unknown>;
  /** Schemas of copies in the database. */
  schemas(): Promise<string[]>;
  sql<Row extends object>(statement: string): Promise<Row[]>;
  /** Runs `mdw` and returns its standard output; throws when it fails. */
  mdw(command: string): Promise<string>;
  /** Controls the simulated chain. */
  chain(path: string, body: object | null): Promise<{ height: number }>;
  /** Real height of the simulated chain, even if the node answers another one. */
  height(): Promise<number>;
  /** Key blocks of the simulated chain, as `<height> <hash>`. */
  keyBlocks(): Promise<string[]>;
  eventually(what: string, holds: () => Promise<boolean> | boolean, seconds?: number): Promise<void>;
  /** All objects, as text for people. */
  describe(): string;
  close(): Promise<void>;
}

/** Starts the operator and a resource that serves a small chain. */
export async function openScene(namespace = 'reloads'): Promise<Scene> {
  const node = await startRealNode(namespace);
  const { plane, tunnel } = node;
  const client = createKubeClient(findAccess({ kubeconfig: plane.kubeconfig, env: {} }));
  const at = (kind: string, name?: string, within = namespace): string => pathOf(kindOf(kind), within, name);
  const list = async <T extends KubeObject>(kind: string, labelSelector: string, within?: string): Promise<T[]> =>
    (await client.request<{ items: T[] }>(at(kind, undefined, within), { query: { labelSelector } })).items;
  const addressOf = (service: string, port: number): Promise<string> =>
    tunnel.to(clusterIp(plane, service, namespace), port);
  plane.helm([
    'upgrade',
    '--install',
    ...RELEASE,
    CHART,
    '--create-namespace',
    ...WITH_TEST_IMAGE,
    '--wait',
    '--timeout=120s',
  ]);
  await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
  await node.sql('CREATE DATABASE mdw OWNER mdw');
  const url = '--from-literal=url=postgres://mdw:first@postgres/mdw';
  plane.kubectl(['-n', namespace, 'create', 'secret', 'generic', 'chain-db', url]);
  plane.kubectl(['apply', '-f', '-'], resource(namespace));

  const status: Scene['status'] = async () =>
    (await client.request<{ status?: MiddlewareStatus }>(at('Middleware', NAME))).status ?? {};
  const eventually: Scene['eventually'] = async (what, holds, seconds = 120) => {
    const until = performance.now() + seconds * 1000;
    while (!(await holds())) {
      if (performance.now() > until)
        throw new Error(`${what}: not within ${seconds} s: ${JSON.stringify(await status())}`);
      await pause(150);
    }
  };
  await eventually('it serves', async () => (await status()).phase === 'Serving');
  const watcher = watchService(client, namespace, NAME);
  const [admin, external] = [await addressOf('node', 3313), await addressOf('node', 3013)];
  const fromNode = async <T>(path: string): Promise<T> =>
    JSON.parse((await ask(`http://${external}${path}`)).text) as T;

  const scene: Scene = {
    node,
    http: `http://${await addressOf(NAME, 8080)}`,
    events: `ws://${await addressOf(NAME, 3020)}`,
    watcher,
    status,
    eventually,
    async columns() {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      interface Table {
        columnDefinitions: { name: string }[];
        rows: { cells: (string | number | null)[] }[];
      }
      const table = await client.request<Table>(at('Middleware', NAME), { accept });
      return Object.fromEntries(
        table.columnDefinitions.map(({ name }, nth) => [name, table.rows[0]!.cells[nth] ?? null]),
      );
    },
    async metrics() {
      const found: Record<string, number> = {};
      for (const { metadata } of await scene.operators()) {
        for await (const line of client.lines(
          `${at('Pod', `${metadata.name}:9090`, 'mdw-system')}/proxy/metrics`,
          {},
        )) {
          const [, metric, labels, value] = /^(\w+)({.*}) (\S+)$/.exec(line) ?? [];
          if (metric === undefined || !labels!.includes(`namespace="${namespace}",name="${NAME}"`)) continue;
          found[/type="(\w+)"/.exec(labels!)?.[1] ?? metric] = Number(value);
        }
      }
      return found;
    },
    async condition(type) {
      const found = (await status()).conditions?.find((one) => one.type === type);
      return `${found?.status} ${found?.reason}`;
    },
    async change(spec) {
      const contentType = 'application/merge-patch+json';
      await client.request(at('Middleware', NAME), { method: 'PATCH', contentType, body: { spec } });
    },
    reload: (fields) => scene.change({ reload: { action: null, promotion: null, retain: '11s', ...fields } }),
    async phase(id, ...wanted) {
      let seen: ReloadStatus = {};
      await eventually(wanted.join(' or '), async () => {
        seen = (await status()).reload ?? {};
        if (seen.id !== id || seen.phase === undefined) return false;
        if (wanted.includes(seen.phase)) return true;
        if (ENDS.includes(seen.phase)) throw new Error(`it ended: ${JSON.stringify(seen)}`);
        return false;
      });
      return seen;
    },
    async nextPhase(id, last) {
      let seen = last;
      await eventually(`a phase after ${last}`, async () => {
        const { reload } = await status();
        if (reload?.id === id) seen = reload.phase;
        return seen !== last;
      });
      return seen!;
    },
    async jobs(id, what) {
      const jobs = await list<Job>('Job', `${RELOAD}=${id}`);
      const begun = ({ metadata }: Job): string => metadata.creationTimestamp ?? '';
      return jobs
        .filter(({ metadata }) => metadata.name.startsWith(`${NAME}-${what}-`))
        .sort((a, b) => begun(a).localeCompare(begun(b)));
    },
    async running(id, what) {
      let pod: Pod | undefined;
      await eventually(`a pod of ${what} runs`, async () => {
        for (const { metadata } of await scene.jobs(id, what)) {
          const pods = await list<Pod>('Pod', `batch.kubernetes.io/job-name=${metadata.name}`);
          pod ??= pods.find((one) => one.status?.phase === 'Running');
        }
        return pod !== undefined;
      });
      return pod!;
    },
    async servicePods() {
      const pods = await list<Pod>(
        'Pod',
        `app.kubernetes.io/instance=${NAME},app.kubernetes.io/component in (populator,server)`,
      );
      return pods.filter(
        ({ status }) => status?.podIP !== undefined && status.phase !== 'Failed' && status.phase !== 'Succeeded',
      );
    },
    async answers({ metadata }) {
      const { alive } = await client.request<{ alive: boolean }>(`${at('Pod', `${metadata.name}:9090`)}/proxy/healthz`);
      return alive;
    },
    nodeAnswers: () => fromNode('/v2/key-blocks/current/height').then(() => true),
    operators: () => list<Pod>('Pod', 'app.kubernetes.io/instance=mdw', 'mdw-system'),
    async end({ metadata }, how) {
      const body = how === 'at once' ? { gracePeriodSeconds: 0 } : {};
      await client
        .request(at('Pod', metadata.name, metadata.namespace), { method: 'DELETE', body })
        .catch((error: { status?: number }) => {
          if (error.status !== 404) throw error;
        });
    },
    async copy(color) {
      const [deployments, pods] = [
        await list<Deployment>('Deployment', `${COLOR}=${color}`),
        await list<Pod>('Pod', `${COLOR}=${color}`),
      ];
      return {
        deployments: deployments.map(({ metadata: { name, uid, generation }, spec }) => [name, uid, generation, spec]),
        pods: pods
          .filter(({ metadata }) => metadata.labels?.['batch.kubernetes.io/job-name'] === undefined)
          .map(({ metadata, status: { containerStatuses } = {} }) => [
            metadata.name,
            containerStatuses?.[0]?.restartCount,
          ])
          .sort(),
      };
    },
    async schemas() {
      const rows = await scene.sql<{ nspname: string }>(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'mdw%'`);
      return rows.map(({ nspname }) => nspname);
    },
    sql: (statement) => node.sql(statement, 'mdw'),
    async mdw(command) {
      const args = [command, NAME, '-n', namespace];
      const { status: code, stdout, stderr } = await mdw(args, { KUBECONFIG: plane.kubeconfig });
      if (code !== 0) throw new Error(`mdw ${command}: ${code} ${stderr}`);
      return stdout;
    },
    async chain(path, body) {
      const { status: code, text } = await ask(`http://${admin}${path}`, body ?? []);
      if (code !== 200) throw new Error(`${path}: ${code} ${text}`);
      return JSON.parse(text) as { height: number };
    },
    async height() {
      return (JSON.parse((await ask(`http://${admin}/state`)).text) as { height: number }).height;
    },
    async keyBlocks() {
      const { height: top } = await fromNode<{ height: number }>('/v2/key-blocks/current/height');
      const hashes = Array.from({ length: top + 1 }, async (_, height) => {
        const { hash } = await fromNode<{ hash: string }>(`/v2/key-blocks/height/${height}`);
        return `${height} ${hash}`;
      });
      return Promise.all(hashes);
    },
    describe() {
      return [
        ['-n', namespace, 'get', 'mdw,pods,jobs', '-o', 'wide'],
        ['-n', namespace, 'get', 'mdw', NAME, '-o', 'yaml'],
        ['-n', namespace, 'logs', '--prefix', '--tail=15', '-l', `app.kubernetes.io/instance=${NAME}`],
        ['-n', 'mdw-system', 'logs', '--tail=40', '-l', 'app.kubernetes.io/instance=mdw'],
      ]
        .map((args) => plane.tryKubectl(args).stdout)
        .join('\n');
    },
    async close() {
      await watcher.stop();
      await client.close();
      node.stop();
    },
  };
  return scene;
}
