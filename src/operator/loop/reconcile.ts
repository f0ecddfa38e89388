import { randomBytes } from 'node:crypto';
import type { Logger } from '../../observe/logger.js';
import type { Applier } from '../apply/apply.js';
import type { Cache } from '../observe/cache.js';
import { isOwned } from '../observe/cache.js';
import { isSame } from '../apply/compare.js';
import { referencesOf } from '../apply/references.js';
import { decide } from '../decide/decide.js';
import { driftText } from '../observe/drift.js';
import { KubeError, isNamespaceTerminating } from '../kube/errors.js';
import { SECRET } from '../kube/kinds.js';
import type { OperatorMetrics } from '../metrics.js';
import { ANNOTATION, refOf, trialName } from '../names.js';
import type { Prober } from '../observe/prober.js';
import { isUnreadable, readResource } from '../resource.js';
import { claimsOf, conflictingOwnerOf } from '../observe/conflicting-owner.js';
import type { MiddlewareStatus } from '../schema/status.js';
import type { Secrets } from '../observe/secrets.js';
import { unreadableStatus, withRefusals } from '../decide/faulty-status.js';
import type { Refusal } from '../decide/faulty-status.js';
import { createUpgrades } from '../observe/upgrades.js';
import type { createInCharge } from './in-charge.js';
import { createProgress } from './progress.js';
import type { Allowed, Decision, EventDraft, KubeObject, Middleware, Observed } from '../types.js';
import { earliest } from '../times.js';

interface ReconcilerOptions {
  inCharge: ReturnType<typeof createInCharge>;
  cache: Cache;
  secrets: Secrets;
  authoritiesOf: (resource: Middleware) => Promise<Observed['authorities']>;
  prober: Pick<Prober, 'healthOf'>;
  applier: Applier;
  emit: (resource: Pick<KubeObject, 'metadata'>, drafts: readonly EventDraft[]) => Promise<void>;
  defaultImage: string;
  operatorVersion: string;
  allowed: Allowed;
  runbookBase: string;
  operatorNamespace: string;
  metrics: OperatorMetrics;
  logger: Logger;
  now?: () => number;
}

type Findings = Pick<Observed, 'notOwned' | 'contested' | 'removed'>;
const NOTHING: Findings = { notOwned: [], contested: [], removed: undefined };

/** After this number of failures a pass writes no more. */
const MAX_FAILURES = 3;
/** Pause after a pass in which some writes failed, ms. */
const SOON_MS = 250;
/** Time after which it is checked again whether another operator is still in charge of a resource, ms. */
const OTHER_MS = 20_000;

interface Reconciler {
  /** Reconciles one resource by one step and returns the time until the next step, ms. */
  reconcile(key: string): Promise<number | undefined>;
  /** Drops what is known about a resource that was deleted. */
  forget(object: KubeObject): void;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const {
    inCharge,
    cache,
    secrets,
    authoritiesOf,
    prober,
    applier,
    emit,
    defaultImage,
    operatorVersion,
    allowed,
    runbookBase,
    operatorNamespace,
    logger,
    now = Date.now,
  } = options;
  const progress = createProgress();
  /** What the last write of the children showed, by the uid of the resource. */
  const findings = new Map<string, Findings>();
  /**
   * The uid of resources whose namespace is being deleted, by key. They are not reconciled: each deletion of a child would
   * cause a pass whose writes are refused.
   */
  const terminating = new Map<string, string>();

  const upgrades = createUpgrades(cache.resources);

  const worldOf = async (resource: Middleware): Promise<Observed> => {
    const { namespace, name, uid } = resource.metadata;
    const found = findings.get(uid) ?? NOTHING;
    return {
      resource,
      now: now(),
      defaultImage,
      operatorVersion,
      allowed,
      runbookBase,
      upgrading: undefined,
      operatorNamespace,
      children: cache.childrenOf(resource),
      database: await secrets.databaseOf(resource),
      newPassword: resource.spec.database.trial && randomBytes(24).toString('base64url'),
      readDatabase: await secrets.readDatabaseOf(resource),
      authorities: await authoritiesOf(resource),
      health: prober.healthOf(namespace, name),
      conflictingOwner: await conflictingOwnerOf(resource, cache.resources, secrets),
      claims: await claimsOf(resource, cache.resources, secrets),
      kinds: cache.kinds(),
      ...found,
      notOwned: [...new Set([...found.notOwned, ...foreignSecret(resource)])],
    };
  };

