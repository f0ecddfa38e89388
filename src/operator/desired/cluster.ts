import { childMetadata } from '../names.js';
import type { KubeObject, Middleware, Basis } from '../types.js';
import { merged } from './merge.js';
import type { Fields } from './merge.js';

const API = 'postgresql.cnpg.io/v1';

/** The default. The resource may have another one, for example `recovery` from a backup. */
const BOOTSTRAP = { initdb: { database: 'mdw', owner: 'mdw', encoding: 'UTF8' } };

/** The PostgreSQL Cluster of CloudNativePG, and its backups. They outlive the resource unless `retention.database` is Delete. */
export function cluster({ resource, kinds }: Basis): KubeObject[] {
  const wanted = resource.spec.database.cluster;
  if (wanted?.create !== true || !kinds.has('Cluster')) return [];
  const { ownerReferences, ...plain } = childMetadata(resource, wanted.name);
  const metadata = { ...plain, ...(resource.spec.retention.database === 'Delete' && { ownerReferences }) };
  const spec = { bootstrap: BOOTSTRAP, ...(merged(wanted.spec, ownFields(wanted)) as Fields) };
  const { backups } = wanted;
  return [
    { apiVersion: API, kind: 'Cluster', metadata, spec },
    ...(backups === undefined || !kinds.has('ScheduledBackup')
      ? []
      : [
          {
            apiVersion: API,
            kind: 'ScheduledBackup',
            metadata,
            // Backups are deleted with the Cluster, and stay when the schedule changes.
            spec: { ...backups, cluster: { name: wanted.name }, backupOwnerReference: 'cluster' },
          },
        ]),
  ];
}

type Wanted = NonNullable<Middleware['spec']['database']['cluster']>;

const ownFields = ({ instances, storage: { size, storageClass } }: Wanted): Fields => ({
  instances,
  storage: { size: String(size), ...(storageClass !== undefined && { storageClass }) },
});

/** Errors for fields of `database.cluster.spec` that have a field of their own in the resource. */
export const clusterFaults = ({ spec: { database } }: Middleware): string[] =>
  ['instances', 'storage'].flatMap((field) =>
    field in (database.cluster?.spec ?? {})
      ? [`spec.database.cluster.spec.${field} is not used: set spec.database.cluster.${field}`]
      : [],
  );
