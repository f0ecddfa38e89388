import type { Logger } from '../../observe/logger.js';
import { version } from '../../observe/version.js';
import { createApplier } from '../apply/apply.js';
import { createCache } from '../observe/cache.js';
import type { WatchTimings } from '../observe/watch.js';
import { createEvents } from '../apply/events.js';
import { causeOf } from '../kube/errors.js';
import { ANY_CONFIG_MAP } from '../kube/kinds.js';
import type { KubeClient } from '../kube/client.js';
import { retryingOnce } from '../kube/retry.js';
import { startLease } from './lease.js';
import type { LeaseTimings } from './lease.js';
import type { OperatorMetrics } from '../metrics.js';
import { LABEL, controllerOf } from '../names.js';
import { startFaultOf, failureOf } from '../readings/pods.js';
import { createProber } from '../observe/prober.js';
import type { Reach } from '../observe/prober.js';
import { createQueue } from './queue.js';
import { createInCharge } from './in-charge.js';
import { createReconciler } from './reconcile.js';
import { KIND } from '../schema/group.js';
import { CONDITIONS, PHASES } from '../schema/status.js';
import { IN_USE } from '../decide/findings.js';
import type { MiddlewareStatus } from '../schema/status.js';
import { createAuthorities } from '../observe/authorities.js';
import { uses } from '../observe/uses.js';
import { isUpgrading, upgradePhase } from '../observe/upgrades.js';
import { createSecrets } from '../observe/secrets.js';
import type { Allowed, KubeObject, Pod } from '../types.js';

interface OperatorOptions {
  client: KubeClient;
  /** Namespaces to watch; all if undefined. */
  namespaces: readonly string[] | undefined;
  lease: { namespace: string; name: string; identity: string; timings?: Partial<LeaseTimings> };
  defaultImage: string;
  /** What resources may ask for. */
  allowed: Allowed;
  /** Address before docs/runbooks/… in the links of alerts; none if absent. */
  runbookBase?: string;
  /** Version of the operator; default the version of this program. */
  version?: string;
  reach: Reach;
  concurrency: number;
  logger: Logger;
  metrics: OperatorMetrics;
  /** Every resource is reconciled after this time, even without a change, ms. */
  resyncMs?: number;
  watchTimings?: Partial<WatchTimings>;
  probeMs?: number;
  discoveryMs?: number;
}

export interface Operator {
  /** Whether the cache is complete and up to date. A process that waits for the lease is ready, too. */
  ready(): boolean;
  /** Whether this process holds the lease. */
  acts(): boolean;
  /** Sets the gauges whose values change with time alone. */
  measure(): void;
  /** Waits for running passes, and releases the lease. */
  stop(): Promise<void>;
}

const RESYNC_MS = 600_000;
/** A dead watch is restarted after 55 s at the latest, so a longer silence means that the API server does not answer. */
const STALE_MS = 120_000;

