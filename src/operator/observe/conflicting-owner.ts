import { greenSchema } from '../../config/copy-schemas.js';
import type { MiddlewareSpec } from '../schema/spec.js';
import type { MiddlewareStatus } from '../schema/status.js';
import type { Secrets } from './secrets.js';
import type { Store } from './store.js';
import type { Claim, KubeObject, Middleware } from '../types.js';

/**
 * The name of an older resource of the same namespace with the same database and schema; undefined if there is none. Databases
 * are compared by host, port and name in their URLs, and by the identity that migrations report, because one database may have
 * several names.
 */
export async function conflictingOwnerOf(
  resource: Middleware,
  resources: Store,
  secrets: Secrets,
): Promise<string | undefined> {
  const { databaseId } = resource.status;
  for (const other of rivals(resource, resources)) {
    if (other.metadata.namespace !== resource.metadata.namespace || !isEarlier(other, resource)) continue;
    if (
      (await haveOneUrl(resource, other, secrets)) ||
      (databaseId !== undefined && databaseId === statusOf(other).databaseId)
    )
      return other.metadata.name;
  }
  return undefined;
}

/**
 * What resources of other namespaces claim. A URL and the identity of a database are no claim, because anybody can name them:
 * a resource claims a database by the ids of its copies, which only who can open it knows. What an older version of the
 * operator recorded has no ids.
 */
export async function claimsOf(resource: Middleware, resources: Store, secrets: Secrets): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const other of rivals(resource, resources)) {
    const { databaseId, claim } = statusOf(other);
    if (other.metadata.namespace === resource.metadata.namespace || databaseId === undefined || claim?.length === 0)
      continue;
    const hasSameUrl = await haveOneUrl(resource, other, secrets);
    claims.push({ databaseId, copies: claim, hasSameUrl, isEarlier: isEarlier(other, resource) });
  }
  return claims;
}

/** Other resources that share a schema. Each resource is compared with all others, so only the needed fields are read. */
function* rivals({ metadata, spec }: Middleware, resources: Store): Generator<KubeObject & Middleware> {
  for (const object of resources.all()) {
    const { database } = (object.spec ?? {}) as Partial<MiddlewareSpec>;
    if (object.metadata.uid === metadata.uid || database === undefined) continue;
    if (sharesSchema(database.schema, spec.database.schema)) yield object as KubeObject & Middleware;
  }
}

const statusOf = ({ status }: KubeObject): MiddlewareStatus => status ?? {};

/** Whether two URLs name the same database. A short host name names different machines in different namespaces. */
async function haveOneUrl(one: Middleware, two: Middleware, secrets: Secrets): Promise<boolean> {
  const [a, b] = [await secrets.databaseOf(one), await secrets.databaseOf(two)];
  if (!('target' in a && 'target' in b) || a.target !== b.target) return false;
  return a.target.split(':')[0]?.includes('.') === true || one.metadata.namespace === two.metadata.namespace;
}

/** Whether two resources share a schema. Each uses two: one for each color. */
const sharesSchema = (a: string | undefined, b: string): boolean =>
  a !== undefined && (a === b || a === greenSchema(b) || b === greenSchema(a));

function isEarlier({ metadata }: KubeObject, { metadata: than }: Middleware): boolean {
  const [a, b] = [metadata.creationTimestamp ?? '', than.creationTimestamp ?? ''];
  return a === b ? (metadata.uid ?? '') < than.uid : a < b;
}
