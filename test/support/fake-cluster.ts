import { setTimeout as pause } from 'node:timers/promises';
import { KubeError } from '../../src/operator/kube/errors.js';
import { EVERYTHING } from './operator-model.js';
import type { KubeClient, KubeRequest } from '../../src/operator/kube/client.js';
import { startOperator } from '../../src/operator/loop/operator.js';
import type { Operator } from '../../src/operator/loop/operator.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import type { KubeObject } from '../../src/operator/types.js';
import { silent } from './copy.js';

interface FakeCluster {
  /** The objects at the path of a list, at this moment. */
  list: (path: string) => object[];
  /** Answers a write, except those of statuses, or throws a KubeError. */
  write: (method: string, path: string, body: unknown) => unknown;
  onStatus: (status: object) => void;
}

/** Starts an operator of the namespace `n` on an API server in memory, which can fail as no real one can be made to. */
export function operatorOn({ list, write, onStatus }: FakeCluster): Operator {
  let lease: KubeObject | undefined;
  let version = 1;
  const stored = (object: unknown): KubeObject => {
    const { metadata, ...rest } = object as KubeObject;
    return { ...rest, metadata: { ...metadata, resourceVersion: String(++version) } };
  };
  const answer = (path: string, { method = 'GET', body }: KubeRequest): unknown => {
    if (path.includes('/leases')) {
      if (method !== 'GET') lease = stored(body);
      if (lease === undefined) throw new KubeError(404, 'NotFound', 'none');
      return lease;
    }
    if (path.endsWith('/status')) {
      onStatus((body as { status: object }).status);
      return stored(body);
    }
    if (path.includes('/events')) return {};
    if (method !== 'GET') return write(method, path, body);
    if (/\/secrets\/.+/.test(path)) {
      const data = { url: Buffer.from('postgres://u:p@db/d').toString('base64') };
      return { metadata: { uid: path, resourceVersion: '1' }, data };
    }
    // Groups of optional kinds, and single objects.
    if (/\/apis\/[^/]+\/[^/]+$|\/namespaces\/n\/[^/]+\/./.test(path)) throw new KubeError(404, 'NotFound', 'none');
    return { metadata: { resourceVersion: '1' }, items: list(path) };
  };
  const client: KubeClient = {
    request: <T>(path: string, request: KubeRequest = {}) =>
      Promise.resolve().then(() => JSON.parse(JSON.stringify(answer(path, request))) as T),
    // Each watch ends at once, so the objects are listed again.
    lines: async function* (_path, { signal }) {
      await pause(50, undefined, { signal });
      yield* [];
    },
    close: () => Promise.resolve(),
  };
  return startOperator({
    client,
    namespaces: ['n'],
    lease: { namespace: 'n', name: 'operator', identity: 'x' },
    defaultImage: 'example.test/mdw:1',
    allowed: EVERYTHING,
    reach: () => Promise.reject(new Error('no pods')),
    concurrency: 4,
    logger: silent,
    metrics: createOperatorMetrics(),
    watchTimings: { relistMs: 0, pauseMs: 50, maxPauseMs: 50 },
  });
}
