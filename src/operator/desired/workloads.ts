import { PORT } from '../../config/ports.js';
import { ANNOTATION, populatorName, serverName } from '../names.js';
import { wantedServers } from '../observe/copies.js';
import type { CopyPlan, Deployment, World } from '../types.js';
import { copyMetadata, podSelector, podTemplate } from './pod.js';
import { metricsPort, populatorProbes, serverProbes } from './probes.js';

/** Time until the cluster sends no more requests to a server that drains; it listens until then, s. */
const LEAVE_SECONDS = 5;
/** Time that requests under way get, with a reserve, s. */
const REST_SECONDS = 15;

/** The populator of a copy. Two must never run at once: the old one goes before the new one comes. */
export function populatorDeployment(world: World, { color, schema, reload }: CopyPlan): Deployment {
  const { resource } = world;
  const name = populatorName(resource.metadata.name, color);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: made(copyMetadata(resource, name, 'populator', color), reload),
    spec: {
      replicas: 1,
      revisionHistoryLimit: 2,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: podSelector(resource, 'populator', color) },
      template: podTemplate(world, resource.spec.populator, {
        component: 'populator',
        color,
        schema,
        args: ['-p'],
        container: { ports: [metricsPort], ...populatorProbes },
        pod: { terminationGracePeriodSeconds: 30 },
      }),
    },
  } as Deployment;
}

/** The servers of a copy: a new one is ready before an old one goes. */
export function serverDeployment(world: World, { color, schema, servers, reload }: CopyPlan): Deployment {
  const { resource, children } = world;
  const { spec } = resource;
  const name = serverName(resource.metadata.name, color);
  const selector = podSelector(resource, 'server', color);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: made(copyMetadata(resource, name, 'server', color), reload),
    spec: {
      replicas: servers === 'spec' ? wantedServers(resource, children.deployment(name)) : servers,
      revisionHistoryLimit: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: selector },
      template: podTemplate(
        world,
        { ...spec.server, topologySpreadConstraints: spec.server.topologySpreadConstraints ?? spread(selector) },
        {
          component: 'server',
          color,
          schema,
          args: ['-s'],
          reads: 'replicas',
          container: {
            ports: [
              { name: 'http', containerPort: PORT.http },
              { name: 'websocket', containerPort: PORT.websocket },
              metricsPort,
            ],
            ...serverProbes(resource),
            lifecycle: { preStop: { sleep: { seconds: LEAVE_SECONDS } } },
          },
          pod: {
            terminationGracePeriodSeconds:
              LEAVE_SECONDS +
              Math.ceil(Math.max(spec.websocket.drainMs, spec.server.streamDrainMs) / 1000) +
              REST_SECONDS,
          },
        },
      ),
    },
  } as Deployment;
}

/** Records which reload made the copy, so that remains of an earlier one are not taken for it. */
const made = <M extends { annotations: Record<string, string> }>(metadata: M, reload: string | undefined): M =>
  reload === undefined
    ? metadata
    : { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.reload]: reload } };

/** Spreads servers over machines and zones if there are several; never prevents a server from starting. */
const spread = (selector: Record<string, string>) =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selector },
    matchLabelKeys: ['pod-template-hash'],
  }));
