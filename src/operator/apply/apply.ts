import type { Logger } from '../../observe/logger.js';
import type { Cache } from '../observe/cache.js';
import { isOwned } from '../observe/cache.js';
import { covers, withAppliedHash } from './compare.js';
import { isOwnedWhole, ownedHash, removedOf, restoration } from '../observe/drift.js';
import { PATCH } from '../kube/client.js';
import type { KubeClient, KubeRequest } from '../kube/client.js';
import { KubeError, isConflict, isInvalid, isLastingRefusal, isNotFound } from '../kube/errors.js';
import { MIDDLEWARE, SECRET, kindOf, pathOf } from '../kube/kinds.js';
import type { OperatorMetrics } from '../metrics.js';
import { ANNOTATION, FIELD_MANAGER, refOf } from '../names.js';
import { API_VERSION, KIND } from '../schema/group.js';
import type { MiddlewareStatus } from '../schema/status.js';
import { trimObject } from '../observe/trim.js';
import type { Drift, KubeObject, Middleware } from '../types.js';

interface ApplierOptions {
  client: KubeClient;
  cache: Pick<Cache, 'store' | 'resources'>;
  /** Throws when this process must not act any more; asked before each write. */
  mayWrite: () => void;
  /** Aborts writes under way when the lease is lost. */
  signal: () => AbortSignal | undefined;
  metrics: OperatorMetrics;
  logger: Logger;
}

/** The result of writing a child; `contested` if others change it whenever it is written. */
interface Applied {
  result: 'unchanged' | 'written' | 'notOwned' | 'contested';
  /** What others had set in parts that only the operator may write; if `written`, what was removed of it. */
  drift: readonly Drift[];
}

export interface Applier {
  /** Writes a child only if it differs from what it must be. */
  apply(resource: Middleware, wanted: KubeObject): Promise<Applied>;
  /** Whether an object of this name exists and is not owned. */
  isNotOwned(resource: Middleware, kind: string, name: string): Promise<boolean>;
  remove(object: KubeObject): Promise<void>;
  /** Replaces the whole status: fields that are not given are removed. */
  writeStatus(resource: Middleware, status: MiddlewareStatus): Promise<void>;
}

/** If others undo this number of writes within this time, ms, the object is left to them for a while. */
const MAX_CONTESTS = 10;
const CONTEST_WINDOW_MS = 300_000;
const RESTORE_ATTEMPTS = 3;

