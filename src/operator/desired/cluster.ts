import { childMetadata } from '../names.js';
import type { KubeObject, World } from '../types.js';

/** PostgreSQL itself, run by CloudNativePG. Kept when the resource goes, unless it is to be deleted with it. */
export function cluster({ resource, kinds }: World): KubeObject[] {
  const wanted = resource.spec.database.cluster;
  if (wanted?.create !== true || !kinds.has('Cluster')) return [];
  const { ownerReferences, ...metadata } = childMetadata(resource, wanted.name);
  const { size, storageClass } = wanted.storage;
  return [
    {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { ...metadata, ...(resource.spec.retention.database === 'Delete' && { ownerReferences }) },
      spec: {
        instances: wanted.instances,
        storage: { size: String(size), ...(storageClass !== undefined && { storageClass }) },
        bootstrap: { initdb: { database: 'mdw', owner: 'mdw', encoding: 'UTF8' } },
      },
    },
  ];
}
