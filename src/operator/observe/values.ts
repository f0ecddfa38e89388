import { createHash } from 'node:crypto';
import type { KubeClient } from '../kube/client.js';
import { isNotFound } from '../kube/errors.js';
import { pathOf } from '../kube/kinds.js';
import type { Kind } from '../kube/kinds.js';
import type { Store } from './store.js';

/** A key of a Secret or ConfigMap. */
export interface Reference {
  name: string;
  key: string;
}

/** Returns the facts about the value of a key; undefined if the object does not exist. */
type Values<F> = (namespace: string, reference: Reference) => Promise<F | undefined>;

interface ValuesOptions<F> {
  client: KubeClient;
  kind: Kind;
  /** The metadata of all objects of the kind. */
  store: Store;
  /** Makes the facts to cache from a value, which is `undefined` if the object lacks the key. */
  factsOf: (reference: Reference, text: string | undefined) => F;
}

/** Reads a value when its object has changed, and caches only facts about it. */
export function createValues<F>({ client, kind, store, factsOf }: ValuesOptions<F>): Values<F> {
  const known = new Map<string, { version: string; facts: F }>();
  return async (namespace, reference) => {
    const { name, key } = reference;
    const version = store.get(namespace, name)?.metadata.resourceVersion;
    if (version === undefined) return undefined;
    const id = `${namespace}/${name}/${key}`;
    const cached = known.get(id);
    if (cached?.version === version) return cached.facts;
    try {
      const { data } = await client.request<{ data?: Record<string, string> }>(pathOf(kind, namespace, name));
      const given = data?.[key];
      const text =
        kind.kind === 'Secret' && given !== undefined ? Buffer.from(given, 'base64').toString('utf8') : given;
      const facts = factsOf(reference, text);
      known.set(id, { version, facts });
      return facts;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}

/** Short on purpose: enough to notice a change, too short to test guessed passwords. */
export const shortHash = ({ name, key }: Reference, text: string): string =>
  createHash('sha256').update(`${name}/${key}/${text}`).digest('hex').slice(0, 8);
