import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../../../src/operator/kube/client.js';
import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';
import { findAccess } from '../../../src/operator/kube/kubeconfig.js';
import { asYaml, customResourceDefinition } from '../../../src/operator/schema/crd.js';
import { binaries, output, planeFolder, run } from '../../support/kube-tools.js';
import type { Ran } from '../../support/kube-tools.js';
import { eventually } from './eventually.js';

/** Why there is no cluster to test on. */
export const missingPlane: string | false =
  process.env.KUBECONFIG === undefined &&
  planeFolder === undefined &&
  'set KUBE_PLANE to the folder of a control plane, or KUBECONFIG to a cluster';

export interface Plane {
  kubeconfig: string;
  client: KubeClient;
  request<T = unknown>(path: string, request?: KubeRequest): Promise<T>;
  /** Runs kubectl; throws what it says when it fails. */
  kubectl(...args: string[]): string;
  /** The same, with the failure as a result. */
  tryKubectl(...args: string[]): Ran;
  apply(object: unknown): void;
  /** Ends and starts the API server; false where the cluster is somebody else's. */
  apiServer: { stop(): Promise<void>; start(): void } | undefined;
}

let plane: Promise<Plane> | undefined;
let folder: string | undefined;

/** One control plane for all suites of a run. */
export const usePlane = (): Promise<Plane> => (plane ??= open());

after(async () => {
  await (await plane)?.client.close();
  if (folder === undefined) return;
  run(join(planeFolder ?? '', 'stop'), [folder, '--wipe']);
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<Plane> {
  const given = process.env.KUBECONFIG;
  const kubeconfig = given ?? startPlane();
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

function startPlane(): string {
  folder = mkdtempSync(join(tmpdir(), 'mdw-plane-'));
  const lines = output(join(planeFolder ?? '', 'start'), [folder, binaries() ?? ''])
    .trim()
    .split('\n');
  return lines.at(-1) ?? '';
}

function apiServerOf(state: string): Plane['apiServer'] {
  const read = (file: string): string => readFileSync(file, 'utf8');
  return {
    async stop() {
      const pid = read(join(state, 'run', 'kube-apiserver.pid')).split(' ')[0] ?? '';
      process.kill(Number(pid), 'SIGKILL');
      await eventually(() => {
        if (existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(read(`/proc/${pid}/stat`)))
          throw new Error('it still runs');
      });
    },
    start: () => void output(join(planeFolder ?? '', 'start'), [state, binaries() ?? '']),
  };
}
