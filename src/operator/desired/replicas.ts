import type { Middleware } from '../types.js';

/** Variables and mounts that give a pod the URLs of read replicas. */
interface Replicas {
  env: { name: string; value: string }[];
  /** A Secret to mount, and where. */
  mounts: { name: string; path: string; secret: { name: string; key: string } }[];
}

const FOLDER = '/var/run/secrets/mdw/replicas';

/**
 * The URLs of a Secret, or the Service of the standbys of a Cluster, with user, database and password of the primary. A Cluster
 * of one server has no standby, so it gets none.
 */
export function replicas({ spec }: Middleware): Replicas {
  const { readSecret, cluster } = spec.database;
  if (readSecret !== undefined) {
    return {
      env: [{ name: 'DATABASE_REPLICA_URLS_FILE', value: `${FOLDER}/urls` }],
      mounts: [{ name: 'replicas', path: FOLDER, secret: readSecret }],
    };
  }
  if (cluster === undefined || (cluster.create && cluster.instances === 1)) return { env: [], mounts: [] };
  return { env: [{ name: 'DATABASE_REPLICA_URLS', value: `postgres://${cluster.name}-ro` }], mounts: [] };
}
