import type { KubeClient } from '../kube/client.js';
import { isForbidden, isNotFound } from '../kube/errors.js';
import { LEASE, pathOf } from '../kube/kinds.js';
import { ANNOTATION } from '../names.js';
import type { MiddlewareStatus } from '../schema/status.js';
import type { KubeObject } from '../types.js';
import { DURATION_SECONDS } from './lease.js';

interface InCharge {
  /** The mark of this operator: its lease, as NAMESPACE/NAME. Processes with the same lease are one operator. */
  readonly mark: string;
  /** The mark of another operator that is in charge of a resource; undefined if this one may act. */
  other(object: KubeObject): Promise<string | undefined>;
}

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
}

/**
 * Tells which operator is in charge of a resource: the one that its status names, until nobody holds the lease of that operator any
 * more, or an annotation names another one.
 */
export function createInCharge(
  client: Pick<KubeClient, 'request'>,
  lease: { namespace: string; name: string },
): InCharge {
  const mark = `${lease.namespace}/${lease.name}`;
  /** The last renewal of each lease, and when this process saw it. Clocks of machines differ, so only the own clock is used. */
  const seen = new Map<string, { version: string; at: number }>();

  const isHeld = async (one: string): Promise<boolean> => {
    const [namespace = '', name = ''] = one.split('/');
    try {
      const { metadata, spec } = await client.request<KubeObject>(pathOf(LEASE, namespace, name));
      const { holderIdentity = '', leaseDurationSeconds = DURATION_SECONDS } = (spec ?? {}) as LeaseSpec;
      const version = metadata.resourceVersion ?? '';
      const last = seen.get(one);
      if (last?.version !== version) seen.set(one, { version, at: performance.now() });
      const unchangedMs = last?.version === version ? performance.now() - last.at : 0;
      return holderIdentity !== '' && unchangedMs <= leaseDurationSeconds * 1000;
    } catch (error) {
      if (isNotFound(error)) return false;
      // The Roles of this operator do not reach there: it cannot know.
      if (isForbidden(error)) return true;
      throw error;
    }
  };

  return {
    mark,
    async other({ metadata, status }) {
      const { operator } = (status ?? {}) as MiddlewareStatus;
      if (operator === undefined || operator === mark) return undefined;
      if (metadata.annotations?.[ANNOTATION.acceptOperator] === mark) return undefined;
      return (await isHeld(operator)) ? operator : undefined;
    },
  };
}
