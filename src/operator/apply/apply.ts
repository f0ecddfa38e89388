import type { Logger } from '../../observe/logger.js';
import type { Cache } from '../observe/cache.js';
import { isOwned } from '../observe/cache.js';
import { covers, withAppliedHash } from './compare.js';
import { appliedFields, isOwnedWhole, ownedHash, removedOf, restoration } from '../observe/drift.js';
import { PATCH } from '../kube/client.js';
import type { KubeClient, KubeRequest } from '../kube/client.js';
import { KubeError, isAlreadyExists, isConflict, isInvalid, isLastingRefusal, isNotFound } from '../kube/errors.js';
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
  /** Throws when this process may no longer write. Called before each write. */
  mayWrite: () => void;
  /** Signal that aborts running writes when the lease is lost. */
  signal: () => AbortSignal | undefined;
  metrics: OperatorMetrics;
  logger: Logger;
}

/** The result of writing a child; `contested` if others change it back after each write. */
interface Applied {
  result: 'unchanged' | 'written' | 'notOwned' | 'contested';
  /** Fields that others set in parts that only the operator may write. If `written`: those that were removed. */
  drift: readonly Drift[];
}

export interface Applier {
  /** Writes a child if it differs from `wanted`. */
  apply(resource: Middleware, wanted: KubeObject): Promise<Applied>;
  /** Whether an object of this name exists and is not owned. */
  isNotOwned(resource: Middleware, kind: string, name: string): Promise<boolean>;
  remove(object: KubeObject): Promise<void>;
  /** Replaces the whole status: fields that `status` lacks are removed. */
  writeStatus(resource: Middleware, status: MiddlewareStatus): Promise<void>;
  /** Drops what is known about the children of a resource that was deleted. */
  forget(resource: KubeObject): void;
}

/** If others undo this number of writes within this time, ms, the operator stops writing the object for a while. */
const MAX_CONTESTS = 10;
const CONTEST_WINDOW_MS = 300_000;
/** Max attempts to write an object that changes meanwhile. */
const ATTEMPTS = 5;

/** An object of this name is not one of the resource. */
class NotOwned extends Error {}