/** Starts the operator. It reconciles resources while this process holds the lease. */
export function startOperator(options: OperatorOptions): Operator {
  const { client, namespaces, defaultImage, allowed, runbookBase = '', version: operatorVersion = version } = options;
  const { reach, concurrency, logger, metrics } = options;
  let term: AbortSignal | undefined;

  const mayWrite = (): void => {
    if (!lease.holds()) throw new Error('this process does not hold the lease any more');
  };
  const cache = createCache({
    client,
    namespaces,
    logger,
    metrics,
    onChange: (kind, before, after) => onChange(kind, before, after),
    ...(options.watchTimings && { timings: options.watchTimings }),
    ...(options.discoveryMs !== undefined && { discoveryMs: options.discoveryMs }),
  });
  // Watches and the lease retry by themselves. Requests of a pass are repeated once.
  const retrying = retryingOnce(client);
  const secrets = createSecrets(retrying, cache.secrets);
  const authoritiesOf = createAuthorities(retrying, cache);
  const prober = createProber({
    cache,
    reach,
    onChange: (namespace, name) => queue.add(`${namespace}/${name}`),
    ...(options.probeMs !== undefined && { everyMs: options.probeMs }),
  });
  const applier = createApplier({ client: retrying, cache, mayWrite, signal: () => term, metrics, logger });
  const emit = createEvents(retrying, options.lease.identity, logger);
  const operatorNamespace = options.lease.namespace;
  const inCharge = createInCharge(retrying, options.lease);
  const { reconcile, forget: forgetResource } = createReconciler({
    ...{ inCharge, cache, secrets, authoritiesOf, prober, applier, emit, metrics, logger },
    ...{ defaultImage, operatorVersion, operatorNamespace, allowed, runbookBase },
  });
  const queue = createQueue({
    concurrency,
    metrics: metrics.queue,
    async work(key) {
      const begun = performance.now();
      const end = (result: string) => metrics.reconcileSeconds.observe({ result }, (performance.now() - begun) / 1000);
      try {
        const after = await reconcile(key);
        end('done');
        return after;
      } catch (error) {
        end('failed');
        throw error;
      }
    },
    onFailure(key, error, failures) {
      const reason = causeOf(error);
      metrics.reconcileErrors.inc({ reason });
      const level = failures > 3 ? 'warn' : 'debug';
      logger[level]({ key, failures, cause: reason, reason: (error as Error).message }, 'Reconciliation failed');
      if (reason === 'internal') logger.debug({ err: error }, 'Reconciliation failed by a fault of the operator');
    },
  });

  const onChange = (kind: string, before: KubeObject | undefined, after: KubeObject | undefined): void => {
    const object = after ?? before;
    if (object === undefined) return;
    const { namespace = '', name, labels } = object.metadata;
    if (kind === 'Secret' || kind === ANY_CONFIG_MAP) return enqueueUsers(object);
    if (object.kind === KIND) {
      if (before !== undefined && before.metadata.uid !== after?.metadata.uid) forgetResource(before);
      if (after === undefined) forget(namespace, name);
      else measure(namespace, name, after);
      // A resource that waits for the database of this one may now continue.
      if (before === undefined || after === undefined) enqueueAll(isWaiting);
      // Its upgrade has ended or failed: waiting upgrades begin, or report that.
      if (isUpgrading(before) && upgradePhase(before) !== upgradePhase(after)) enqueueAll(waitsForUpgrade);
      if (after !== undefined && isRelevantChange(before, after)) queue.add(`${namespace}/${name}`);
      return;
    }
    if (kind === 'Pod') countRestarts(namespace, labels?.[LABEL.instance] ?? '');
    if (kind === 'Pod' && !isRelevantPodChange(before as Pod | undefined, after as Pod | undefined)) return;
    const owner = controllerOf(object)?.kind === KIND ? controllerOf(object)?.name : labels?.[LABEL.instance];
    if (owner !== undefined) queue.add(`${namespace}/${owner}`);
  };

  const enqueueAll = (filter: (object: KubeObject) => boolean = () => true): void => {
    for (const object of cache.resources.all()) {
      if (filter(object)) queue.add(`${object.metadata.namespace}/${object.metadata.name}`);
    }
  };

  const enqueueUsers = (used: KubeObject): void =>
    enqueueAll((object) => object.metadata.namespace === used.metadata.namespace && uses(object, used));

  const phases = new Map<string, string>();
  const measure = (namespace: string, name: string, object: KubeObject): void => {
    const { phase = 'Pending', lag, conditions = [], reload } = (object.status ?? {}) as MiddlewareStatus;
    if (!phases.has(`${namespace}/${name}`)) countRestarts(namespace, name);
    phases.set(`${namespace}/${name}`, phase);
    countPhases();
    if (lag === undefined) metrics.lagBlocks.remove({ namespace, name });
    else metrics.lagBlocks.set({ namespace, name }, lag);
    for (const { type, status, reason } of conditions) {
      // A resource that hibernates is not ready on purpose: no alert is to fire.
      if (status === 'Unknown' || reason === 'Hibernated') metrics.condition.remove({ namespace, name, type });
      else metrics.condition.set({ namespace, name, type }, status === 'True' ? 1 : 0);
    }
    if (reload?.total !== undefined && reload.total > 0) {
      metrics.reloadProgress.set({ namespace, name }, Math.min((reload.loaded ?? 0) / reload.total, 1));
    }
  };
  const countRestarts = (namespace: string, name: string): void => {
    if (cache.resources.get(namespace, name) === undefined) return;
    const statuses = (cache.pods.of(namespace, name) as Pod[]).flatMap(({ status }) => status?.containerStatuses ?? []);
    metrics.restarts.set(
      { namespace, name },
      statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    );
  };
  const forget = (namespace: string, name: string): void => {
    phases.delete(`${namespace}/${name}`);
    countPhases();
    queue.forget(`${namespace}/${name}`);
    metrics.lagBlocks.remove({ namespace, name });
    metrics.restarts.remove({ namespace, name });
    metrics.reloadProgress.remove({ namespace, name });
    for (const type of CONDITIONS) {
      metrics.condition.remove({ namespace, name, type });
    }
  };
  const countPhases = (): void => {
    const counts = new Map<string, number>(PHASES.map((phase) => [phase, 0]));
    for (const phase of phases.values()) counts.set(phase, (counts.get(phase) ?? 0) + 1);
    for (const [phase, count] of counts) metrics.resources.set({ phase }, count);
  };

  let waiting: NodeJS.Timeout | undefined;
  /** Waits for the cache: with incomplete lists, existing objects would be treated as missing. */
  const beginWhenSynced = (signal: AbortSignal): void => {
    if (signal.aborted) return;
    if (!cache.synced()) {
      waiting = setTimeout(() => beginWhenSynced(signal), 20);
      return;
    }
    enqueueAll();
    queue.start();
    prober.start();
  };
  const lease = startLease({
    client,
    ...options.lease,
    logger,
    onGained(signal) {
      term = signal;
      metrics.leader.set(1);
      beginWhenSynced(signal);
    },
    async onLost() {
      clearTimeout(waiting);
      metrics.leader.set(0);
      await Promise.all([queue.stop(), prober.stop()]);
      term = undefined;
    },
  });

  const resync = setInterval(() => enqueueAll(), options.resyncMs ?? RESYNC_MS);
  resync.unref();
  return {
    ready: () => cache.synced() && cache.silentMs() < STALE_MS,
    acts: () => lease.holds(),
    measure() {
      queue.measure();
      cache.silentMs();
    },
    async stop() {
      clearInterval(resync);
      await lease.release();
      await cache.stop();
    },
  };
}

