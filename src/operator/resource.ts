import { ANNOTATION } from './names.js';
import { specSchema } from './schema/spec.js';
import type { MiddlewareSpec } from './schema/spec.js';
import type { KubeObject, Middleware } from './types.js';

/** A resource that an older CRD accepted, but that this version cannot read. */
interface Unreadable {
  faults: string;
}

/** Checks a resource that the API server returned, and adds the defaults. */
export function readResource(object: KubeObject): Middleware | Unreadable {
  const result = specSchema.safeParse(object.spec);
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `spec.${path.join('.')}: ${message}`).join('; ');
    return { faults };
  }
  const { namespace = '', uid = '', generation = 0 } = object.metadata;
  return {
    metadata: { ...object.metadata, namespace, uid, generation },
    spec: withHibernation(result.data),
    status: object.status ?? {},
  };
}

/** What a resource asks for while it hibernates: the same, without servers and populator. */
function withHibernation(spec: MiddlewareSpec): MiddlewareSpec {
  if (!spec.hibernated) return spec;
  const { autoscaling: _, ...server } = spec.server;
  return { ...spec, server: { ...server, replicas: 0 }, populator: { ...spec.populator, enabled: false } };
}

/** Whether the spec or an annotation pauses the resource. */
export const isPaused = ({ spec, metadata }: Pick<Middleware, 'spec' | 'metadata'>): boolean =>
  spec.paused || metadata.annotations?.[ANNOTATION.paused] === 'true';

export const isUnreadable = (resource: Middleware | Unreadable): resource is Unreadable => 'faults' in resource;
