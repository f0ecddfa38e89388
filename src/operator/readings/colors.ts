import { greenSchema } from '../../config/copy-schemas.js';
import { ANNOTATION, LABEL } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Deployment, Middleware, Observed } from '../types.js';

/** Color of the copy that serves, as the live Service says; without a Service, the color of the status. */
export const liveColor = (observed: Pick<Observed, 'resource' | 'children'>): Color =>
  serviceColor(observed) ?? observed.resource.status.activeColor ?? 'blue';

/**
 * Color in the annotation of the live Service: editing the selector promotes nothing. Without the annotation, the color of the
 * selector; undefined without a Service.
 */
export function serviceColor({ resource, children }: Pick<Observed, 'resource' | 'children'>): Color | undefined {
  const service = children.service(resource.metadata.name);
  const written = service?.metadata.annotations?.[ANNOTATION.live];
  if (written === 'blue' || written === 'green') return written;
  const selected = service?.spec.selector?.[LABEL.color];
  return selected === 'blue' || selected === 'green' ? selected : undefined;
}

export const otherColor = (color: Color): Color => (color === 'blue' ? 'green' : 'blue');

/** Database schema of the copy with this color. */
export const schemaOf = ({ spec }: Middleware, color: Color): string =>
  color === 'blue' ? spec.database.schema : greenSchema(spec.database.schema);

/** Number of servers: as the resource asks, or as its autoscaler has set it, within its limits. */
export function wantedServers({ spec }: Middleware, live: Deployment | undefined): number {
  const { replicas, autoscaling } = spec.server;
  if (autoscaling === undefined) return replicas;
  const { minReplicas, maxReplicas } = autoscaling;
  return Math.min(Math.max(live?.spec.replicas ?? minReplicas, minReplicas), maxReplicas);
}
