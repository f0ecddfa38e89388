import { authoritiesOf } from '../desired/authorities.js';
import { databaseSecret } from '../desired/pod.js';
import type { MiddlewareSpec } from '../schema/spec.js';
import type { KubeObject } from '../types.js';

/** Whether a resource reads this Secret or ConfigMap. Its spec may be from an older CRD. */
export function uses(resource: KubeObject, { kind, metadata: { name } }: KubeObject): boolean {
  const { database, ...rest } = (resource.spec ?? {}) as Partial<MiddlewareSpec>;
  if (database === undefined || rest.node === undefined) return false;
  const given = { ...rest, database } as MiddlewareSpec;
  if (authoritiesOf(given).some((one) => one.kind === kind && one.name === name)) return true;
  const secrets = [databaseSecret({ metadata: resource.metadata, spec: given }).name, database.readSecret?.name];
  return kind === 'Secret' && secrets.includes(name);
}
