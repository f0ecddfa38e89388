import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaries, output, planeFolder, run, tool } from './kube-tools.js';
import type { Ran } from './kube-tools.js';

export interface Plane {
  folder: string;
  kubeconfig: string;
  /** Runs kubectl; throws when it fails. `input` goes to its standard input. */
  kubectl(args: string[], input?: string): string;
  tryKubectl(args: string[], input?: string): Ran;
  helm(args: string[]): string;
  /** Makes an image known to a real node, from an archive. */
  loadImage(archive: string): void;
  stop(): void;
}

/** Why there is no cluster to test on, or false. */
export const noCluster: string | false =
  process.env.KUBECONFIG === undefined &&
  planeFolder === undefined &&
  'set KUBE_PLANE to the folder of a control plane, or KUBECONFIG to a cluster';

/** The cluster of KUBECONFIG, if it is set, otherwise a new control plane. */
export function openCluster(): Omit<Plane, 'loadImage' | 'folder'> {
  const { KUBECONFIG: kubeconfig } = process.env;
  if (kubeconfig === undefined) return startPlane('start');
  const [kubectl, helm] = [tool('kubectl'), tool('helm')];
  if (kubectl === undefined || helm === undefined) throw new Error('kubectl and helm must be in PATH');
  return {
    kubeconfig,
    kubectl: (args, input) => output(kubectl, args, { input }),
    tryKubectl: (args, input) => run(kubectl, args, { input }),
    helm: (args) => output(helm, args),
    stop: () => undefined,
  };
}

/** A new control plane. `start` has simulated nodes; `start-node` has one real node, which needs root. */
export function startPlane(script: 'start' | 'start-node', env: Record<string, string> = {}): Plane {
  const bin = binaries();
  if (planeFolder === undefined || bin === undefined) throw new Error('KUBE_PLANE is not set');
  const scripts = planeFolder;
  const folder = mkdtempSync(join(tmpdir(), 'mdw-plane-'));
  const options = { env: { ...process.env, ...env } };
  const printed = output(join(scripts, script), [folder, bin], options);
  const kubeconfig = printed.trim().split('\n').at(-1)!;
  const withConfig = { env: { ...process.env, KUBECONFIG: kubeconfig } };
  return {
    folder,
    kubeconfig,
    kubectl: (args, input) => output(join(bin, 'kubectl'), args, { ...withConfig, input }),
    tryKubectl: (args, input) => run(join(bin, 'kubectl'), args, { ...withConfig, input }),
    helm: (args) => output(join(bin, 'helm'), args, withConfig),
    loadImage: (archive) => void output(join(scripts, 'load-image'), [folder, archive]),
    stop() {
      output(join(scripts, 'stop'), [folder, '--wipe']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