/** Whether a change of a pod matters. Deployments report the number of their pods, but not why pods do not start or run. */
function isRelevantPodChange(before: Pod | undefined, after: Pod | undefined): boolean {
  if ((after ?? before)?.metadata.labels?.['batch.kubernetes.io/job-name'] !== undefined) return true;
  const faultOf = (pod: Pod | undefined): string | undefined => pod && (startFaultOf(pod) ?? failureOf(pod))?.message;
  return faultOf(before) !== faultOf(after);
}

const isWaiting = ({ status }: KubeObject): boolean =>
  ((status ?? {}) as MiddlewareStatus).conditions?.some(({ reason }) => reason === IN_USE) === true;

const waitsForUpgrade = (object: KubeObject): boolean => upgradePhase(object) === 'Waiting';

/** Which resource a status describes and which copy serves; both go when somebody removes the status or restores another one. */
function servedIn({ status }: KubeObject): string {
  const { uid, activeColor } = (status ?? {}) as MiddlewareStatus;
  return JSON.stringify([uid, activeColor]);
}

/** Whether a change of a resource matters. Another change of the status alone does not: the operator itself writes it. */
function isRelevantChange(before: KubeObject | undefined, after: KubeObject): boolean {
  if (before === undefined) return true;
  const [a, b] = [before.metadata, after.metadata];
  return (
    a.generation !== b.generation ||
    a.uid !== b.uid ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    servedIn(before) !== servedIn(after) ||
    JSON.stringify(a.annotations) !== JSON.stringify(b.annotations) ||
    JSON.stringify(a.labels) !== JSON.stringify(b.labels)
  );
}
