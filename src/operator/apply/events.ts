import { createHash } from 'node:crypto';
import type { Logger } from '../../observe/logger.js';
import type { KubeClient } from '../kube/client.js';
import { EVENT, pathOf } from '../kube/kinds.js';
import { FIELD_MANAGER } from '../names.js';
import { API_VERSION, KIND } from '../schema/group.js';
import type { EventDraft, KubeObject } from '../types.js';

/** Max length of a note that the API server accepts, characters. */
const MAX_NOTE = 1024;

/** Returns a function that writes Kubernetes Events of a resource. A failed write is only logged. */
export function createEvents(client: KubeClient, identity: string, logger: Logger) {
  return async (resource: Pick<KubeObject, 'metadata'>, drafts: readonly EventDraft[]): Promise<void> => {
    const { name, namespace, uid, resourceVersion } = resource.metadata;
    for (const { type, reason, message } of drafts) {
      const now = new Date().toISOString();
      const tail = createHash('sha256').update(`${uid}/${reason}/${message}/${now}`).digest('hex').slice(0, 16);
      const body = {
        apiVersion: EVENT.apiVersion,
        kind: EVENT.kind,
        metadata: { name: `${name}.${tail}`, namespace },
        eventTime: now.replace('Z', '000Z'),
        type,
        reason,
        note: message.slice(0, MAX_NOTE),
        action: 'Reconcile',
        regarding: { apiVersion: API_VERSION, kind: KIND, name, namespace, uid, resourceVersion },
        reportingController: `chain-middleware.io/${FIELD_MANAGER}`,
        reportingInstance: identity.slice(0, 128),
      };
      try {
        await client.request(pathOf(EVENT, namespace), { method: 'POST', body, timeoutMs: 5_000 });
      } catch (error) {
        logger.debug({ reason: (error as Error).message }, 'Could not write an Event');
      }
    }
  };
}
