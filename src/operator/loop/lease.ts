import type { Logger } from '../../observe/logger.js';
import type { KubeClient } from '../kube/client.js';
import { isConflict, isNotFound } from '../kube/errors.js';
import { LEASE, pathOf } from '../kube/kinds.js';
import type { KubeObject } from '../types.js';
import { waitOrAbort } from '../../runtime/repeat.js';

interface LeaseOptions {
  client: KubeClient;
  namespace: string;
  name: string;
  /** Unique name of this process. */
  identity: string;
  logger: Logger;
  timings?: Partial<LeaseTimings>;
  /** Called when this process may act. The signal aborts when it must stop. */
  onGained: (signal: AbortSignal) => void;
  /** Called when this process must stop acting; awaited before it tries again. */
  onLost: () => Promise<void>;
}

export interface LeaseTimings {
  /** Time after which others take the lease from a holder that does not renew it, s. */
  durationSeconds: number;
  /** Time without a renewal after which the holder itself stops acting, ms; less than the duration. */
  stopMs: number;
  /** Pause between two attempts, ms. */
  retryMs: number;
}

interface LeaderLease {
  /** Whether this process may act at this moment, by a monotonic clock. */
  holds(): boolean;
  /** Releases the lease, so that another process need not wait until it expires. */
  release(): Promise<void>;
}

/** Time after which a lease that is not renewed is free, s. */
export const DURATION_SECONDS = 15;

const TIMINGS: LeaseTimings = { durationSeconds: DURATION_SECONDS, stopMs: 10_000, retryMs: 2_000 };

/** Stored instead of a version while the lease does not exist. */
const DELETED = 'gone';

interface Spec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/**
 * Acquires and renews a lease, so that at most one process acts. The holder stops by itself some seconds before others may
 * begin, even if its requests hang. A process that was suspended sees that its time is over when it wakes.
 */
export function startLease(options: LeaseOptions): LeaderLease {
  const { client, namespace, name, identity, logger, onGained, onLost } = options;
  const { durationSeconds, stopMs, retryMs } = { ...TIMINGS, ...options.timings };
  const path = pathOf(LEASE, namespace, name);
  const ended = new AbortController();
  let term: AbortController | undefined;
  let until = -Infinity;
  /** Until this time a holder that this process has not seen may still act. */
  let mayActFrom = -Infinity;
  let current: KubeObject | undefined;
  let losing: Promise<void> = Promise.resolve();
  /** The last renewal by the holder, and when this process saw it. Clocks of machines differ, so only the own clock is used. */
  let seen = { version: '', at: -Infinity };

  const holds = (): boolean => term !== undefined && performance.now() < until;

  const claim = async (): Promise<boolean> => {
    const begun = performance.now();
    current = await read();
    if (current === undefined ? !mayMake() : !mayTake(current)) return false;
    const now = microTime();
    const old = (current?.spec ?? {}) as Spec;
    const mine = old.holderIdentity === identity;
    const spec: Spec = {
      holderIdentity: identity,
      leaseDurationSeconds: durationSeconds,
      acquireTime: mine && old.acquireTime !== undefined ? old.acquireTime : now,
      renewTime: now,
      leaseTransitions: (old.leaseTransitions ?? 0) + (mine ? 0 : 1),
    };
    const isRemade = current === undefined && seen.version !== '' && !holds();
    await write(spec);
    if (isRemade) mayActFrom = performance.now() + durationSeconds * 1000;
    until = begun + stopMs;
    return true;
  };

  const read = async (): Promise<KubeObject | undefined> => {
    try {
      return await client.request<KubeObject>(path, { timeoutMs: retryMs * 2, signal: ended.signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  /**
   * Whether this process may create the lease after somebody deleted it. The holder may at once; others wait until its time is
   * over. Another process that creates it does not act at once: the holder may have created it, and somebody deleted it
   * again, between two reads of this process.
   */
  const mayMake = (): boolean => {
    if (holds() || seen.version === '') return true;
    if (seen.version !== DELETED) seen = { version: DELETED, at: performance.now() };
    return performance.now() - seen.at > durationSeconds * 1000;
  };

  const mayTake = (lease: KubeObject): boolean => {
    const { holderIdentity, leaseDurationSeconds = durationSeconds } = lease.spec as Spec;
    const version = lease.metadata.resourceVersion ?? '';
    if (seen.version !== version) seen = { version, at: performance.now() };
    if (holderIdentity === undefined || holderIdentity === '' || holderIdentity === identity) return true;
    return performance.now() - seen.at > leaseDurationSeconds * 1000;
  };

  /** Sends the version that was read: of two simultaneous writes, one is refused. */
  const write = async (spec: Spec): Promise<void> => {
    const { apiVersion, kind } = LEASE;
    const metadata = { name, namespace, resourceVersion: current?.metadata.resourceVersion };
    const body = { apiVersion, kind, metadata, spec };
    current =
      current === undefined
        ? await client.request<KubeObject>(pathOf(LEASE, namespace), { method: 'POST', body, timeoutMs: retryMs * 2 })
        : await client.request<KubeObject>(path, { method: 'PUT', body, timeoutMs: retryMs * 2 });
  };

  const lose = async (why: string): Promise<void> => {
    if (term === undefined) return;
    logger.warn({ identity, why }, 'Lost the lease');
    term.abort();
    term = undefined;
    until = -Infinity;
    await (losing = onLost());
  };

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        const mine = await claim();
        await losing;
        const now = performance.now();
        if (mine && term === undefined && now >= mayActFrom && now < until && !ended.signal.aborted) {
          term = new AbortController();
          logger.info({ identity, lease: `${namespace}/${name}` }, 'Acquired the lease');
          onGained(term.signal);
        } else if (!mine) {
          await lose('another process holds it');
        }
      } catch (error) {
        if (ended.signal.aborted) return;
        // A conflict means that somebody else wrote the lease. The next read shows who.
        logger[isConflict(error) ? 'debug' : 'warn'](
          { reason: (error as Error).message },
          'Could not renew or acquire the lease',
        );
      }
      if (term !== undefined && performance.now() >= until) await lose('no renewal in time');
      const jitter = 0.9 + Math.random() / 5;
      await waitOrAbort(retryMs * jitter, ended.signal);
    }
  };

  /** Ends the term on time, even if a request hangs. */
  const guard = setInterval(() => {
    if (term !== undefined && performance.now() >= until) void lose('no renewal in time');
  }, 250);
  guard.unref();
  const running = run();

  return {
    holds,
    async release() {
      ended.abort();
      clearInterval(guard);
      await running;
      if (term === undefined) return;
      term.abort();
      term = undefined;
      await onLost();
      try {
        const { leaseTransitions } = (current?.spec ?? {}) as Spec;
        await write({
          holderIdentity: '',
          leaseDurationSeconds: 1,
          renewTime: microTime(),
          leaseTransitions: leaseTransitions ?? 0,
        });
        logger.info({ identity }, 'Released the lease');
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'Could not release the lease: it expires by itself');
      }
    },
  };
}

const microTime = (): string => new Date().toISOString().replace('Z', '000Z');
