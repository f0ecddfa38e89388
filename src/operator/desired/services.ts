import { ANNOTATION, LABEL, childMetadata, metricsServiceName } from '../names.js';
import type { Color } from '../schema/status.js';
import type { KubeObject, Middleware, Served } from '../types.js';
import { PORT } from '../../config/ports.js';
import { hasCompatiblePort } from './compatible-port.js';
import { podSelector } from './pod.js';

const port = (name: keyof typeof PORT) => ({ name, port: PORT[name], targetPort: name, protocol: 'TCP' });

export const METRICS_LABEL = { [LABEL.component]: 'metrics' };

/**
 * The Service for clients. HTTP and websockets are in one object, so that one write moves both to another copy. An
 * annotation records which copy serves, in case somebody edits the selector.
 */
export function liveService(resource: Middleware, live: Color, written: Record<string, string> = {}): KubeObject {
  const { type, annotations } = resource.spec.server.service;
  const metadata = childMetadata(resource, resource.metadata.name);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...annotations, ...written, [ANNOTATION.live]: live },
    },
    spec: {
      type,
      selector: podSelector(resource, 'server', live),
      ports: [
        { ...port('http'), appProtocol: 'http' },
        { ...port('websocket'), appProtocol: 'kubernetes.io/ws' },
        // Without a protocol: HTTP and websockets are on one port.
        ...(hasCompatiblePort(resource.spec) ? [port('compat')] : []),
      ],
    },
  };
}

/** The annotations of the live Service that record which copy serves, and why. */
export function annotationsOf({ reload, previous, promotedAt, rolledBack }: Served): Record<string, string> {
  const fields = {
    [ANNOTATION.reload]: reload,
    [ANNOTATION.previous]: previous,
    [ANNOTATION.promotedAt]: promotedAt,
    [ANNOTATION.rolledBack]: rolledBack,
  };
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

/** The Service by which Prometheus finds all pods, also those that are not ready. */
export function metricsService(resource: Middleware): KubeObject {
  const { name } = resource.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: childMetadata(resource, metricsServiceName(name), METRICS_LABEL),
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { [LABEL.name]: 'chain-middleware', [LABEL.instance]: name },
      ports: [{ ...port('metrics'), appProtocol: 'http' }],
    },
  };
}

/** The pods' own account: it has no rights, and its token is not mounted. */
export const serviceAccount = (resource: Middleware): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: childMetadata(resource, resource.metadata.name),
  automountServiceAccountToken: false,
});
