import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { planeFolder, tool } from './kube-tools.js';
import { startPlane } from './plane.js';
import type { Plane } from './plane.js';
import { IMAGES, makeImages } from './test-images.js';
import { eventually } from './populator.js';
import { openTunnel } from './tunnel.js';
import type { Tunnel } from './tunnel.js';

/** Why no real node can run here, or false. */
export function noRealNode(): string | false {
  if (planeFolder === undefined) return 'KUBE_PLANE names no folder with a control plane';
  if (process.getuid?.() !== 0) return 'a real node needs root';
  if (spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status !== 0) {
    return 'namespaces cannot be made here';
  }
  return tool('iptables') === undefined && tool('nft') === undefined && 'neither iptables nor nft is installed';
}

export interface RealNode {
  plane: Plane;
  tunnel: Tunnel;
  /** One statement as administrator of a database in the cluster, `postgres` unless given; its rows. */
  sql<Row extends object = Record<string, unknown>>(statement: string, database?: string): Promise<Row[]>;
  /** A session of the administrator. */
  connect(database: string): Promise<pg.Client>;
  /** Removes the operator and the namespace. */
  stop(): void;
}

export const NAMESPACE = 'data';

/** Name and namespace of the Helm release of the operator. */
export const RELEASE = ['mdw', '--namespace', 'mdw-system'];

/** Values of the chart: the image that the tests make. */
export const WITH_TEST_IMAGE = [
  '--set-string',
  'image.repository=mdw.test/chain-middleware,image.tag=1,image.pullPolicy=Never',
];

interface Machine {
  plane: Plane;
  tunnel: Tunnel;
}

let machine: Promise<Machine> | undefined;

/** One real node with the images for all suites of a run. */
const useMachine = (): Promise<Machine> => (machine ??= openMachine());

after(async () => {
  const opened = await machine?.catch(() => undefined);
  opened?.tunnel.close();
  opened?.plane.stop();
});

async function openMachine(): Promise<Machine> {
  const plane = startPlane('start-node');
  try {
    // The namespaces of the node have a /tmp of the machine, but not its /var/lib.
    const images = join(plane.folder, 'archives');
    mkdirSync(images);
    for (const archive of await makeImages(images)) plane.loadImage(archive);
    return { plane, tunnel: await openTunnel(plane.folder) };
  } catch (error) {
    plane.stop();
    throw error;
  }
}

/** A real node, with a namespace in which there are a new PostgreSQL and a new simulated chain of 40 generations. */
export async function startRealNode(namespace = NAMESPACE): Promise<RealNode> {
  const { plane, tunnel } = await useMachine();
  plane.kubectl(['create', 'namespace', namespace]);
  const folder = mkdtempSync(join(plane.folder, 'postgres-'));
  chmodSync(folder, 0o777);
  spawnSync('chown', ['70:70', folder]);
  plane.kubectl(['-n', namespace, 'apply', '-f', '-'], JSON.stringify(surroundings(folder)));
  for (const name of ['postgres', 'node']) {
    plane.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=120s']);
  }
  const address = await tunnel.to(clusterIp(plane, 'postgres', namespace), 5432);
  const connect = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: `postgres://postgres:admin@${address}/${database}` });
    await client.connect();
    return client;
  };
  const sql = async <Row extends object>(statement: string, database = 'postgres'): Promise<Row[]> => {
    const client = await connect(database);
    const { rows } = await client.query<Row>(statement).finally(() => client.end());
    return rows;
  };
  // The network rules of a new Service are set a moment after its pod is ready.
  await eventually(
    () => sql('SELECT 1').then(String, String),
    (answer) => !answer.includes('Error'),
  );
  return {
    plane,
    tunnel,
    sql,
    connect,
    stop() {
      plane.helm(['uninstall', ...RELEASE, '--ignore-not-found', '--wait']);
      plane.kubectl(['delete', 'namespace', namespace, '--wait=false']);
    },
  };
}

export const clusterIp = (plane: Plane, service: string, namespace = NAMESPACE): string =>
  plane.kubectl(['-n', namespace, 'get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}']);

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

function surroundings(folder: string): object {
  const pod = (container: object, volumes: object[]): object => ({
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 2,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ name: 'main', securityContext: RESTRICTED, imagePullPolicy: 'Never', ...container }],
    volumes,
  });
  const deployment = (name: string, spec: object): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec },
    },
  });
  const service = (name: string, ...ports: number[]): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: ports.map((port) => ({ name: `p${port}`, port })) },
  });
  const ready = (port: number): object => ({ tcpSocket: { port }, periodSeconds: 1 });
  const tmp = { name: 'tmp', emptyDir: {} };
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      service('postgres', 5432),
      deployment(
        'postgres',
        pod(
          {
            image: IMAGES.postgres,
            env: [{ name: 'POSTGRES_PASSWORD', value: 'admin' }],
            readinessProbe: ready(5432),
            volumeMounts: [
              { name: 'data', mountPath: '/data' },
              { name: 'tmp', mountPath: '/tmp' },
            ],
          },
          [tmp, { name: 'data', hostPath: { path: folder } }],
        ),
      ),
      service('node', 3013, 3313),
      deployment(
        'node',
        pod(
          {
            image: IMAGES.development,
            args: ['devnode', '--external', '0.0.0.0:3013', '--admin', '0.0.0.0:3313', '--generations', '40'],
            readinessProbe: ready(3013),
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
          [tmp],
        ),
      ),
    ],
  };
}
