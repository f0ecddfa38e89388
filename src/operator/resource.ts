import { ANNOTATION } from './names.js';
import { specSchema } from './schema/spec.js';
import type { KubeObject, Middleware } from './types.js';

/** A resource that got past an older definition and that this version cannot read. */
export interface Unreadable {
  faults: string;
}

/** Checks and completes a resource as the API server gave it. */
export function readResource(object: KubeObject): Middleware | Unreadable {
  const result = specSchema.safeParse(object.spec);
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `spec.${path.join('.')}: ${message}`).join('; ');
    return { faults };
  }
  const { namespace = '', uid = '', generation = 0 } = object.metadata;
  return {
    metadata: { ...object.metadata, namespace, uid, generation },
    spec: result.data,
    status: object.status ?? {},
  };
}

/** Nothing is to be changed, by the spec or by an annotation. */
export const isPaused = ({ spec, metadata }: Pick<Middleware, 'spec' | 'metadata'>): boolean =>
  spec.paused || metadata.annotations?.[ANNOTATION.paused] === 'true';

export const isUnreadable = (resource: Middleware | Unreadable): resource is Unreadable => 'faults' in resource;
