import type { MiddlewareSpec } from '../schema/spec.js';
import type { MiddlewareStatus } from '../schema/status.js';
import type { Secrets } from './secrets.js';
import type { Store } from './store.js';
import type { KubeObject, Middleware } from '../types.js';

/**
 * An older resource with the same database and schema, as namespace/name; undefined if there is none. Databases are compared
 * by host, port and name in their URLs, and by the identity that migrations report, because one database may have several
 * names.
 */
export async function conflictingOwnerOf(
  resource: Middleware,
  resources: Store,
  secrets: Secrets,
): Promise<string | undefined> {
  const own = await secrets.databaseOf(resource);
  const { databaseId } = resource.status;
  for (const object of resources.all()) {
    // Each resource is compared with all others, so only the fields that identify the database are read.
    const { database } = (object.spec ?? {}) as Partial<MiddlewareSpec>;
    if (object.metadata.uid === resource.metadata.uid || database === undefined) continue;
    if (!sharesSchema(database.schema, resource.spec.database.schema) || !isEarlier(object, resource)) continue;
    const other = object as KubeObject & Middleware;
    const theirs = await secrets.databaseOf(other);
    const sameTarget =
      'target' in own && 'target' in theirs && isSameTarget(own.target, theirs.target, other, resource);
    const theirId = ((object.status ?? {}) as MiddlewareStatus).databaseId;
    if (sameTarget || (databaseId !== undefined && databaseId === theirId)) {
      return `${other.metadata.namespace}/${other.metadata.name}`;
    }
  }
  return undefined;
}

/** Whether two targets are the same. A short host name names different machines in different namespaces. */
function isSameTarget(a: string, b: string, { metadata: one }: Middleware, { metadata: two }: Middleware): boolean {
  return a === b && (a.split(':')[0]?.includes('.') === true || one.namespace === two.namespace);
}

/** Whether two resources share a schema. Each uses two: one for each color. */
const sharesSchema = (a: string | undefined, b: string): boolean => a === b || a === `${b}_green` || b === `${a}_green`;

function isEarlier({ metadata }: KubeObject, { metadata: than }: Middleware): boolean {
  const [a, b] = [metadata.creationTimestamp ?? '', than.creationTimestamp ?? ''];
  return a === b ? (metadata.uid ?? '') < than.uid : a < b;
}
