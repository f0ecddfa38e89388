import type { Logger } from '../../observe/logger.js';
import type { KubeClient } from '../kube/client.js';
import { KubeError } from '../kube/errors.js';
import { CHILD_KINDS, CONFIG_MAP, MIDDLEWARE, OPTIONAL_KINDS, POD, SECRET, USER_POLICY } from '../kube/kinds.js';
import type { Kind } from '../kube/kinds.js';
import type { OperatorMetrics } from '../metrics.js';
import { ANNOTATION, LABEL, MANAGED_SELECTOR, OTHERS_SELECTOR, controllerOf } from '../names.js';
import { createStore } from './store.js';
import type { Store } from './store.js';
import { startWatch } from './watch.js';
import type { Watch, WatchTimings } from './watch.js';
import type { Children, Deployment, Job, KubeObject, Middleware, Pod, Service } from '../types.js';
import { trimObject, trimPod } from './trim.js';

export interface Cache {
  readonly resources: Store;
  /** Only metadata. */
  readonly secrets: Store;
  /** ConfigMaps of users, only metadata. */
  readonly configMaps: Store;
  readonly pods: Store;
  /** The children of a resource, from the cache. */
  childrenOf(resource: Middleware): Children;
  store(kind: string): Store;
  /** Optional kinds that this API server has. */
  kinds(): ReadonlySet<string>;
  /** Whether all kinds were listed at least once. */
  synced(): boolean;
  /** Max time since the last message of a watch, over all watches, ms. */
  silentMs(): number;
  stop(): Promise<void>;
}

interface CacheOptions {
  client: KubeClient;
  /** Namespaces to watch; all if undefined. */
  namespaces: readonly string[] | undefined;
  logger: Logger;
  metrics: OperatorMetrics;
  /** Called when an object changed. */
  onChange: (kind: string, before: KubeObject | undefined, after: KubeObject | undefined) => void;
  timings?: Partial<WatchTimings>;
  /** Pause between two checks for optional kinds, ms. */
  discoveryMs?: number;
}

/** Pause after a failed check for optional kinds, ms. */
const SOON_MS = 1_000;
/** Kinds of objects that users make. Their metadata is enough to notice a change. */
const OF_USERS = new Map<Kind, { store: string; fieldSelector: string; labelSelector?: string }>([
  // Helm stores its releases in large Secrets, which the operator does not need.
  [SECRET, { store: SECRET.kind, fieldSelector: 'type!=helm.sh/release.v1' }],
  // Every namespace has kube-root-ca.crt. The ConfigMaps of the operator itself are among the child kinds.
  [
    CONFIG_MAP,
    { store: 'AnyConfigMap', fieldSelector: 'metadata.name!=kube-root-ca.crt', labelSelector: OTHERS_SELECTOR },
  ],
]);

