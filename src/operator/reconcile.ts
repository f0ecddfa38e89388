import type { Logger } from '../observe/logger.js';
import type { Applier } from './apply.js';
import type { Cache } from './cache.js';
import { covers } from './compare.js';
import { decide } from './decide.js';
import { driftText } from './drift.js';
import { KubeError } from './kube/errors.js';
import type { OperatorMetrics } from './metrics.js';
import { refOf } from './names.js';
import type { Prober } from './prober.js';
import { isUnreadable, readResource } from './resource.js';
import { rivalOf } from './rivals.js';
import type { MiddlewareStatus } from './schema/status.js';
import type { Secrets } from './secrets.js';
import { unreadableStatus, withRefusals } from './faulty-status.js';
import type { Decision, EventDraft, KubeObject, Middleware, World } from './types.js';

export interface ReconcilerOptions {
  cache: Cache;
  secrets: Secrets;
  prober: Pick<Prober, 'healthOf'>;
  applier: Applier;
  emit: (resource: Middleware, drafts: readonly EventDraft[]) => Promise<void>;
  defaultImage: string;
  metrics: OperatorMetrics;
  logger: Logger;
  now?: () => number;
}

type Findings = Pick<World, 'foreign' | 'contested' | 'removed'>;
const NOTHING: Findings = { foreign: [], contested: [], removed: undefined };

/** How far the chain is changes all the time; it is told this often at most, ms. */
const TELL_MS = 15_000;

/** So many failures in one pass are more than chance. */
const MOST_FAILURES = 3;
/** Pause after a pass of which only a part was possible, ms. */
const SOON_MS = 250;

