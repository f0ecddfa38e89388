import { mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { planeFolder, tool } from './kube-tools.js';
import { startPlane } from './plane.js';
import type { Plane } from './plane.js';
import { IMAGES, makeImages } from './test-images.js';
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
  /** One statement as administrator of the database in the cluster. */
  sql(statement: string): Promise<void>;
  stop(): void;
}

export const NAMESPACE = 'data';

/** A real node with the images, and in the namespace `data` PostgreSQL and a simulated chain of 40 generations. */
export async function startRealNode(): Promise<RealNode> {
  const plane = startPlane('start-node');
  try {
    // The namespaces of the node have a /tmp of the machine, but not its /var/lib.
    const images = join(plane.folder, 'archives');
    mkdirSync(images);
    for (const archive of makeImages(images)) plane.loadImage(archive);
    plane.kubectl(['create', 'namespace', NAMESPACE]);
    const folder = join(plane.folder, 'postgres');
    mkdirSync(folder, { mode: 0o777 });
    spawnSync('chown', ['70:70', folder]);
    plane.kubectl(['-n', NAMESPACE, 'apply', '-f', '-'], JSON.stringify(surroundings(folder)));
    for (const name of ['postgres', 'node']) {
      plane.kubectl(['-n', NAMESPACE, 'rollout', 'status', `deployment/${name}`, '--timeout=120s']);
    }
    const tunnel = await openTunnel(plane.folder);
    const address = await tunnel.to(clusterIp(plane, 'postgres'), 5432);
    const sql = async (statement: string): Promise<void> => {
      const client = new pg.Client({ connectionString: `postgres://postgres:admin@${address}/postgres` });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    return {
      plane,
      tunnel,
      sql,
      stop() {
        tunnel.close();
        plane.stop();
      },
    };
  } catch (error) {
    plane.stop();
    throw error;
  }
}

export const clusterIp = (plane: Plane, service: string): string =>
  plane.kubectl(['-n', NAMESPACE, 'get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}']);

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
            env: [{ name: 'PASSWORD', value: 'admin' }],
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
            image: IMAGES.middleware,
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
