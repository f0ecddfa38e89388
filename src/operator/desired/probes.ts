import type { CopyPlan, Middleware } from '../types.js';
import { PORT } from '../../config/ports.js';

const get = (path: string) => ({ httpGet: { path, port: 'metrics' } });

/** The process is alive: probed often while it starts, seldom later. It never depends on database or node. */
const liveness = {
  startupProbe: { ...get('/healthz'), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150 },
  livenessProbe: { ...get('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
};

/** A populator is ready when it works on a database whose schema is its own. */
export const populatorProbes = {
  ...liveness,
  readinessProbe: { ...get('/readyz'), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
};

/**
 * A server is ready when its schema is right and the copy is loaded; the first copy need not be where the resource says
 * so, a copy that takes the place of another one must. A lag makes a server unready only if the resource says so, too:
 * all servers read one database, so all would become unready at once.
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
