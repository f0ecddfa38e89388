import type { Middleware } from '../types.js';

/** What a pod gets of read replicas. */
interface Replicas {
  env: { name: string; value: string }[];
  /** A Secret to mount, and where. */
  mounts: { name: string; path: string; secret: { name: string; key: string } }[];
}

const FOLDER = '/var/run/secrets/mdw/replicas';

/**
 * The URLs of a Secret, or the service of the standbys of a Cluster: users, database and password are those of its Secret for
 * the primary. Nobody answers there for a Cluster of one server.
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