/** The cache of the cluster. Decisions read only this cache, never the API server. */
export function createCache(options: CacheOptions): Cache {
  const { client, namespaces = [], logger, metrics, onChange, timings = {}, discoveryMs = 30_000 } = options;
  const stores = new Map<string, Store>();
  const watches = new Map<string, Watch[]>();
  const scopes: (string | undefined)[] = namespaces.length === 0 ? [undefined] : [...namespaces];

  const storeOf = (kind: string): Store => {
    const known = stores.get(kind);
    if (known !== undefined) return known;
    const store = createStore((before, after) => onChange(kind, before, after));
    stores.set(kind, store);
    return store;
  };

  const watch = (kind: Kind): void => {
    const ofUsers = OF_USERS.get(kind);
    const { store: name = kind.kind, ...selectors } = ofUsers ?? {};
    const started = scopes.map((namespace) =>
      startWatch({
        client,
        kind,
        namespace,
        ...(kind !== MIDDLEWARE && !ofUsers && { labelSelector: MANAGED_SELECTOR }),
        ...(ofUsers && { ...selectors, metadataOnly: true }),
        optional: OPTIONAL_KINDS.includes(kind),
        store: storeOf(name),
        trim: kind === POD ? trimPod : trimObject,
        logger,
        timings,
        onRelist: (reason) => metrics.relists.inc({ kind: name, reason }),
      }),
    );
    watches.set(name, started);
  };

  for (const kind of [MIDDLEWARE, SECRET, CONFIG_MAP, POD, ...CHILD_KINDS]) watch(kind);

  /** Reports a change of each resource, because a kind was added or removed on which it may depend. */
  const changedFor = ({ kind }: Kind): void => {
    for (const resource of storeOf(MIDDLEWARE.kind).all()) onChange(kind, undefined, resource);
  };

  /** Optional kinds are added and removed with the operators that own them. */
  let discovered = false;
  let setsUsers = false;
  const discover = async (): Promise<void> => {
    for (const [apiVersion, kinds] of byVersion(OPTIONAL_KINDS)) {
      const served = await servedKinds(client, apiVersion);
      for (const kind of kinds) {
        if (served.has(kind.kind) && !watches.has(kind.kind)) {
          watch(kind);
          changedFor(kind);
        } else if (!served.has(kind.kind) && watches.has(kind.kind)) {
          const stopped = watches.get(kind.kind) ?? [];
          watches.delete(kind.kind);
          await Promise.all(stopped.map((one) => one.stop()));
          storeOf(kind.kind).replace([], undefined);
        }
      }
    }
    const before = setsUsers;
    setsUsers = (await servedKinds(client, USER_POLICY.apiVersion)).has(USER_POLICY.kind);
    if (setsUsers !== before) changedFor(USER_POLICY);
    discovered = true;
  };
  let discovering: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const checkKinds = (): void => {
    discovering = discover()
      .then(
        () => discoveryMs,
        (error: unknown) => {
          logger.debug({ reason: (error as Error).message }, 'Could not check for optional kinds');
          return Math.min(SOON_MS, discoveryMs);
        },
      )
      .then((wait) => {
        if (!stopped) timer = setTimeout(checkKinds, wait).unref();
      });
  };
  checkKinds();

  const each = (): Watch[] => [...watches.values()].flat();
  return {
    resources: storeOf(MIDDLEWARE.kind),
    secrets: storeOf(SECRET.kind),
    configMaps: storeOf('AnyConfigMap'),
    pods: storeOf(POD.kind),
    store: storeOf,
    childrenOf: (resource) => childrenOf(resource, storeOf),
    kinds() {
      const existing = OPTIONAL_KINDS.filter(({ kind }) => watches.has(kind));
      return new Set([...existing, ...(setsUsers ? [USER_POLICY] : [])].map(({ kind }) => kind));
    },
    synced: () => discovered && each().every((one) => one.synced()),
    silentMs() {
      for (const [kind, some] of watches) {
        metrics.watchAge.set({ kind }, Math.max(...some.map((one) => one.silentMs())) / 1000);
      }
      return Math.max(...each().map((one) => one.silentMs()));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await discovering;
      await Promise.all(each().map((one) => one.stop()));
    },
  };
}

function byVersion(kinds: readonly Kind[]): Map<string, Kind[]> {
  const groups = new Map<string, Kind[]>();
  for (const kind of kinds) groups.set(kind.apiVersion, [...(groups.get(kind.apiVersion) ?? []), kind]);
  return groups;
}

async function servedKinds(client: KubeClient, apiVersion: string): Promise<Set<string>> {
  try {
    const { resources } = await client.request<{ resources: { kind: string }[] }>(`/apis/${apiVersion}`);
    return new Set(resources.map(({ kind }) => kind));
  } catch (error) {
    // Without the right to list kinds, or without the group, the kinds are not used.
    if (error instanceof KubeError && (error.status === 404 || error.status === 403)) return new Set();
    throw error;
  }
}

/**
 * Whether the resource owns an object. Without an owner reference, a label and an annotation decide: a PostgreSQL Cluster
 * that must outlive the resource has no owner reference.
 */
export function isOwned(object: KubeObject, { metadata }: Middleware): boolean {
  const controller = controllerOf(object);
  if (controller !== undefined) return controller.uid === metadata.uid;
  const { labels, annotations } = object.metadata;
  return labels?.[LABEL.instance] === metadata.name && annotations?.[ANNOTATION.applied] !== undefined;
}

function childrenOf(resource: Middleware, storeOf: (kind: string) => Store): Children {
  const { namespace, name: instance } = resource.metadata;
  const find = (kind: string, name: string): KubeObject | undefined => {
    const object = storeOf(kind).get(namespace, name);
    return object !== undefined && isOwned(object, resource) ? object : undefined;
  };
  const all = (kind: string): KubeObject[] =>
    storeOf(kind)
      .of(namespace, instance)
      .filter((object) => isOwned(object, resource));
  return {
    deployment: (name) => find('Deployment', name) as Deployment | undefined,
    job: (name) => find('Job', name) as Job | undefined,
    jobs: () => all('Job') as Job[],
    service: (name) => find('Service', name) as Service | undefined,
    pods: (labels) =>
      (storeOf('Pod').of(namespace, instance) as Pod[]).filter(({ metadata }) =>
        Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value),
      ),
    get: find,
    all: () => [...CHILD_KINDS, ...OPTIONAL_KINDS].flatMap(({ kind }) => all(kind)),
  };
}
