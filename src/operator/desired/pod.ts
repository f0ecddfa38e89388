import { ANNOTATION, CONTAINER, LABEL, childMetadata, identityLabels, trialName } from '../names.js';
import type { Component } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Middleware, PodTemplate, Basis } from '../types.js';
import { authorityFiles } from './authorities.js';
import { configName } from './config.js';
import { FILE_MODE } from './file-mode.js';
import { merged } from './merge.js';
import type { Fields } from './merge.js';
import { replicas } from './replicas.js';

/** Key of the URL in the Secret of a trial database. */
export const TRIAL_URL = 'url';

const SECRET_FOLDER = '/var/run/secrets/mdw/database';
const ROSETTA_FOLDER = '/var/run/secrets/mdw/rosetta';
const GENESIS_FOLDER = '/var/run/mdw/genesis';

/** Parts of `spec` that configure pods. */
export type Role = 'server' | 'populator' | 'migration';

export interface PodOptions {
  role: Role;
  component: Component;
  color: Color;
  schema: string;
  args: string[];
  /** Set if the pod also reads from replicas, as servers do. */
  reads?: 'replicas';
  env?: { name: string; value: string }[];
  /** Ports, probes, lifecycle of the container. */
  container?: Fields;
  pod?: Fields;
  /** How the pods spread unless the resource says so. */
  spread?: Fields[];
}

interface Layer {
  metadata?:
    { labels?: Record<string, string> | undefined; annotations?: Record<string, string> | undefined } | undefined;
  spec?: Fields | undefined;
}

/** The layers of a pod. A later layer wins over an earlier one. */
export interface PodLayers {
  defaults: Layer;
  /** `podTemplate` of the resource. */
  template: Layer;
  /** Other fields of the resource, such as `affinity`. */
  fields: Layer;
  /** Fields that only the operator sets. */
  owned: Layer;
}

export const podTemplate = (basis: Basis, options: PodOptions): PodTemplate => {
  const { defaults, template, fields, owned } = podLayers(basis, options);
  return [template, fields, owned].reduce<unknown>((under, over) => merged(under, over), defaults) as PodTemplate;
};

/** The layers of a pod of the middleware: restricted pod security, its settings, and the URL of its database as a file. */
export function podLayers(basis: Basis, options: PodOptions): PodLayers {
  const { spec } = basis.resource;
  const role = spec[options.role];
  const { nodeSelector, tolerations, affinity, topologySpreadConstraints, priorityClassName } = role;
  const { imagePullSecrets } = spec;
  return {
    defaults: {
      spec: {
        topologySpreadConstraints: options.spread,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: CONTAINER,
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
    template: role.podTemplate ?? {},
    fields: {
      metadata: {
        labels: { ...spec.labels, ...role.podLabels },
        annotations: { ...spec.annotations, ...role.podAnnotations },
      },
      spec: {
        ...{ imagePullSecrets, nodeSelector, tolerations, affinity, topologySpreadConstraints, priorityClassName },
      },
    },
    owned: ownedPart(basis, options),
  };
}

function ownedPart(basis: Basis, options: PodOptions): Layer {
  const { resource, image } = basis;
  const { spec, metadata } = resource;
  const { role, component, color, schema, args, reads, env = [], container, pod } = options;
  const source = databaseSecret(resource);
  const authorities = authorityFiles(spec);
  const files = [...authorities, ...(role === 'populator' ? genesisFiles(spec) : [])];
  const read = reads === 'replicas' ? replicas(resource) : { env: [], mounts: [] };
  const rosetta = role === 'populator' ? spec.node.rosettaSecret : undefined;
  const secrets = [basis.database, ...(read.mounts.length > 0 && basis.readDatabase ? [basis.readDatabase] : [])];
  return {
    metadata: {
      labels: { ...identityLabels(metadata.name), [LABEL.component]: component, [LABEL.color]: color },
      annotations: {
        [ANNOTATION.secret]: secrets.map(versionIn).join('.'),
        ...(authorities.length > 0 && { [ANNOTATION.authorities]: basis.authorities.map(versionIn).join('.') }),
      },
    },
    spec: {
      serviceAccountName: metadata.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      containers: [
        {
          name: CONTAINER,
          image,
          ...(spec.imagePullPolicy && { imagePullPolicy: spec.imagePullPolicy }),
          args,
          envFrom: [{ configMapRef: { name: configName(resource) } }],
          env: [
            { name: 'DATABASE_SCHEMA', value: schema },
            { name: 'DATABASE_URL_FILE', value: `${SECRET_FOLDER}/url` },
            ...read.env,
            ...(rosetta ? [{ name: 'ROSETTA_URL_FILE', value: `${ROSETTA_FOLDER}/url` }] : []),
            ...files.map((file) => file.env),
            ...env,
          ],
          resources: spec[role].resources,
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: [
            { name: 'database', mountPath: SECRET_FOLDER, readOnly: true },
            ...read.mounts.map(({ name, path }) => ({ name, mountPath: path, readOnly: true })),
            ...(rosetta ? [{ name: 'rosetta', mountPath: ROSETTA_FOLDER, readOnly: true }] : []),
            ...files.map(({ mount }) => mount),
            { name: 'tmp', mountPath: '/tmp' },
          ],
          ...container,
        },
      ],
      volumes: [
        secretVolume('database', source),
        ...read.mounts.map(({ name, secret: { name: secretName, key } }) => ({
          name,
          secret: { secretName, items: [{ key, path: 'urls' }], defaultMode: FILE_MODE },
        })),
        ...(rosetta ? [secretVolume('rosetta', rosetta)] : []),
        ...files.map(({ volume }) => volume),
        { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
      ],
      ...pod,
    },
  };
}

/** The coins of the genesis block, as a file. */
function genesisFiles({ network }: Middleware['spec']): ReturnType<typeof authorityFiles> {
  if (network?.genesisAccounts === undefined) return [];
  const { name, key } = network.genesisAccounts;
  const source: Fields = { configMap: { name, items: [{ key, path: 'accounts.json' }], defaultMode: FILE_MODE } };
  return [
    {
      env: { name: 'GENESIS_ACCOUNTS_FILE', value: `${GENESIS_FOLDER}/accounts.json` },
      mount: { name: 'genesis', mountPath: GENESIS_FOLDER, readOnly: true },
      volume: { name: 'genesis', ...source },
    },
  ];
}

/** A Secret as a folder with the file `url`. */
const secretVolume = (name: string, { name: secretName, key }: { name: string; key: string }) => ({
  name,
  secret: { secretName, items: [{ key, path: 'url' }], defaultMode: FILE_MODE },
});

interface UsesDatabase {
  spec: Pick<Middleware['spec'], 'database'>;
  metadata: { name: string };
}

/** The Secret with the URL of the database. CloudNativePG makes one for the owner of the database. */
export function databaseSecret({ spec, metadata }: UsesDatabase): { name: string; key: string } {
  const { secret, cluster, trial } = spec.database;
  if (trial !== undefined) return { name: trialName(metadata.name), key: TRIAL_URL };
  return secret ?? { name: `${cluster?.name}-app`, key: 'uri' };
}

const versionIn = (facts: { version: string } | { reason: string }): string =>
  'version' in facts ? facts.version : 'none';

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
