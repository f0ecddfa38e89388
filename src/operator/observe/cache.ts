import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../observe/logger.js';
import type { KubeClient } from '../kube/client.js';
import { KubeError } from '../kube/errors.js';
import {
  ANY_CONFIG_MAP,
  CHILD_KINDS,
  CONFIG_MAP,
  MIDDLEWARE,
  OPTIONAL_KINDS,
  POD,
  SECRET,
  USER_POLICY,
} from '../kube/kinds.js';
import type { Kind } from '../kube/kinds.js';
import type { OperatorMetrics } from '../metrics.js';
import { ANNOTATION, FIELD_MANAGER, LABEL, MANAGED_SELECTOR, OTHERS_SELECTOR, controllerOf } from '../names.js';
import { createStore } from './store.js';
import type { Store } from './store.js';
import { repeat } from '../../runtime/repeat.js';
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
    { store: ANY_CONFIG_MAP, fieldSelector: 'metadata.name!=kube-root-ca.crt', labelSelector: OTHERS_SELECTOR },
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

  let setsUsers = false;
  /** Starts to watch the kinds of this version that are served, and no longer watches those that are not. */
  const discover = async (apiVersion: string): Promise<void> => {
    const served = await servedKinds(client, apiVersion);
    for (const kind of OPTIONAL_KINDS.filter((one) => one.apiVersion === apiVersion)) {
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
    if (apiVersion !== USER_POLICY.apiVersion) return;
    const before = setsUsers;
    setsUsers = served.has(USER_POLICY.kind);
    if (setsUsers !== before) changedFor(USER_POLICY);
  };

  /** Optional kinds are added and removed with the operators that own them. */
  const versions = new Set([...OPTIONAL_KINDS, USER_POLICY].map(({ apiVersion }) => apiVersion));
  const undiscovered = new Set(versions);
  const stopping = new AbortController();
  /** A loop for each version: one whose checks fail does not delay the others. */
  const keepDiscovering = async (apiVersion: string): Promise<void> => {
    await repeat({
      signal: stopping.signal,
      async runOnce() {
        await discover(apiVersion);
        undiscovered.delete(apiVersion);
        return discoveryMs;
      },
      onFault(error) {
        logger.debug({ apiVersion, reason: (error as Error).message }, 'Could not check for optional kinds');
        return Math.min(SOON_MS, discoveryMs);
      },
      pause: (ms) => pause(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined),
    });
  };
  const discovering = [...versions].map(keepDiscovering);

  const each = (): Watch[] => [...watches.values()].flat();
  return {
    resources: storeOf(MIDDLEWARE.kind),
    secrets: storeOf(SECRET.kind),
    configMaps: storeOf(ANY_CONFIG_MAP),
    pods: storeOf(POD.kind),
    store: storeOf,
    childrenOf: (resource) => childrenOf(resource, storeOf),
    kinds() {
      const existing = OPTIONAL_KINDS.filter(({ kind }) => watches.has(kind));
      return new Set([...existing, ...(setsUsers ? [USER_POLICY] : [])].map(({ kind }) => kind));
    },
    synced: () => undiscovered.size === 0 && each().every((one) => one.synced()),
    silentMs() {
      for (const [kind, some] of watches) {
        metrics.watchAge.set({ kind }, Math.max(...some.map((one) => one.silentMs())) / 1000);
      }
      return Math.max(...each().map((one) => one.silentMs()));
    },
    async stop() {
      stopping.abort();
      await Promise.all(discovering);
      await Promise.all(each().map((one) => one.stop()));
    },
  };
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
 * that must outlive the resource has no owner reference. Nor has the Secret of a trial database, and its labels decide.
 */
export function isOwned(object: KubeObject, { metadata }: Middleware): boolean {
  const controller = controllerOf(object);
  if (controller !== undefined) return controller.uid === metadata.uid;
  const { labels, annotations } = object.metadata;
  if (object.kind === SECRET.kind) {
    return labels?.[LABEL.instance] === metadata.name && labels[LABEL.managedBy] === FIELD_MANAGER;
  }
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
