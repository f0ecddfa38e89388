import { createHash } from 'node:crypto';
import type { Logger } from '../../observe/logger.js';
import { PATCH } from '../kube/client.js';
import type { KubeClient } from '../kube/client.js';
import { isNotFound } from '../kube/errors.js';
import { EVENT, pathOf } from '../kube/kinds.js';
import { FIELD_MANAGER } from '../names.js';
import { API_VERSION, KIND } from '../schema/group.js';
import type { EventDraft, KubeObject } from '../types.js';

/** Max length of a note that the API server accepts, characters. */
const MAX_NOTE = 1024;
/** A repetition after a longer time than this is another Event, as in other controllers. */
const SERIES_MS = 360_000;
const TIMEOUT_MS = 5_000;

/** An Event that was written, and how often. */
interface Written {
  path: string;
  count: number;
  /** Time of the last one, ms since 1970. */
  at: number;
}

/**
 * Returns a function that writes Kubernetes Events of a resource. The same text again makes no other Event: it is counted in the
 * `series` of the first one. A failed write is only logged.
 */
export function createEvents(client: KubeClient, identity: string, logger: Logger, now = Date.now) {
  /** By resource, type, reason and text. */
  const written = new Map<string, Written>();

  return async ({ metadata }: Pick<KubeObject, 'metadata'>, drafts: readonly EventDraft[]): Promise<void> => {
    const { name, namespace, uid, resourceVersion } = metadata;
    const create = async ({ type, reason, message }: EventDraft, key: string, time: string): Promise<Written> => {
      const event = `${name}.${createHash('sha256').update(`${key}/${time}`).digest('hex').slice(0, 16)}`;
      const body = {
        apiVersion: EVENT.apiVersion,
        kind: EVENT.kind,
        metadata: { name: event, namespace },
        eventTime: time,
        type,
        reason,
        note: message.slice(0, MAX_NOTE),
        action: 'Reconcile',
        regarding: { apiVersion: API_VERSION, kind: KIND, name, namespace, uid, resourceVersion },
        reportingController: `chain-middleware.io/${FIELD_MANAGER}`,
        reportingInstance: identity.slice(0, 128),
      };
      await client.request(pathOf(EVENT, namespace), { method: 'POST', body, timeoutMs: TIMEOUT_MS });
      return { path: pathOf(EVENT, namespace, event), count: 1, at: now() };
    };
    /** Undefined if the API server has deleted the Event. */
    const repeat = async ({ path, count }: Written, time: string): Promise<Written | undefined> => {
      const body = { series: { count: count + 1, lastObservedTime: time } };
      const request = { method: 'PATCH', contentType: PATCH.merge, body, timeoutMs: TIMEOUT_MS } as const;
      return client.request(path, request).then(
        () => ({ path, count: count + 1, at: now() }),
        (error: unknown) => {
          if (!isNotFound(error)) throw error;
          return undefined;
        },
      );
    };

    for (const [key, { at }] of written) if (now() - at > SERIES_MS) written.delete(key);
    for (const draft of drafts) {
      const key = [uid, draft.type, draft.reason, draft.message].join('/');
      const time = new Date(now()).toISOString().replace('Z', '000Z');
      const before = written.get(key);
      try {
        written.set(key, (before && (await repeat(before, time))) ?? (await create(draft, key, time)));
      } catch (error) {
        logger.debug({ reason: (error as Error).message }, 'Could not write an Event');
      }
    }
  };
}