/** Writes by server-side apply, under one field manager: fields that others set stay theirs. */
export function createApplier(options: ApplierOptions): Applier {
  const { client, cache, mayWrite, signal, metrics, logger } = options;
  /** When others undid what was written, and the hash of that. */
  const contests = new Map<string, { hash: string; at: number[] }>();
  /** Owned parts in which others own only what the API server sets by default, by their hash. */
  const harmless = new Map<string, string>();
  /** What the API server would refuse again, with the object that it refused. */
  const refusals = new Map<string, { tried: string; error: KubeError }>();

  const idOf = (object: KubeObject): string => `${object.metadata.namespace ?? ''}/${refOf(object)}`;

  const isAsWanted = (live: KubeObject, object: KubeObject): boolean =>
    covers(live, object) && (live.drift === undefined || harmless.get(idOf(live)) === ownedHash(live));

  const patch = async (object: KubeObject, request: Pick<KubeRequest, 'contentType' | 'query' | 'body'>) => {
    const { apiVersion, kind, metadata } = object;
    mayWrite();
    const written = await client.request<KubeObject>(pathOf(kindOf(kind), metadata.namespace, metadata.name), {
      method: 'PATCH',
      ...request,
      signal: signal(),
    });
    metrics.writes.inc({ kind, verb: 'apply' });
    const trimmed = trimObject({ ...written, apiVersion, kind });
    cache.store(kind).put(trimmed);
    return trimmed;
  };

  const write = async (object: KubeObject, known: KubeObject | undefined): Promise<KubeObject> => {
    // If the object was replaced meanwhile, the API server refuses: nothing is known of the new one.
    const body = known?.metadata.uid
      ? { ...object, metadata: { ...object.metadata, uid: known.metadata.uid } }
      : object;
    try {
      return await patch(object, {
        contentType: PATCH.apply,
        query: { fieldManager: FIELD_MANAGER, force: true },
        body,
      });
    } catch (error) {
      throw await explained(error, object);
    }
  };

  /**
   * An object whose fields have wrong types is answered with 500 when it is applied, as a fault of the API server itself is.
   * The same object, tried as a new one, is refused in words if it is to blame.
   */
  const explained = async (error: unknown, object: KubeObject): Promise<unknown> => {
    if (!(error instanceof KubeError) || error.status !== 500) return error;
    const query = { fieldManager: FIELD_MANAGER, dryRun: 'All', fieldValidation: 'Strict' };
    const path = pathOf(kindOf(object.kind), object.metadata.namespace);
    const refusal: unknown = await client
      .request(path, { method: 'POST', query, body: object, signal: signal() })
      .catch((reason: unknown) => reason);
    if (!isLastingRefusal(refusal)) return error;
    const { status, reason, message, body } = refusal;
    return new KubeError(status, reason, `${error.message}; ${message}`, undefined, body === undefined ? {} : { body });
  };

  /** Removes what others set in the parts that the operator owns whole. */
  const restore = async (object: KubeObject, live: KubeObject, attempts = RESTORE_ATTEMPTS): Promise<KubeObject> => {
    const query = { fieldManager: FIELD_MANAGER };
    try {
      return await patch(object, { contentType: PATCH.json, query, body: restoration(object, live) });
    } catch (error) {
      // The controller of a Deployment writes its status while pods roll.
      if (!isConflict(error) || attempts === 1) throw error;
      const { namespace, name, uid } = live.metadata;
      const path = pathOf(kindOf(object.kind), namespace, name);
      const newer = await client.request<KubeObject>(path, { signal: signal() });
      if (newer.metadata.uid !== uid) throw error;
      return restore(object, newer, attempts - 1);
    }
  };

  const writeAndRestore = async (object: KubeObject, known: KubeObject | undefined): Promise<KubeObject> => {
    let written: KubeObject;
    try {
      written = await write(object, known);
    } catch (error) {
      // What others set may contradict what is wanted, for example two sources of one volume.
      if (known?.drift === undefined || !isInvalid(error)) throw error;
      await restore(object, known);
      written = await write(object, undefined);
    }
    if (!isOwnedWhole(object) || isAsWanted(written, object)) return written;
    const restored = await restore(object, written);
    // Nothing of others is left: what they still own has the value that the API server sets by default.
    if (restored.drift !== undefined) harmless.set(idOf(object), ownedHash(restored));
    return restored;
  };

  /** An object may exist although the cache does not know it, if it lacks the labels of the cache. */
  const isNotOwned: Applier['isNotOwned'] = async (resource, kind, name) => {
    try {
      const path = pathOf(kindOf(kind), resource.metadata.namespace, name);
      const found = await client.request<KubeObject>(path, { signal: signal() });
      return !isOwned({ ...found, kind }, resource);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };

  /** A password is in use as soon as it is written: one that is there stays, whoever made it. */
  const makeSecret = async (secret: KubeObject): Promise<Applied> => {
    const { apiVersion, kind, metadata } = secret;
    mayWrite();
    try {
      const path = pathOf(SECRET, metadata.namespace);
      const query = { fieldManager: FIELD_MANAGER };
      const made = await client.request<KubeObject>(path, { method: 'POST', query, body: secret, signal: signal() });
      metrics.writes.inc({ kind, verb: 'create' });
      // Of Secrets metadata alone is cached.
      cache.store(kind).put(trimObject({ apiVersion, kind, metadata: made.metadata }));
      return { result: 'written', drift: [] };
    } catch (error) {
      if (isConflict(error)) return { result: 'unchanged', drift: [] };
      throw error;
    }
  };

  return {
    isNotOwned,

    async apply(resource, wanted) {
      if (wanted.kind === SECRET.kind) return makeSecret(wanted);
      const object = withAppliedHash(wanted);
      const { namespace = '', name } = object.metadata;
      const known = cache.store(object.kind).get(namespace, name);
      const drift = known?.drift ?? [];
      if (known !== undefined) {
        if (!isOwned(known, resource)) return { result: 'notOwned', drift: [] };
        if (known.metadata.deletionTimestamp !== undefined) return { result: 'unchanged', drift: [] };
        // The content of a Job cannot be changed; its name shows that it is the right one.
        if (object.kind === 'Job' || isAsWanted(known, object)) return { result: 'unchanged', drift: [] };
      }
      const tried = [hashIn(object), known?.metadata.uid, known?.metadata.generation].join();
      const refusal = refusals.get(idOf(object));
      if (refusal?.tried === tried) throw refusal.error;
      if (known === undefined && (await isNotOwned(resource, object.kind, name))) {
        return { result: 'notOwned', drift: [] };
      }
      const hash = hashIn(object);
      const contest = contests.get(idOf(object));
      const undone =
        contest?.hash === hash ? contest.at.filter((at) => at > performance.now() - CONTEST_WINDOW_MS) : [];
      if (undone.length >= MAX_CONTESTS) return { result: 'contested', drift };
      const written = await writeAndRestore(object, known).catch((error: unknown) => {
        if (isLastingRefusal(error)) refusals.set(idOf(object), { tried, error });
        throw error;
      });
      refusals.delete(idOf(object));
      const refused = !isAsWanted(written, object);
      // It was written like this before: somebody has changed it since.
      if (refused || (known !== undefined && hashIn(known) === hash)) {
        contests.set(idOf(object), { hash, at: [...undone, performance.now()] });
      }
      if (refused)
        logger.warn({ namespace, object: refOf(object) }, 'Somebody changes the object whenever it is written');
      return refused ? { result: 'contested', drift } : { result: 'written', drift: removedOf(drift, written) };
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
        // Already gone, or replaced by another of the same name: the watch will report it.
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

const hashIn = ({ metadata }: KubeObject): string => metadata.annotations?.[ANNOTATION.applied] ?? '';
