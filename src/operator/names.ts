import { createHash } from 'node:crypto';
import { API_VERSION, GROUP, KIND } from './schema/group.js';
import type { Color } from './schema/status.js';
import type { KubeObject, Middleware, OwnerReference } from './types.js';

export const FIELD_MANAGER = 'chain-middleware-operator';

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
  /** On Deployments: hash of the pod template, which shows whether it is the newest. */
  template: `${GROUP}/template`,
  /** On Deployments: the pod template itself, which stays when only a new version of the operator would change it. */
  podTemplate: `${GROUP}/pod-template`,
  /** On pod templates: changes with the Secret, and rolls the pods. */
  secret: `${GROUP}/secret`,
  /** On pod templates: the same for the certificates of authorities. */
  authorities: `${GROUP}/authorities`,
  /** On the resource: any new text asks for another attempt at the migration. */
  retry: `${GROUP}/retry`,
  /** On the resource: identity of the database to which its data was moved. */
  acceptDatabase: `${GROUP}/accept-database`,
  /** On the resource: the image, or the version of the operator, to which its pods may be upgraded now. */
  acceptUpgrade: `${GROUP}/accept-upgrade`,
  /** On the resource: "true" is like spec.paused. */
  paused: `${GROUP}/paused`,
  /** On the live Service: color of the copy that serves. Written together with the selector, which only follows it. */
  live: `${GROUP}/live`,
  /** On the live Service and on Deployments: the reload that made the copy. */
  reload: `${GROUP}/reload`,
  /** On the live Service: the reload that made the copy which served before, if one did. */
  previous: `${GROUP}/previous`,
  /** On the live Service: when the copy began to serve. */
  promotedAt: `${GROUP}/promoted-at`,
  /** On the live Service: the reload that was rolled back. */
  rolledBack: `${GROUP}/rolled-back`,
  /** On Jobs: how many came before. */
  attempt: `${GROUP}/attempt`,
} as const;

/** The container of the middleware in its pods. */
export const CONTAINER = 'mdw';

/** That of PostgreSQL in the pod of a database for trials. */
export const DATABASE_CONTAINER = 'postgres';

/** Selects everything that the operator made, for all resources. */
export const MANAGED_SELECTOR = `${LABEL.managedBy}=${FIELD_MANAGER}`;
/** Selects what others made. */
export const OTHERS_SELECTOR = `${LABEL.managedBy}!=${FIELD_MANAGER}`;

/** Begins identities that say only by which name a database is reached, where its role may not read more. */
const BY_NAME = 'name:';
export const databaseByName = (name: string): string => BY_NAME + name;
export const isDatabaseByName = (identity: string): boolean => identity.startsWith(BY_NAME);

export type Component = 'migration' | 'populator' | 'server' | 'reload' | 'verification' | 'acceptance' | 'database';

export const populatorName = (name: string, color: Color): string => `${name}-populator-${color}`;
export const serverName = (name: string, color: Color): string => `${name}-server-${color}`;
/** Of all that is made for a database for trials. */
export const trialName = (name: string): string => `${name}-postgres`;
export const metricsServiceName = (name: string): string => `${name}-metrics`;

/** Labels that identify the children of a resource. */
export const identityLabels = (name: string): Record<string, string> => ({
  [LABEL.name]: 'chain-middleware',
  [LABEL.instance]: name,
  [LABEL.managedBy]: FIELD_MANAGER,
});

/** What a child carries besides its spec. */
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

/** The reference to the resource that controls an object. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller === true);

export const refOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

/** The same text for equal values, in any order of their keys. */
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