/** Creates objects, and changes them by server-side apply under one field manager. Fields that others set stay as they are, except in owned parts. */
export function createApplier(options: ApplierOptions): Applier {
  const { client, cache, mayWrite, signal, metrics, logger } = options;
  /** When others undid a write of the object, and the hash of what was written; by object. */
  const contests = new Map<string, { hash: string; at: number[] }>();
  /** Hash of the owned parts, by object, if other managers own only fields that have their default value. */
  const harmless = new Map<string, string>();
  /** Lasting refusals of the API server, with what was tried; by object. The same write is not sent again. */
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

  const read = ({ kind, metadata: { namespace, name } }: KubeObject): Promise<KubeObject> =>
    client.request<KubeObject>(pathOf(kindOf(kind), namespace, name), { signal: signal() });

  /** Creates an object. The API server refuses that if the name is taken. Of a Secret, the cache holds only the metadata. */
  const post = async (object: KubeObject): Promise<KubeObject> => {
    const { apiVersion, kind, metadata } = object;
    mayWrite();
    const made = await client.request<KubeObject>(pathOf(kindOf(kind), metadata.namespace), {
      method: 'POST',
      query: { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict' },
      body: object,
      signal: signal(),
    });
    metrics.writes.inc({ kind, verb: 'create' });
    const kept = kind === SECRET.kind ? { metadata: made.metadata } : made;
    const trimmed = trimObject({ ...kept, apiVersion, kind });
    cache.store(kind).put(trimmed);
    return trimmed;
  };

  /**
   * Writes an object that was read as one of the resource. With its uid and version, the API server refuses the write if the
   * object was replaced, or got another owner, since it was read. Then it is read again, and only written if it is still
   * one of the resource.
   */
  const write = async (
    resource: Middleware,
    object: KubeObject,
    known: KubeObject,
    attempts = ATTEMPTS,
  ): Promise<KubeObject> => {
    try {
      const { uid, resourceVersion } = (known.unapplied ? await markApplied(resource, known) : known).metadata;
      return await patch(object, {
        contentType: PATCH.apply,
        query: { fieldManager: FIELD_MANAGER, force: true },
        body: { ...object, metadata: { ...object.metadata, uid, resourceVersion } },
      });
    } catch (error) {
      // A conflict is usual: the Deployment controller writes the status while pods are replaced.
      if (!isConflict(error) || attempts === 1) throw await explained(error, object);
      return write(resource, object, await readOwn(resource, object), attempts - 1);
    }
  };

  /** Reads an object. Throws if it is not one of the resource. */
  const readOwn = async (resource: Middleware, object: KubeObject): Promise<KubeObject> => {
    const { apiVersion, kind } = object;
    const found = { ...(await read(object)), apiVersion, kind };
    if (!isOwned(found, resource)) throw new NotOwned();
    return trimObject(found);
  };

  /** Lets an object that was only created count as applied, so that fields that are no longer wanted are removed. */
  const markApplied = async (resource: Middleware, { apiVersion, kind, metadata }: KubeObject): Promise<KubeObject> => {
    const found = await read({ apiVersion, kind, metadata });
    const managedFields = appliedFields(found);
    if (!isOwned({ ...found, apiVersion, kind }, resource)) throw new NotOwned();
    if (managedFields === undefined) return found;
    const { uid, resourceVersion } = found.metadata;
    return patch(
      { apiVersion, kind, metadata },
      {
        contentType: PATCH.merge,
        query: { fieldManager: FIELD_MANAGER },
        body: { metadata: { uid, resourceVersion, managedFields } },
      },
    );
  };

  /**
   * The error with the reason of a refusal. When a field of an applied object has a wrong type, the API server answers 500,
   * as it does for a fault of its own, but names the field. When the same object is created, it answers why it refuses
   * it. A dry run of the other request returns what is missing.
   */
  const explained = async (error: unknown, object: KubeObject): Promise<unknown> => {
    if (!(error instanceof KubeError)) return error;
    if (error.status === 500) {
      const created = await refusalOf(object, 'POST');
      return isLastingRefusal(created) ? joined(error, created) : error;
    }
    // The operator has no right to apply Jobs.
    if (error.status !== 400 || object.kind === 'Job') return error;
    const applied = await refusalOf(object, 'PATCH');
    return applied instanceof KubeError && applied.status === 500 ? joined(applied, error) : error;
  };

  /** The error of a dry run that creates or applies an object; undefined if there is none. */
  const refusalOf = (object: KubeObject, method: 'POST' | 'PATCH'): Promise<unknown> => {
    const { namespace, name } = object.metadata;
    const query = { fieldManager: FIELD_MANAGER, dryRun: 'All' };
    const request: KubeRequest =
      method === 'POST'
        ? { method, query: { ...query, fieldValidation: 'Strict' } }
        : { method, query: { ...query, force: true }, contentType: PATCH.apply };
    const path = pathOf(kindOf(object.kind), namespace, ...(method === 'PATCH' ? [name] : []));
    return client.request(path, { ...request, body: object, signal: signal() }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  };

  const joined = (applied: KubeError, { status, reason, message, body }: KubeError): KubeError =>
    new KubeError(status, reason, `${applied.message}; ${message}`, undefined, body === undefined ? {} : { body });

  /** Removes what others set in the parts that only the operator may write. */
  const restore = async (
    resource: Middleware,
    object: KubeObject,
    live: KubeObject,
    attempts = ATTEMPTS,
  ): Promise<KubeObject> => {
    const query = { fieldManager: FIELD_MANAGER };
    try {
      return await patch(object, { contentType: PATCH.json, query, body: restoration(object, live) });
    } catch (error) {
      if (!isConflict(error) || attempts === 1) throw error;
      return restore(resource, object, await readOwn(resource, object), attempts - 1);
    }
  };

  const writeAndRestore = async (resource: Middleware, object: KubeObject, known: KubeObject): Promise<KubeObject> => {
    let written: KubeObject;
    try {
      written = await write(resource, object, known);
    } catch (error) {
      // Fields that others set may contradict the wanted ones, for example two sources of one volume.
      if (known.drift === undefined || !isInvalid(error)) throw error;
      written = await write(resource, object, await restore(resource, object, known));
    }
    if (!isOwnedWhole(object) || isAsWanted(written, object)) return written;
    const restored = await restore(resource, object, written);
    // All fields that others still own have the default value of the API server, so they do no harm.
    if (restored.drift !== undefined) harmless.set(idOf(object), ownedHash(restored));
    return restored;
  };

  /** Creates an object, or writes one of the resource that the cache lacks, for example because somebody removed its labels. */
  const create = async (resource: Middleware, object: KubeObject): Promise<KubeObject> => {
    try {
      return await post(object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw await explained(error, object);
      const found = await readOwn(resource, object);
      return object.kind === 'Job' ? found : writeAndRestore(resource, object, found);
    }
  };

  /** Asks the API server: an object without the labels that the cache selects is not in the cache. */
  const isNotOwned: Applier['isNotOwned'] = async (resource, kind, name) => {
    try {
      const { namespace } = resource.metadata;
      const found = await read({ apiVersion: kindOf(kind).apiVersion, kind, metadata: { namespace, name } });
      return !isOwned({ ...found, kind }, resource);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };

  /** Creates the Secret, and never replaces an existing one: its password may already be in use. */
  const makeSecret = async (resource: Middleware, secret: KubeObject): Promise<Applied> => {
    try {
      await post(secret);
      return { result: 'written', drift: [] };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const isForeign = await isNotOwned(resource, secret.kind, secret.metadata.name);
      return { result: isForeign ? 'notOwned' : 'unchanged', drift: [] };
    }
  };

  return {
    isNotOwned,

    async apply(resource, wanted) {
      if (wanted.kind === SECRET.kind) return makeSecret(resource, wanted);
      const object = withAppliedHash(wanted);
      const { namespace = '', name } = object.metadata;
      const known = cache.store(object.kind).get(namespace, name);
      const drift = known?.drift ?? [];
      if (known !== undefined) {
        if (!isOwned(known, resource)) return { result: 'notOwned', drift: [] };
        if (known.metadata.deletionTimestamp !== undefined) return { result: 'unchanged', drift: [] };
        // The content of a Job cannot be changed. Its name is a hash of the content.
        if (object.kind === 'Job' || isAsWanted(known, object)) return { result: 'unchanged', drift: [] };
      }
      const tried = [hashIn(object), known?.metadata.uid, known?.metadata.generation].join();
      const refusal = refusals.get(idOf(object));
      if (refusal?.tried === tried) throw refusal.error;
      const hash = hashIn(object);
      const contest = contests.get(idOf(object));
      const undone =
        contest?.hash === hash ? contest.at.filter((at) => at > performance.now() - CONTEST_WINDOW_MS) : [];
      if (undone.length >= MAX_CONTESTS) return { result: 'contested', drift };
      const writing = known === undefined ? create(resource, object) : writeAndRestore(resource, object, known);
      const written = await writing.catch((error: unknown) => {
        if (error instanceof NotOwned) return undefined;
        if (isLastingRefusal(error)) refusals.set(idOf(object), { tried, error });
        throw error;
      });
      if (written === undefined) return { result: 'notOwned', drift: [] };
      refusals.delete(idOf(object));
      const refused = object.kind !== 'Job' && !isAsWanted(written, object);
      // This was written before, so somebody has changed the object since.
      if (refused || (known !== undefined && hashIn(known) === hash)) {
        contests.set(idOf(object), { hash, at: [...undone, performance.now()] });
      }
      if (refused) logger.warn({ namespace, object: refOf(object) }, 'Object is changed by others after each write');
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
        // Deleted already, or replaced by another object of the same name: the watch will report it.
        if (!(error instanceof KubeError) || (error.status !== 404 && error.status !== 409)) throw error;
      }
      logger.debug({ namespace, object: refOf(object), resourceVersion }, 'Deleted object');
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

    forget({ metadata: { namespace = '', name } }) {
      // Names of children begin with that of the resource. If another resource has such a name, its writes are only tried once more.
      const isOfResource = (id: string): boolean => {
        const [where, , child = ''] = id.split('/');
        return where === namespace && (child === name || child.startsWith(`${name}-`));
      };
      for (const known of [contests, harmless, refusals])
        for (const id of known.keys()) if (isOfResource(id)) known.delete(id);
    },
  };
}

const hashIn = ({ metadata }: KubeObject): string => metadata.annotations?.[ANNOTATION.applied] ?? '';
