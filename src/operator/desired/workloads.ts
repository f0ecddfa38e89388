import { PORT } from '../../config/ports.js';
import { ANNOTATION, populatorName, serverName } from '../names.js';
import { wantedServers } from '../readings/colors.js';
import type { CopyPlan, Deployment, Middleware, Basis } from '../types.js';
import { hasCompatiblePort } from './compatible-port.js';
import { copyMetadata, podSelector, podTemplate } from './pod.js';
import type { PodOptions } from './pod.js';
import { metricsPort, populatorProbes, serverProbes } from './probes.js';

/** Time until the cluster sends no more requests to a server that drains, s. The server listens until then. */
const ENDPOINT_REMOVAL_SECONDS = 5;
/** Time for requests in progress, with a reserve, s. */
const REQUEST_SECONDS = 15;

/** The populator of a copy. Two must never run at once, so the old pod ends before a new one starts. */
export function populatorDeployment(basis: Basis, { color, schema, reload }: CopyPlan): Deployment {
  const { resource } = basis;
  const name = populatorName(resource.metadata.name, color);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: withReload(copyMetadata(resource, name, 'populator', color), reload),
    spec: {
      replicas: 1,
      revisionHistoryLimit: 2,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: podSelector(resource, 'populator', color) },
      template: podTemplate(basis, populatorPod({ color, schema })),
    },
  } as Deployment;
}

export const populatorPod = ({ color, schema }: Pick<CopyPlan, 'color' | 'schema'>): PodOptions => ({
  ...{ role: 'populator', component: 'populator', color, schema },
  args: ['-p'],
  container: { ports: [metricsPort], ...populatorProbes },
  pod: { terminationGracePeriodSeconds: 30 },
});

/** The servers of a copy. A new pod is ready before an old one ends. */
export function serverDeployment(basis: Basis, copy: CopyPlan): Deployment {
  const { color, servers, reload } = copy;
  const { resource, children } = basis;
  const name = serverName(resource.metadata.name, color);
  const selector = podSelector(resource, 'server', color);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: withReload(copyMetadata(resource, name, 'server', color), reload),
    spec: {
      replicas: servers === 'spec' ? wantedServers(resource, children.deployment(name)) : servers,
      revisionHistoryLimit: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: selector },
      template: podTemplate(basis, serverPod(resource, copy)),
    },
  } as Deployment;
}

export function serverPod(resource: Middleware, copy: Pick<CopyPlan, 'color' | 'schema' | 'reload'>): PodOptions {
  const { color, schema } = copy;
  const { websocket, server } = resource.spec;
  const drainMs = Math.max(websocket.drainMs, server.streamDrainMs);
  return {
    ...{ role: 'server', component: 'server', color, schema },
    args: ['-s'],
    reads: 'replicas',
    container: {
      ports: [
        { name: 'http', containerPort: PORT.http },
        { name: 'websocket', containerPort: PORT.websocket },
        ...(hasCompatiblePort(resource.spec) ? [{ name: 'compat', containerPort: PORT.compat }] : []),
        metricsPort,
      ],
      ...serverProbes(resource, copy),
      lifecycle: { preStop: { sleep: { seconds: ENDPOINT_REMOVAL_SECONDS } } },
    },
    pod: { terminationGracePeriodSeconds: ENDPOINT_REMOVAL_SECONDS + Math.ceil(drainMs / 1000) + REQUEST_SECONDS },
    spread: spread(podSelector(resource, 'server', color)),
  };
}

/** Records which reload made the copy, so that remains of an earlier copy are not mistaken for it. */
const withReload = <M extends { annotations: Record<string, string> }>(metadata: M, reload: string | undefined): M =>
  reload === undefined
    ? metadata
    : { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.reload]: reload } };

/** Spreads servers over machines and zones where there are several. It never prevents a server from starting. */
const spread = (selector: Record<string, string>) =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selector },
    matchLabelKeys: ['pod-template-hash'],
  }));
