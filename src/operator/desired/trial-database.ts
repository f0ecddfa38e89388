import { DATABASE_CONTAINER, LABEL, childMetadata, identityLabels, trialName } from '../names.js';
import type { KubeObject, Middleware, StatefulSet, Basis } from '../types.js';
import { FILE_MODE } from './file-mode.js';
import { TRIAL_URL } from './pod.js';

const PORT = 5432;
const PASSWORD = 'password';
/** Name of the role and of the database. */
const USER = 'mdw';
/** User and group of PostgreSQL in the public image. Without a group a pod may not write to most volumes. */
const UID = 999;

const DATA = '/data';
const SECRET_FOLDER = '/var/run/secrets/postgres';

/** PostgreSQL in one pod, for trials. Its volume outlives the resource unless `retention.database` is Delete. */
export function trialDatabase(basis: Basis): KubeObject[] {
  const { resource, database, newPassword, children } = basis;
  if (resource.spec.database.trial === undefined) return [];
  const name = trialName(resource.metadata.name);
  // The Secret is made only before the database: a later password would be refused.
  const isNew = children.get('StatefulSet', name) === undefined && 'reason' in database;
  const isMissing = isNew && database.reason === 'SecretMissing';
  return [
    ...(isMissing && newPassword !== undefined ? [secret(resource, newPassword)] : []),
    service(resource),
    ...policy(resource),
    statefulSet(basis),
  ];
}

/** Labels of the pod. They differ from the labels of the middleware's pods, so Services, policies and monitors do not select it. */
const podLabels = (name: string): Record<string, string> => ({
  ...identityLabels(name),
  [LABEL.name]: 'postgresql',
  [LABEL.component]: 'database',
});

const selector = (name: string): Record<string, string> => {
  const { [LABEL.managedBy]: _, ...identity } = podLabels(name);
  return identity;
};

/** The resource does not own the Secret: without the password the volume that is kept would be useless. */
function secret(resource: Middleware, password: string): KubeObject {
  const name = trialName(resource.metadata.name);
  const { ownerReferences: _, ...metadata } = childMetadata(resource, name);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'Opaque',
    stringData: {
      username: USER,
      [PASSWORD]: password,
      [TRIAL_URL]: `postgres://${USER}:${password}@${name}:${PORT}/${USER}`,
    },
  };
}

function service(resource: Middleware): KubeObject {
  const { name } = resource.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: childMetadata(resource, trialName(name), { [LABEL.component]: 'database' }),
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      selector: selector(name),
      ports: [{ name: 'postgres', port: PORT, targetPort: 'postgres', protocol: 'TCP' }],
    },
  };
}

/** Only the pods of the middleware may connect to the database. The database may open no connections. */
function policy(resource: Middleware): KubeObject[] {
  const { name } = resource.metadata;
  if (!resource.spec.networkPolicy.enabled) return [];
  const clients = { [LABEL.name]: 'chain-middleware', [LABEL.instance]: name };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: childMetadata(resource, trialName(name)),
      spec: {
        podSelector: { matchLabels: selector(name) },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ ports: [{ port: PORT, protocol: 'TCP' }], from: [{ podSelector: { matchLabels: clients } }] }],
      },
    },
  ];
}

function statefulSet({ resource, kinds }: Basis): StatefulSet {
  const { spec, metadata } = resource;
  const { storage } = spec.database.trial!;
  const name = trialName(metadata.name);
  // A platform that chooses the user also sets the group that may write to the volume.
  const user = kinds.has('SecurityContextConstraints') ? {} : { runAsUser: UID, runAsGroup: UID, fsGroup: UID };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: childMetadata(resource, name, { [LABEL.component]: 'database' }),
    spec: {
      replicas: 1,
      serviceName: name,
      revisionHistoryLimit: 2,
      selector: { matchLabels: selector(metadata.name) },
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: spec.retention.database === 'Delete' ? 'Delete' : 'Retain',
        whenScaled: 'Retain',
      },
      template: {
        metadata: {
          labels: { ...spec.labels, ...podLabels(metadata.name) },
          annotations: { ...spec.annotations },
        },
        spec: {
          serviceAccountName: metadata.name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, ...user },
          terminationGracePeriodSeconds: 30,
          containers: [databaseContainer(spec.database.trial!)],
          volumes: [
            {
              name: 'secret',
              secret: { secretName: name, items: [{ key: PASSWORD, path: PASSWORD }], defaultMode: FILE_MODE },
            },
            { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
            { name: 'run', emptyDir: { sizeLimit: '1Mi' } },
            // Parallel queries share memory there; the default of 64 MiB is too small.
            { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data', labels: podLabels(metadata.name) },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: String(storage.size) } },
            ...(storage.storageClass !== undefined && { storageClassName: storage.storageClass }),
          },
        },
      ],
    },
  } as StatefulSet;
}

const FOLDERS = { tmp: '/tmp', run: '/var/run/postgresql', shm: '/dev/shm' };

const databaseContainer = ({ image, resources }: NonNullable<Middleware['spec']['database']['trial']>) => ({
  name: DATABASE_CONTAINER,
  image,
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
  env: [
    { name: 'POSTGRES_USER', value: USER },
    { name: 'POSTGRES_PASSWORD_FILE', value: `${SECRET_FOLDER}/${PASSWORD}` },
    // Not the root of the volume: some storage has files of its own there.
    { name: 'PGDATA', value: `${DATA}/postgres` },
  ],
  ports: [{ name: 'postgres', containerPort: PORT }],
  readinessProbe: { tcpSocket: { port: 'postgres' }, periodSeconds: 5 },
  resources,
  volumeMounts: [
    { name: 'data', mountPath: DATA },
    { name: 'secret', mountPath: SECRET_FOLDER, readOnly: true },
    ...Object.entries(FOLDERS).map(([volume, mountPath]) => ({ name: volume, mountPath })),
  ],
});