  /** The Secret with the name of that of a trial database, if somebody else made it. */
  const foreignSecret = (resource: Middleware): string[] => {
    const { namespace, name } = resource.metadata;
    const secret = resource.spec.database.trial && cache.secrets.get(namespace, trialName(name));
    return secret === undefined || isOwned(secret, resource) ? [] : [`${SECRET.kind}/${trialName(name)}`];
  };

  /**
   * Writes the objects in the order of the list, and removes those that are not wanted. A refused object is reported; a write or removal that
   * fails for a passing reason is repeated in a later pass. Neither stops the others, nor the status.
   */
  const write = async (resource: Middleware, { want, keeps }: Decision, world: Observed) => {
    const notOwned: string[] = [];
    const contested: string[] = [];
    const removed: string[] = [];
    const refused: Refusal[] = [];
    let failure: KubeError | undefined;
    let failures = 0;
    let written = 0;
    let madeSecret = false;
    const taken = new Set(world.notOwned);
    /** Notes what a write or a removal failed by; throws a fault of the operator itself. */
    const onError = (object: KubeObject, error: unknown): void => {
      if (isPassing(error)) {
        failure = error;
        failures++;
      } else if (isRefusal(error) && !isNamespaceTerminating(error)) refused.push({ object, message: error.message });
      else throw error;
    };
    // Each failure may take a whole timeout. If the API server does not answer, the other writes would fail, too.
    const givesUp = (): boolean => failures >= MAX_FAILURES;
    for (const object of want) {
      if (givesUp()) break;
      // Nothing that refers to an object of somebody else is made or changed.
      if (referencesOf(object).some((ref) => taken.has(ref))) continue;
      try {
        const { result, drift } = await applier.apply(resource, object);
        if (result === 'notOwned') taken.add(refOf(object));
        else taken.delete(refOf(object));
        const by = drift.length === 0 ? refOf(object) : `${refOf(object)}: ${driftText(drift)}`;
        if (result === 'notOwned') notOwned.push(refOf(object));
        if (result === 'contested') contested.push(by);
        if (result === 'written') {
          written++;
          madeSecret ||= object.kind === SECRET.kind;
          if (drift.length > 0) removed.push(by);
        }
      } catch (error) {
        onError(object, error);
      }
    }
    const wanted = new Set(want.map(refOf));
    // An object that is not owned and not wanted now, because it blocks the pods, is only checked.
    for (const ref of world.notOwned.filter((one) => !wanted.has(one))) {
      const [kind = '', name = ''] = ref.split('/');
      if (await applier.isNotOwned(resource, kind, name)) notOwned.push(ref);
    }
    for (const object of world.children.all()) {
      if (givesUp()) break;
      if (wanted.has(refOf(object)) || keeps(object)) continue;
      await applier.remove(object).catch((error: unknown) => onError(object, error));
    }
    return { notOwned, contested, removed, refused, failure, written, madeSecret };
  };

  const publish = async (resource: Middleware, decided: MiddlewareStatus, events: EventDraft[]) => {
    const { uid } = resource.metadata;
    const status = { ...decided, operator: inCharge.mark };
    if (isSame(resource.status, status)) return undefined;
    const rest = progress.restMs(uid, resource.status, status);
    if (rest > 0) return rest;
    await applier.writeStatus(resource, status);
    progress.written(uid, resource.status, status);
    await emit(resource, events);
    return undefined;
  };

  /** The operator that was reported to be in charge of a resource, by its uid. */
  const reported = new Map<string, string>();

  /** Reports, once, that another operator is in charge. Its status is left alone: both would write it in turn. */
  const refuse = async (key: string, { metadata }: KubeObject, other: string): Promise<void> => {
    const { uid = '' } = metadata;
    if (reported.get(uid) === other) return;
    reported.set(uid, other);
    const message =
      `Operator ${inCharge.mark} does not touch this resource, because operator ${other} is in charge of it: let them watch ` +
      `different namespaces, or remove one. To let the former take over, annotate the resource with ${ANNOTATION.acceptOperator}=${inCharge.mark}`;
    logger.warn({ key, other }, message);
    await emit({ metadata }, [{ type: 'Warning', reason: 'OtherOperator', message }]);
  };

