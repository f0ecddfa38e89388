import { LABEL } from '../names.js';
import type { KubeObject } from '../types.js';

/** A change: the object before and after; one of them is absent if it was created or deleted. */
type Change = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

/** The objects of one kind, as far as they are known. */
export interface Store {
  get(namespace: string, name: string): KubeObject | undefined;
  /** Those that belong to a resource by their label. */
  of(namespace: string, instance: string): readonly KubeObject[];
  all(): Iterable<KubeObject>;
  size(): number;
  /** Stores an object unless a newer state of it is known; returns whether it was stored. */
  put(object: KubeObject): boolean;
  /** Drops an object unless a newer state of it is known. */
  drop(object: KubeObject): void;
  /** Replaces everything by a list: objects that are not in it are deleted. */
  replace(objects: KubeObject[], within: string | undefined): void;
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const groupOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ''}/${metadata.labels?.[LABEL.instance] ?? ''}`;

/** Versions are numbers in practice, and since Kubernetes 1.35 by rule; others are accepted without comparing. */
function isOlder(a: KubeObject, b: KubeObject): boolean {
  const [left, right] = [a.metadata.resourceVersion ?? '', b.metadata.resourceVersion ?? ''];
  if (!/^\d+$/.test(left) || !/^\d+$/.test(right)) return false;
  return left.length === right.length ? left < right : left.length < right.length;
}

/** Max deleted objects that are remembered. */
const REMEMBERED = 1_000;

export function createStore(onChange: Change): Store {
  const objects = new Map<string, KubeObject>();
  /** The last state of deleted objects: the answer to a write may come after the deletion is known. */
  const deleted = new Map<string, KubeObject>();
  const groups = new Map<string, Map<string, KubeObject>>();

  const forget = (object: KubeObject): void => {
    objects.delete(keyOf(object));
    const group = groups.get(groupOf(object));
    group?.delete(keyOf(object));
    if (group?.size === 0) groups.delete(groupOf(object));
  };
  const keep = (object: KubeObject): void => {
    objects.set(keyOf(object), object);
    const group = groups.get(groupOf(object)) ?? new Map<string, KubeObject>();
    groups.set(groupOf(object), group.set(keyOf(object), object));
  };

  const put = (object: KubeObject): boolean => {
    const known = objects.get(keyOf(object));
    const same = known?.metadata.resourceVersion === object.metadata.resourceVersion;
    if (known !== undefined && (same || isOlder(object, known))) return false;
    const last = deleted.get(keyOf(object));
    if (last !== undefined && isOlder(object, last)) return false;
    if (known !== undefined) forget(known);
    keep(object);
    onChange(known, object);
    return true;
  };

  const remove = (known: KubeObject): void => {
    forget(known);
    onChange(known, undefined);
  };

  return {
    get: (namespace, name) => objects.get(`${namespace}/${name}`),
    of: (namespace, instance) => [...(groups.get(`${namespace}/${instance}`)?.values() ?? [])],
    all: () => objects.values(),
    size: () => objects.size,
    put,
    drop(object) {
      deleted.delete(keyOf(object));
      deleted.set(keyOf(object), object);
      if (deleted.size > REMEMBERED) deleted.delete(deleted.keys().next().value as string);
      const known = objects.get(keyOf(object));
      // A late report that an old object was deleted does not concern a new one of the same name.
      if (known !== undefined && !isOlder(object, known)) remove(known);
    },
    replace(list, within) {
      deleted.clear();
      const named = new Map(list.map((object) => [keyOf(object), object]));
      for (const known of [...objects.values()]) {
        const listed = within === undefined || known.metadata.namespace === within;
        if (listed && !named.has(keyOf(known))) remove(known);
      }
      for (const object of list) {
        const known = objects.get(keyOf(object));
        // A version may even go back, when the API server was restored from a backup.
        if (known?.metadata.resourceVersion === object.metadata.resourceVersion) continue;
        if (known !== undefined) forget(known);
        keep(object);
        onChange(known, object);
      }
    },
  };
}
