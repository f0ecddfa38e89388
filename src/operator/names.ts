import { createHash } from 'node:crypto';
import { API_VERSION, GROUP, KIND } from './schema/group.js';
import type { Color } from './schema/status.js';
import type { KubeObject, Middleware, OwnerReference } from './types.js';

export const FIELD_MANAGER = 'chain-middleware-operator';

/** Variable of Jobs: after a fault that could be written to the termination message, the program ends with status 0. */
export const TERMINATION_LOG_ONLY = 'TERMINATION_LOG_ONLY';

export const LABEL = {
  name: 'app.kubernetes.io/name',
  instance: 'app.kubernetes.io/instance',
  managedBy: 'app.kubernetes.io/managed-by',
  component: 'app.kubernetes.io/component',
  color: `${GROUP}/color`,
} as const;

export const ANNOTATION = {
  /** Hash of what was applied last. */
  applied: `${GROUP}/applied`,
  /** On Deployments: hash of the pod template. Shows whether the template is the newest. */
  template: `${GROUP}/template`,
  /** On Deployments: the pod template itself. It stays in use while only a new version of the operator would change it. */
  podTemplate: `${GROUP}/pod-template`,
  /** On pod templates: changes with the Secret, so that the pods are replaced. */
  secret: `${GROUP}/secret`,
  /** On pod templates: changes with the CA certificates, so that the pods are replaced. */
  authorities: `${GROUP}/authorities`,
  /** On the resource: any new text requests another attempt at the migration. */
  retry: `${GROUP}/retry`,
  /** On the resource: identity of the database to which its data was moved. */
  acceptDatabase: `${GROUP}/accept-database`,
  /** On the resource: the image, or the version of the operator, to which its pods may be upgraded now. */
  acceptUpgrade: `${GROUP}/accept-upgrade`,
  /** On the resource: the operator that is to be in charge of it, as the lease NAMESPACE/NAME. */
  acceptOperator: `${GROUP}/accept-operator`,
  /** On the resource: "true" is like spec.paused. */
  paused: `${GROUP}/paused`,
  /** On the live Service: color of the copy that serves. Written together with the selector; this annotation decides. */
  live: `${GROUP}/live`,
  /** On the live Service and on Deployments: the reload that made the copy. */
  reload: `${GROUP}/reload`,
  /** On the live Service: the reload that made the copy which served before; absent if no reload made it. */
  previous: `${GROUP}/previous`,
  /** On the live Service: when the copy began to serve. */
  promotedAt: `${GROUP}/promoted-at`,
  /** On the live Service: the reload that was rolled back. */
  rolledBack: `${GROUP}/rolled-back`,
  /** On Jobs: number of the attempt, from 0. */
  attempt: `${GROUP}/attempt`,
} as const;

/** Name of the container of the middleware in its pods. */
export const CONTAINER = 'mdw';

/** Name of the container of PostgreSQL in the pod of a trial database. */
export const DATABASE_CONTAINER = 'postgres';

/** Selects everything that the operator made, of all resources. */
export const MANAGED_SELECTOR = `${LABEL.managedBy}=${FIELD_MANAGER}`;
/** Selects everything that the operator did not make. */
export const OTHERS_SELECTOR = `${LABEL.managedBy}!=${FIELD_MANAGER}`;

/** Prefix of a database identity that is made from host, port and name only, because the role may not read more. */
const BY_NAME = 'name:';
export const databaseByName = (name: string): string => BY_NAME + name;
export const isDatabaseByName = (identity: string): boolean => identity.startsWith(BY_NAME);

export type Component =
  'survey' | 'migration' | 'populator' | 'server' | 'reload' | 'verification' | 'acceptance' | 'database';

export const populatorName = (name: string, color: Color): string => `${name}-populator-${color}`;
export const serverName = (name: string, color: Color): string => `${name}-server-${color}`;
/** Name of all objects of a trial database. */
export const trialName = (name: string): string => `${name}-postgres`;
export const metricsServiceName = (name: string): string => `${name}-metrics`;
export const compatibleRouteName = (name: string): string => `${name}-compatible`;

/** Labels that identify the children of a resource. */
export const identityLabels = (name: string): Record<string, string> => ({
  [LABEL.name]: 'chain-middleware',
  [LABEL.instance]: name,
  [LABEL.managedBy]: FIELD_MANAGER,
});

/** Metadata of a child: name, labels, annotations and the reference to the resource that owns it. */
export function childMetadata(resource: Middleware, name: string, labels: Record<string, string> = {}) {
  const { spec, metadata } = resource;
  return {
    name,
    namespace: metadata.namespace,
    labels: { ...spec.labels, ...identityLabels(metadata.name), ...labels },
    annotations: { ...spec.annotations },
    ownerReferences: [ownerReference(resource)],
  };
}

function ownerReference({ metadata }: Middleware): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion: API_VERSION, kind: KIND, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The owner reference of an object to its controller. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller === true);

export const refOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

/** JSON with sorted keys: equal values give equal texts. */
function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`)
    .join()}}`;
}

export const hashOf = (value: unknown, length = 10): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, length);