  const pass = async (key: string, object: KubeObject): Promise<number | undefined> => {
    const other = await inCharge.other(object);
    if (other !== undefined) {
      await refuse(key, object, other);
      return OTHER_MS;
    }
    reported.delete(object.metadata.uid ?? '');
    const resource = readResource(object);
    if (isUnreadable(resource)) return publishUnreadable(object, resource.faults);

    const { uid } = resource.metadata;
    const world = await worldOf(resource);
    // Nothing is awaited from here to `record`, so two upgrades never begin at the same time.
    const decision = decide({ ...world, upgrading: upgrades.other(key) });
    upgrades.record(key, decision.status.upgrade?.phase);
    const { removed: last } = world;
    if (last?.replacesPods === true && isDone(decision.status))
      findings.set(uid, { ...(findings.get(uid) ?? NOTHING), removed: { ...last, replacesPods: false } });
    const { notOwned, contested, removed, refused, written, ...result } = await write(resource, decision, world);
    if (removed.length > 0) {
      const text = removed.join('; ');
      const removal = { text, at: now(), generation: resource.metadata.generation, replacesPods: true };
      findings.set(uid, { ...(findings.get(uid) ?? NOTHING), removed: removal });
      logger.warn({ key, removed }, 'Removed fields that others had set in children');
      const message = `Fields that others had set were removed: ${text}; change the resource instead`;
      await emit(resource, [{ type: 'Warning', reason: 'DriftRemoved', message }]);
    }
    const changed = !isSame([...notOwned].sort(), [...world.notOwned].sort()) || !isSame(contested, world.contested);
    if (result.failure === undefined && (changed || removed.length > 0)) {
      findings.set(uid, { ...(findings.get(uid) ?? NOTHING), notOwned, contested });
      if (changed) logger.info({ key, notOwned, contested }, 'Others own or change objects that the resource needs');
      return 0;
    }
    // The status still says that the Secret is missing: begin another pass instead of writing it.
    if (result.madeSecret) return 0;
    const status = refused.length === 0 ? decision.status : withRefusals(resource, decision.status, refused, world.now);
    let { failure } = result;
    const rest = await publish(resource, status, decision.events).catch((error: unknown) => {
      if (!isPassing(error)) throw error;
      failure ??= error;
      return undefined;
    });
    if (failure !== undefined) {
      // While some writes succeed, the pause does not grow.
      if (written === 0) throw failure;
      return Math.max((failure.retryAfterSeconds ?? 0) * 1000, SOON_MS);
    }
    const waits = [notOwned, contested, refused].some((some) => some.length > 0);
    return earliest(decision.requeueAfterMs, rest, waits ? 30_000 : undefined);
  };

  const forget = (object: KubeObject): void => {
    const { namespace, name, uid = '' } = object.metadata;
    const key = `${namespace}/${name}`;
    findings.delete(uid);
    progress.forget(uid);
    reported.delete(uid);
    terminating.delete(key);
    upgrades.record(key, undefined);
    applier.forget(object);
  };

  const reconcile = async (key: string): Promise<number | undefined> => {
    const [namespace = '', name = ''] = key.split('/');
    const object = cache.resources.get(namespace, name);
    const uid = object?.metadata.uid ?? '';
    if (terminating.get(key) === uid) return undefined;
    terminating.delete(key);
    // Kubernetes deletes the children with it, by their owner reference.
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      return await pass(key, object);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
      terminating.set(key, uid);
      logger.info({ key }, 'Namespace is being deleted, resource is no longer reconciled');
      return undefined;
    } finally {
      // It was deleted meanwhile.
      if (cache.resources.get(namespace, name)?.metadata.uid !== object.metadata.uid) forget(object);
    }
  };
  return { reconcile, forget };

  async function publishUnreadable(object: KubeObject, faults: string): Promise<undefined> {
    const { status, middleware } = unreadableStatus(object, faults, now());
    const marked = { ...status, operator: inCharge.mark };
    if (!isSame(middleware.status, marked)) await applier.writeStatus(middleware, marked);
    return undefined;
  }
}

/** Whether nothing is in progress. */
const isDone = ({ conditions }: MiddlewareStatus): boolean =>
  conditions?.some(({ type, status }) => type === 'Reconciling' && status === 'False') === true;

/** Status of passing faults: no answer, a kind or namespace that is being deleted, a conflict, too many requests. */
const PASSING = new Set([0, 404, 409, 429]);

/** Whether a write may succeed a moment later. */
function isPassing(error: unknown): error is KubeError {
  return error instanceof KubeError && (PASSING.has(error.status) || error.status >= 500);
}

/** Whether a repeated write would be refused again: a missing right, a quota, an invalid object. */
function isRefusal(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.status === 403 || error.status === 422 || error.status === 400);
}
