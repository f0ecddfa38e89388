import { LABEL } from '../names.js';
import type { KubeObject } from '../types.js';

/** Called with the object before and after a change; one of them is undefined if it was created or deleted. */
type Change = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

/** The cached objects of one kind. */
export interface Store {
  get(namespace: string, name: string): KubeObject | undefined;
  /** The objects that belong to a resource by their label. */
  of(namespace: string, instance: string): readonly KubeObject[];
  all(): Iterable<KubeObject>;
  size(): number;
  /** Stores an object unless a newer version of it is known; returns whether it was stored. */
  put(object: KubeObject): boolean;
  /** Drops an object unless a newer version of it is known. */
  drop(object: KubeObject): void;
  /** Replaces all objects, or those of one namespace, by a list. Objects that are not in the list are dropped. */
  replace(objects: KubeObject[], within: string | undefined): void;
  /** Calls `listener` when an object is dropped. */
  onDrop(listener: (namespace: string, name: string) => void): void;
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const groupOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ''}/${metadata.labels?.[LABEL.instance] ?? ''}`;

/** Compares versions. They are numbers in practice, and by specification since Kubernetes 1.35; others count as not older. */
function isOlder({ metadata }: KubeObject, than: string | undefined): boolean {
  const [left, right] = [metadata.resourceVersion ?? '', than ?? ''];
  if (!/^\d+$/.test(left) || !/^\d+$/.test(right)) return false;
  return left.length === right.length ? left < right : left.length < right.length;
}

/** Max deleted objects that are remembered. */
const MAX_DELETED = 1_000;

export function createStore(onChange: Change): Store {
  const objects = new Map<string, KubeObject>();
  /** The last version of deleted objects, without the objects: the answer to a write may arrive after the watch reported the deletion. */
  const deleted = new Map<string, string | undefined>();
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
    if (known !== undefined && (same || isOlder(object, known.metadata.resourceVersion))) return false;
    if (isOlder(object, deleted.get(keyOf(object)))) return false;
    if (known !== undefined) forget(known);
    keep(object);
    onChange(known, object);
    return true;
  };

  const dropListeners: ((namespace: string, name: string) => void)[] = [];
  const remove = (known: KubeObject): void => {
    forget(known);
    for (const listener of dropListeners) listener(known.metadata.namespace ?? '', known.metadata.name);
    onChange(known, undefined);
  };

  return {
    get: (namespace, name) => objects.get(`${namespace}/${name}`),
    of: (namespace, instance) => [...(groups.get(`${namespace}/${instance}`)?.values() ?? [])],
    all: () => objects.values(),
    size: () => objects.size,
    onDrop: (listener) => void dropListeners.push(listener),
    put,
    drop(object) {
      deleted.delete(keyOf(object));
      deleted.set(keyOf(object), object.metadata.resourceVersion);
      if (deleted.size > MAX_DELETED) deleted.delete(deleted.keys().next().value as string);
      const known = objects.get(keyOf(object));
      // A late report of the deletion of an old object does not apply to a new object of the same name.
      if (known !== undefined && !isOlder(object, known.metadata.resourceVersion)) remove(known);
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
        // The version may be lower than the known one, if the API server was restored from a backup.
        if (known?.metadata.resourceVersion === object.metadata.resourceVersion) continue;
        if (known !== undefined) forget(known);
        keep(object);
        onChange(known, object);
      }
    },
  };
}
