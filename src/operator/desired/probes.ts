import type { CopyPlan, Middleware } from '../types.js';
import { PORT } from '../../config/ports.js';

const get = (path: string) => ({ httpGet: { path, port: 'metrics' } });

/** Whether the process is alive: probed often while it starts, rarely later. It never depends on the database or the node. */
const liveness = {
  startupProbe: { ...get('/healthz'), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150 },
  livenessProbe: { ...get('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
};

/** A populator is ready when it works on a database with the schema version that it needs. */
export const populatorProbes = {
  ...liveness,
  readinessProbe: { ...get('/readyz'), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
};

/**
 * A server is ready when its schema has the right version and the copy is loaded. With `firstLoad: Serve` the first copy need
 * not be loaded; a copy that a reload made must always be. A lag makes servers unready only if the resource sets `maxLag`:
 * all servers read one database, so all become unready at once. A fault of the database makes none unready that has read it.
 */
export function serverProbes({ spec }: Middleware, { reload }: Pick<CopyPlan, 'reload'>) {
  const { maxLag, firstLoad } = spec.server;
  const query = [
    ...(firstLoad === 'Serve' && reload === undefined ? [] : ['loaded=true']),
    ...(maxLag === undefined ? [] : [`max-lag=${maxLag}`]),
  ].join('&');
  return {
    ...liveness,
    readinessProbe: {
      ...get(query === '' ? '/readyz' : `/readyz?${query}`),
      periodSeconds: 2,
      timeoutSeconds: 5,
      failureThreshold: 2,
    },
  };
}

export const metricsPort = { name: 'metrics', containerPort: PORT.metrics };
