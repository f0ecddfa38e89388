import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../../../src/operator/kube/client.js';
import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';
import { KubeError } from '../../../src/operator/kube/errors.js';
import { findAccess } from '../../../src/operator/kube/kubeconfig.js';
import { asYaml, customResourceDefinition } from '../../../src/operator/schema/crd.js';
import { binaries, output, planeFolder, run } from '../../support/kube-tools.js';
import type { Ran } from '../../support/kube-tools.js';
import { eventually } from './eventually.js';
import { PLANES } from './planes.js';

/** Why there is no cluster for tests; undefined if there is one. */
export const missingPlane: string | false =
  process.env.KUBECONFIG === undefined &&
  planeFolder === undefined &&
  'set KUBE_PLANE to the folder of a control plane, or KUBECONFIG to a cluster';

export interface Plane {
  kubeconfig: string;
  client: KubeClient;
  request<T = unknown>(path: string, request?: KubeRequest): Promise<T>;
  /** Runs kubectl; throws its error output when it fails. */
  kubectl(...args: string[]): string;
  /** Runs kubectl, and returns a failure as a result. */
  tryKubectl(...args: string[]): Ran;
  apply(object: unknown): void;
  /** Stops and starts the API server; false if the cluster is not owned by the tests. */
  apiServer: { stop(): Promise<void>; start(): void } | undefined;
}

let plane: Promise<Plane> | undefined;
let folder: string | undefined;

/** One control plane for all suites of a process. A server that ended is started again, and the end of its log is shown. */
export async function usePlane(): Promise<Plane> {
  const opened = await (plane ??= open());
  const answer = await opened.client.request('/api').catch((error: unknown) => error);
  if (answer instanceof KubeError && answer.reason === 'Unreachable' && folder !== undefined) {
    const log = run('tail', ['-n', '20', join(folder, 'log', 'kube-apiserver.log'), join(folder, 'log', 'etcd.log')]);
    process.stderr.write(`The API server is gone: ${answer.message}\n${log.stdout}\n`);
    opened.apiServer?.start();
  }
  return opened;
}

after(async () => {
  // The next test file of this process uses the plane, too.
  if (process.env[PLANES] !== undefined) return;
  await (await plane)?.client.close();
  if (folder === undefined) return;
  run(join(planeFolder ?? '', 'stop'), [folder, '--wipe']);
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<Plane> {
  const given = process.env.KUBECONFIG;
  const kubeconfig = given ?? (await startPlane());
  const client = createKubeClient(findAccess({ kubeconfig, env: {} }));
  const kubectlArgs = (args: string[]): string[] => ['--kubeconfig', kubeconfig, ...args];
  const kubectl = given === undefined ? join(binaries() ?? '', 'kubectl') : 'kubectl';
  const apply = (object: unknown): void => {
    const args = kubectlArgs(['apply', '--server-side', '--force-conflicts', '-f', '-']);
    output(kubectl, args, { input: asYaml(object) });
  };
  const made: Plane = {
    kubeconfig,
    client,
    request: (path, request) => client.request(path, request),
    kubectl: (...args) => output(kubectl, kubectlArgs(args)),
    tryKubectl: (...args) => run(kubectl, kubectlArgs(args)),
    apply,
    apiServer: folder === undefined ? undefined : apiServerOf(folder),
  };
  apply(customResourceDefinition());
  await eventually(() => client.request('/apis/chain-middleware.io/v1alpha1/middlewares'));
  return made;
}

async function startPlane(): Promise<string> {
  folder = mkdtempSync(join(process.env[PLANES] ?? tmpdir(), 'mdw-plane-'));
  const env = { ...process.env, PLANE_API_PORT: String(await fixedPort()) };
  const lines = output(join(planeFolder ?? '', 'start'), [folder, binaries() ?? ''], { env })
    .trim()
    .split('\n');
  return lines.at(-1) ?? '';
}

/**
 * A free port below those that Linux assigns to outgoing connections. While the API server is down, one of the many
 * connection attempts could get its port, and the server could never listen there again.
 */
async function fixedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await once(server, 'listening').catch(() => undefined);
  server.close();
  return free !== undefined;
}

function apiServerOf(state: string): Plane['apiServer'] {
  const read = (file: string): string => readFileSync(file, 'utf8');
  return {
    async stop() {
      const pid = read(join(state, 'run', 'kube-apiserver.pid')).split(' ')[0] ?? '';
      const port = Number(/^api=(\d+)/m.exec(read(join(state, 'ports')))?.[1]);
      process.kill(Number(pid), 'SIGKILL');
      await eventually(async () => {
        if (existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(read(`/proc/${pid}/stat`)))
          throw new Error('it still runs');
        // Its first thread may end before the others.
        if (!(await isFree(port))) throw new Error('it still has its port');
      });
    },
    start: () => void output(join(planeFolder ?? '', 'start'), [state, binaries() ?? '']),
  };
}
