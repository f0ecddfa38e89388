import { ANNOTATION, LABEL, childMetadata, identityLabels } from '../names.js';
import type { Component } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Middleware, PodTemplate, SecretFacts, SecretFault, World } from '../types.js';
import { configName } from './config.js';
import { replicas } from './replicas.js';

/** User and group of the image. */
const GROUP_ID = 65_532;
const SECRET_FOLDER = '/var/run/secrets/mdw/database';
/** Readable for owner and group. */
const SECRET_MODE = 0o440;

interface PodOptions {
  component: Component;
  color: Color;
  schema: string;
  args: string[];
  /** Whether the pod reads from replicas, too: servers do. */
  reads?: 'replicas';
  env?: { name: string; value: string }[];
  /** Ports, probes, lifecycle of the container. */
  container?: Record<string, unknown>;
  pod?: Record<string, unknown>;
}

type Fields = Middleware['spec']['server' | 'populator' | 'migration'];

/** A pod of the middleware under restricted pod security, with its settings and the URL of its database as a file. */
export function podTemplate(world: World, fields: Fields, options: PodOptions): PodTemplate {
  const { resource, defaultImage } = world;
  const { spec, metadata } = resource;
  const { component, color, schema, args, reads, env = [], container, pod } = options;
  const source = databaseSecret(resource);
  const read = reads === 'replicas' ? replicas(resource) : { env: [], mounts: [] };
  const secrets = [world.database, ...(read.mounts.length > 0 && world.readDatabase ? [world.readDatabase] : [])];
  return {
    metadata: {
      labels: {
        ...spec.labels,
        ...fields.podLabels,
        ...identityLabels(metadata.name),
        [LABEL.component]: component,
        [LABEL.color]: color,
      },
      annotations: {
        ...spec.annotations,
        ...fields.podAnnotations,
        [ANNOTATION.secret]: secrets.map(secretHash).join('.'),
      },
    },
    spec: {
      serviceAccountName: metadata.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
      ...(fields.nodeSelector && { nodeSelector: fields.nodeSelector }),
      ...(fields.tolerations && { tolerations: fields.tolerations }),
      ...(fields.affinity && { affinity: fields.affinity }),
      ...(fields.topologySpreadConstraints && { topologySpreadConstraints: fields.topologySpreadConstraints }),
      ...(fields.priorityClassName && { priorityClassName: fields.priorityClassName }),
      securityContext: {
        runAsNonRoot: true,
        fsGroup: GROUP_ID,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'mdw',
          image: spec.image ?? defaultImage,
          ...(spec.imagePullPolicy && { imagePullPolicy: spec.imagePullPolicy }),
          args,
          envFrom: [{ configMapRef: { name: configName(resource) } }],
          env: [
            { name: 'DATABASE_SCHEMA', value: schema },
            { name: 'DATABASE_URL_FILE', value: `${SECRET_FOLDER}/url` },
            ...read.env,
            ...env,
          ],
          resources: fields.resources,
          terminationMessagePolicy: 'FallbackToLogsOnError',
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [
            { name: 'database', mountPath: SECRET_FOLDER, readOnly: true },
            ...read.mounts.map(({ name, path }) => ({ name, mountPath: path, readOnly: true })),
            { name: 'tmp', mountPath: '/tmp' },
          ],
          ...container,
        },
      ],
      volumes: [
        {
          name: 'database',
          secret: { secretName: source.name, items: [{ key: source.key, path: 'url' }], defaultMode: SECRET_MODE },
        },
        ...read.mounts.map(({ name, secret: { name: secretName, key } }) => ({
          name,
          secret: { secretName, items: [{ key, path: 'urls' }], defaultMode: SECRET_MODE },
        })),
        { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
      ],
      ...pod,
    },
  };
}

/** The Secret with the URL; CloudNativePG makes one for the owner of the database. */
export function databaseSecret({ spec }: Middleware): { name: string; key: string } {
  const { secret, cluster } = spec.database;
  return secret ?? { name: `${cluster?.name}-app`, key: 'uri' };
}

const secretHash = (facts: SecretFacts | SecretFault): string => ('hash' in facts ? facts.hash : 'none');

/** Metadata of a child that belongs to one copy. */
export const copyMetadata = (resource: Middleware, name: string, component: Component, color: Color) =>
  childMetadata(resource, name, { [LABEL.component]: component, [LABEL.color]: color });

/** Selects the pods of a component of one copy. */
export const podSelector = (resource: Middleware, component: Component, color?: Color): Record<string, string> => ({
  [LABEL.name]: 'chain-middleware',
  [LABEL.instance]: resource.metadata.name,
  [LABEL.component]: component,
  ...(color && { [LABEL.color]: color }),
});
