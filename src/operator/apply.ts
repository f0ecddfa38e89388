import type { Logger } from '../observe/logger.js';
import type { Cache } from './cache.js';
import { isOwned } from './cache.js';
import { covers, marked } from './compare.js';
import { PATCH } from './kube/client.js';
import type { KubeClient } from './kube/client.js';
import { KubeError, isNotFound } from './kube/errors.js';
import { MIDDLEWARE, kindOf, pathOf } from './kube/kinds.js';
import type { OperatorMetrics } from './metrics.js';
import { FIELD_MANAGER, refOf } from './names.js';
import { API_VERSION, KIND } from './schema/crd.js';
import type { MiddlewareStatus } from './schema/status.js';
import { trimObject } from './trim.js';
import type { KubeObject, Middleware } from './types.js';

export interface ApplierOptions {
  client: KubeClient;
  cache: Pick<Cache, 'store' | 'resources'>;
  /** Throws when this process must not act any more; asked before each write. */
  mayWrite: () => void;
  /** Aborts writes under way when the lease is lost. */
  signal: () => AbortSignal | undefined;
  metrics: OperatorMetrics;
  logger: Logger;
}

/** What became of a child. */
export type Applied = 'unchanged' | 'written' | 'foreign' | 'contested';

export interface Applier {
  /** Writes a child only where it is not as it must be. */
  apply(resource: Middleware, wanted: KubeObject): Promise<Applied>;
  /** Whether an object of this name is there and belongs to somebody else. */
  isForeign(resource: Middleware, kind: string, name: string): Promise<boolean>;
  remove(object: KubeObject): Promise<void>;
  /** The whole status: fields that are not in it go. */
  writeStatus(resource: Middleware, status: MiddlewareStatus): Promise<void>;
}

/** So often in a row somebody may undo what was written, before it is left to them for a while. */
const PATIENCE = 5;
const TRUCE_MS = 300_000;

/** Writes by server-side apply, under one field manager: fields that others set stay theirs. */
export function createApplier(options: ApplierOptions): Applier {
  const { client, cache, mayWrite, signal, metrics, logger } = options;
  const contests = new Map<string, { count: number; hash: string; until: number }>();

  const write = async (object: KubeObject, known: KubeObject | undefined): Promise<KubeObject> => {
    const { namespace, name } = object.metadata;
    // Of an object that was made anew meanwhile nothing is known: the API server refuses then.
    const body = known?.metadata.uid
      ? { ...object, metadata: { ...object.metadata, uid: known.metadata.uid } }
      : object;
    mayWrite();
    const written = await client.request<KubeObject>(pathOf(kindOf(object.kind), namespace, name), {
      method: 'PATCH',
      contentType: PATCH.apply,
      query: { fieldManager: FIELD_MANAGER, force: true },
      body,
      signal: signal(),
    });
    metrics.writes.inc({ kind: object.kind, verb: 'apply' });
    const { apiVersion, kind } = object;
    const trimmed = trimObject({ ...written, apiVersion, kind });
    cache.store(kind).put(trimmed);
    return trimmed;
  };

  /** What the cache does not know may still be there, without the labels that it looks for. */
  const isForeign: Applier['isForeign'] = async (resource, kind, name) => {
    try {
      const path = pathOf(kindOf(kind), resource.metadata.namespace, name);
      const found = await client.request<KubeObject>(path, { signal: signal() });
      return !isOwned({ ...found, kind }, resource);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };

  return {
    isForeign,

    async apply(resource, wanted) {
      const object = marked(wanted);
      const { namespace = '', name } = object.metadata;
      const known = cache.store(object.kind).get(namespace, name);
      if (known !== undefined) {
        if (!isOwned(known, resource)) return 'foreign';
        if (known.metadata.deletionTimestamp !== undefined) return 'unchanged';
        // What a Job is made of cannot be changed; its name tells that it is the right one.
        if (object.kind === 'Job' || covers(known, object)) return 'unchanged';
      } else if (await isForeign(resource, object.kind, name)) {
        return 'foreign';
      }
      const id = `${namespace}/${refOf(object)}`;
      const hash = object.metadata.annotations?.['chain-middleware.io/applied'] ?? '';
      const contest = contests.get(id);
      if (contest?.hash === hash && contest.count >= PATIENCE && performance.now() < contest.until) return 'contested';
      const written = await write(object, known);
      if (covers(written, object)) {
        contests.delete(id);
        return 'written';
      }
      const count = contest?.hash === hash ? (contest.count % PATIENCE) + 1 : 1;
      contests.set(id, { hash, count, until: performance.now() + TRUCE_MS });
      logger.warn({ namespace, object: refOf(object) }, 'Somebody changes the object whenever it is written');
      return 'contested';
    },

    async remove(object) {
      const { namespace, name, uid, resourceVersion, deletionTimestamp } = object.metadata;
      if (deletionTimestamp !== undefined) return;
      mayWrite();
      try {
        await client.request(pathOf(kindOf(object.kind), namespace, name), {
          method: 'DELETE',
          body: {
            apiVersion: 'v1',
            kind: 'DeleteOptions',
            propagationPolicy: 'Background',
            preconditions: { uid },
          },
          signal: signal(),
        });
        metrics.writes.inc({ kind: object.kind, verb: 'delete' });
      } catch (error) {
        // Gone already, or another with its name: the watch will tell.
        if (!(error instanceof KubeError) || (error.status !== 404 && error.status !== 409)) throw error;
      }
      logger.debug({ namespace, object: refOf(object), resourceVersion }, 'Deleted');
    },

    async writeStatus({ metadata }, status) {
      mayWrite();
      const { name, namespace, uid } = metadata;
      const written = await client.request<KubeObject>(`${pathOf(MIDDLEWARE, namespace, name)}/status`, {
        method: 'PATCH',
        contentType: PATCH.apply,
        query: { fieldManager: FIELD_MANAGER, force: true },
        body: { apiVersion: API_VERSION, kind: KIND, metadata: { name, namespace, uid }, status },
        signal: signal(),
      });
      metrics.writes.inc({ kind: KIND, verb: 'status' });
      cache.resources.put(trimObject({ ...written, apiVersion: API_VERSION, kind: KIND }));
    },
  };
}
