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
  /**
   * Makes the facts to cache from a value, which is `undefined` if the object lacks the key. `version` is the uid and version
   * of the object, as it was when the value was first seen.
   */
  factsOf: (reference: Reference, text: string | undefined, version: string) => F;
}

interface Valued {
  metadata: { uid: string; resourceVersion: string };
  data?: Record<string, string>;
}

interface Known<F> {
  /** Version of the object that was read last. */
  resourceVersion: string;
  facts: F;
  /**
   * Facts of its last values, oldest first, by digests that are only in memory: they show whether a change of the object changed the
   * value, and whether it was changed back.
   */
  values: ReadonlyMap<string | undefined, F>;
}

/** Max values of an object that are remembered. */
const MAX_VALUES = 4;

/**
 * Reads a value when its object has changed, and caches only facts about it. The facts stay the same while the value does, so
 * a change of labels or annotations replaces no pods, nor does a value that was restored.
 */
export function createValues<F>({ client, kind, store, factsOf }: ValuesOptions<F>): Values<F> {
  /** By namespace and name of the object, then by key. */
  const known = new Map<string, Map<string, Known<F>>>();
  store.onDrop((namespace, name) => known.delete(`${namespace}/${name}`));
  return async (namespace, reference) => {
    const { name, key } = reference;
    const resourceVersion = store.get(namespace, name)?.metadata.resourceVersion;
    if (resourceVersion === undefined) return undefined;
    const id = `${namespace}/${name}`;
    const cached = known.get(id)?.get(key);
    if (cached?.resourceVersion === resourceVersion) return cached.facts;
    try {
      const { data, metadata } = await client.request<Valued>(pathOf(kind, namespace, name));
      const given = data?.[key];
      const text =
        kind.kind === 'Secret' && given !== undefined ? Buffer.from(given, 'base64').toString('utf8') : given;
      const digest = text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
      const facts =
        cached?.values.get(digest) ?? factsOf(reference, text, `${metadata.uid}/${metadata.resourceVersion}`);
      const others = [...(cached?.values ?? [])].filter(([one]) => one !== digest);
      const values = new Map([...others.slice(1 - MAX_VALUES), [digest, facts]]);
      // It may have been dropped meanwhile.
      if (store.get(namespace, name) !== undefined)
        known.set(id, (known.get(id) ?? new Map<string, Known<F>>()).set(key, { resourceVersion, facts, values }));
      return facts;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}
