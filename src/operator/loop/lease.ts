import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../observe/logger.js';
import type { KubeClient } from '../kube/client.js';
import { isConflict, isNotFound } from '../kube/errors.js';
import { LEASE, pathOf } from '../kube/kinds.js';
import type { KubeObject } from '../types.js';

interface LeaseOptions {
  client: KubeClient;
  namespace: string;
  name: string;
  /** Name of this process: no other has it. */
  identity: string;
  logger: Logger;
  timings?: Partial<LeaseTimings>;
  /** This process may act from now on. The signal aborts when it must not any more. */
  onGained: (signal: AbortSignal) => void;
  /** This process no longer acts; awaited before it tries again. */
  onLost: () => Promise<void>;
}

export interface LeaseTimings {
  /** Time after which others take the lease from a silent holder, s. */
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

const TIMINGS: LeaseTimings = { durationSeconds: 15, stopMs: 10_000, retryMs: 2_000 };

/** In the place of a version. */
const DELETED = 'gone';

interface Spec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/**
 * At most one process with this lease acts. The holder stops by itself some seconds before others may begin, even if its
 * requests hang: a process that was suspended finds its time over when it wakes.
 */
export function startLease(options: LeaseOptions): LeaderLease {
  const { client, namespace, name, identity, logger, onGained, onLost } = options;
  const { durationSeconds, stopMs, retryMs } = { ...TIMINGS, ...options.timings };
  const path = pathOf(LEASE, namespace, name);
  const ended = new AbortController();
  let term: AbortController | undefined;
  let until = -Infinity;
  /** Until then a holder may act that this process has not seen. */
  let mayActFrom = -Infinity;
  let current: KubeObject | undefined;
  let losing: Promise<void> = Promise.resolve();
  /** The holder's last renewal as this process saw it: clocks of machines differ, so only this clock counts. */
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
   * If the lease was deleted, the holder may still act until its time is over; it makes the lease again before others may. Who makes it in its
   * place does not act at once: between two looks the holder may have made it and somebody deleted it again.
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
          logger.info({ identity, lease: `${namespace}/${name}` }, 'Acting: holds the lease');
          onGained(term.signal);
        } else if (!mine) {
          await lose('another process holds it');
        }
      } catch (error) {
        if (ended.signal.aborted) return;
        // A conflict while acting: somebody else wrote it. The next read shows who.
        logger[isConflict(error) ? 'debug' : 'warn']({ reason: (error as Error).message }, 'No look at the lease');
      }
      if (term !== undefined && performance.now() >= until) await lose('no renewal in time');
      const jitter = 0.9 + Math.random() / 5;
      await pause(retryMs * jitter, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };

  /** Requests that hang must not keep a term from ending. */
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
        logger.info({ identity }, 'Gave the lease away');
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'The lease could not be given away: it ends by itself');
      }
    },
  };
}

const microTime = (): string => new Date().toISOString().replace('Z', '000Z');