/** Looks at one resource and moves it one step; returns the time until the next look, ms. */
export function createReconciler(options: ReconcilerOptions): (key: string) => Promise<number | undefined> {
  const { cache, secrets, prober, applier, emit, defaultImage, logger, now = Date.now } = options;
  const toldAt = new Map<string, number>();
  /** What was found of children when they were to be written, by the uid of the resource. */
  const findings = new Map<string, Findings>();

  const worldOf = async (resource: Middleware): Promise<World> => {
    const { namespace, name, uid } = resource.metadata;
    return {
      resource,
      now: now(),
      defaultImage,
      children: cache.childrenOf(resource),
      database: await secrets.databaseOf(resource),
      readDatabase: await secrets.readDatabaseOf(resource),
      health: prober.healthOf(namespace, name),
      rival: await rivalOf(resource, cache.resources, secrets),
      kinds: cache.kinds(),
      ...(findings.get(uid) ?? NOTHING),
    };
  };

  /**
   * Writes in the order of the list. What the API server refuses for good is told, and holds up nothing else; nor does
   * what it cannot do at the moment, which is tried again.
   */
  const write = async (resource: Middleware, { want, keeps }: Decision, world: World) => {
    const taken: string[] = [];
    const contested: string[] = [];
    const removed: string[] = [];
    const refused: string[] = [];
    let failure: KubeError | undefined;
    let failures = 0;
    let written = 0;
    for (const object of want) {
      try {
        const { result, drift } = await applier.apply(resource, object);
        const by = drift.length === 0 ? refOf(object) : `${refOf(object)}: ${driftText(drift)}`;
        if (result === 'foreign') taken.push(refOf(object));
        if (result === 'contested') contested.push(by);
        if (result === 'written') {
          written++;
          if (drift.length > 0) removed.push(by);
        }
      } catch (error) {
        if (isPassing(error)) {
          failure = error;
          // Each may have cost the time that an answer has: with the API server away there is no point in the rest.
          if (++failures === MOST_FAILURES) break;
        } else if (isRefusal(error)) refused.push(`${refOf(object)}: ${error.message}`);
        else throw error;
      }
    }
    const wanted = new Set(want.map(refOf));
    // What is in the way of pods is not written again until it is gone.
    for (const ref of world.foreign.filter((one) => !wanted.has(one))) {
      const [kind = '', name = ''] = ref.split('/');
      if (await applier.isForeign(resource, kind, name)) taken.push(ref);
    }
    for (const object of failures === MOST_FAILURES ? [] : world.children.all()) {
      if (!wanted.has(refOf(object)) && !keeps(object)) await applier.remove(object);
    }
    return { taken, contested, removed, refused, failure, written };
  };

  const tell = async (resource: Middleware, status: MiddlewareStatus, events: EventDraft[]) => {
    const { uid } = resource.metadata;
    if (isSame(resource.status, status)) return undefined;
    const rest = (toldAt.get(uid) ?? -Infinity) + TELL_MS - performance.now();
    if (rest > 0 && isSame(withoutProgress(resource.status), withoutProgress(status))) return rest;
    await applier.writeStatus(resource, status);
    toldAt.set(uid, performance.now());
    await emit(resource, events);
    return undefined;
  };

  return async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const object = cache.resources.get(namespace, name);
    // Its children go with it: Kubernetes sees to that, by their owner.
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
    const resource = readResource(object);
    if (isUnreadable(resource)) return tellUnreadable(object, resource.faults);

    const { uid } = resource.metadata;
    const world = await worldOf(resource);
    const decision = decide(world);
    const { taken, contested, removed, refused, written, ...result } = await write(resource, decision, world);
    if (removed.length > 0) {
      const text = removed.join('; ');
      findings.set(uid, { ...(findings.get(uid) ?? NOTHING), removed: { text, at: now() } });
      logger.warn({ key, removed }, 'What others had set in children was removed');
      const message = `What others had set was removed: ${text}; change the resource instead`;
      await emit(resource, [{ type: 'Warning', reason: 'DriftRemoved', message }]);
    }
    const news = !isSame([...taken].sort(), [...world.foreign].sort()) || !isSame(contested, world.contested);
    if (result.failure === undefined && (news || removed.length > 0)) {
      findings.set(uid, { ...(findings.get(uid) ?? NOTHING), foreign: taken, contested });
      if (news) logger.info({ key, taken, contested }, 'Others have or change what the resource needs');
      return 0;
    }
    const status = refused.length === 0 ? decision.status : withRefusals(resource, decision.status, refused, world.now);
    let { failure } = result;
    const rest = await tell(resource, status, decision.events).catch((error: unknown) => {
      if (!isPassing(error)) throw error;
      failure ??= error;
      return undefined;
    });
    if (failure !== undefined) {
      // While it gets on there is no reason to wait ever longer.
      if (written === 0) throw failure;
      return Math.max((failure.retryAfterSeconds ?? 0) * 1000, SOON_MS);
    }
    const waits = [taken, contested, refused].some((some) => some.length > 0);
    return earliest([decision.againAfterMs, rest, waits ? 30_000 : undefined]);
  };

  async function tellUnreadable(object: KubeObject, faults: string): Promise<undefined> {
    const { status, middleware } = unreadableStatus(object, faults, now());
    if (!isSame(middleware.status, status)) await applier.writeStatus(middleware, status);
    return undefined;
  }
}

/** No answer, a kind or namespace that is just going, a conflict, too many requests. */
const PASSING = new Set([0, 404, 409, 429]);

/** It may be otherwise a moment later, also for the next object. */
function isPassing(error: unknown): error is KubeError {
  return error instanceof KubeError && (PASSING.has(error.status) || error.status >= 500);
}

/** Asking again changes nothing: no right, a quota, an object that is not valid. */
function isRefusal(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.status === 403 || error.status === 422 || error.status === 400);
}

const isSame = (a: unknown, b: unknown): boolean => covers(a, b) && covers(b, a);

function withoutProgress(status: MiddlewareStatus): MiddlewareStatus {
  const { height: _h, nodeHeight: _n, lag: _l, reload, conditions, ...rest } = status;
  const { loaded: _d, verified: _v, height: _rh, lag: _rl, message: _m, ...lasting } = reload ?? {};
  // Messages tell heights too.
  const kept = conditions?.map(({ message: _text, ...condition }) => ({ ...condition, message: '' }));
  return { ...rest, conditions: kept, ...(reload && { reload: lasting }) };
}

const earliest = (times: (number | undefined)[]): number | undefined => {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
};
