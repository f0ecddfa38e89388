import { backoffMs } from '../../runtime/backoff.js';
import type { Logger } from '../../observe/logger.js';
import { KubeError, causeOf, isGone, isNotFound } from '../kube/errors.js';
import type { KubeClient } from '../kube/client.js';
import { pathOf } from '../kube/kinds.js';
import type { Kind } from '../kube/kinds.js';
import { repeat } from '../../runtime/repeat.js';
import type { Store } from './store.js';
import type { KubeObject } from '../types.js';

interface WatchOptions {
  client: KubeClient;
  kind: Kind;
  /** Namespace to watch; all if undefined. */
  namespace: string | undefined;
  labelSelector?: string;
  fieldSelector?: string;
  /** Requests only metadata: for Secrets, whose content must not be cached. */
  metadataOnly?: boolean;
  /** The kind may be removed together with the operator that owns it; then it has no objects. */
  optional?: boolean;
  store: Store;
  /** Removes fields that are not read, so that many objects need little memory. */
  trim: (object: KubeObject) => KubeObject;
  logger: Logger;
  timings?: Partial<WatchTimings>;
  onRelist?: (reason: ReturnType<typeof causeOf>) => void;
}

export interface WatchTimings {
  /** Time after which the server ends a watch, s; a jitter of up to a quarter is added. */
  watchSeconds: number;
  /** Time after that end at which a watch that is still open counts as dead, ms. */
  graceMs: number;
  /** All objects are listed again after this time, even if the watch works, ms. */
  relistMs: number;
  /** First and max pause after a failure, ms. */
  pauseMs: number;
  maxPauseMs: number;
}

export interface Watch {
  /** Whether the objects were listed once. */
  synced(): boolean;
  /** Time since the last message of the server, ms. */
  silentMs(): number;
  stop(): Promise<void>;
}

const TIMINGS: WatchTimings = {
  watchSeconds: 40,
  graceMs: 5_000,
  relistMs: 600_000,
  pauseMs: 500,
  maxPauseMs: 30_000,
};
const PAGE = 500;
/** After this number of failures in a row, the objects are listed again: the known version may be too old. */
const FAILURES_BEFORE_RELIST = 5;

interface Page {
  metadata: { resourceVersion: string; continue?: string };
  /** Null if there are none and only metadata is requested. */
  items: KubeObject[] | null;
}

interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubeObject & { code?: number; reason?: string; message?: string };
}

/**
 * Keeps a store equal to the objects of the API server: lists them, then watches for changes. Each watch has a deadline,
 * because a dead connection looks like one without changes.
 */
export function startWatch(options: WatchOptions): Watch {
  const { client, kind, namespace, labelSelector, fieldSelector, store, logger, onRelist } = options;
  const { watchSeconds, graceMs, relistMs, pauseMs, maxPauseMs } = { ...TIMINGS, ...options.timings };
  const controller = new AbortController();
  const { signal } = controller;
  const path = pathOf(kind, namespace);
  const trim = (object: KubeObject): KubeObject =>
    options.trim({ ...object, apiVersion: kind.apiVersion, kind: kind.kind });
  const as = (type: string): { accept?: string } =>
    options.metadataOnly ? { accept: `application/json;as=${type};g=meta.k8s.io;v=v1` } : {};
  let version: string | undefined;
  let listedAt = -Infinity;
  let synced = false;
  let heardAt = performance.now();

  const list = async (): Promise<void> => {
    const items: KubeObject[] = [];
    let token: string | undefined;
    let page: Page;
    do {
      const query = { labelSelector, fieldSelector, limit: PAGE, continue: token };
      page = await client.request<Page>(path, { query, signal, timeoutMs: 30_000, ...as('PartialObjectMetadataList') });
      items.push(...(page.items ?? []).map(trim));
      token = page.metadata.continue;
    } while (token !== undefined && token !== '');
    version = page.metadata.resourceVersion;
    listedAt = heardAt = performance.now();
    store.replace(items, namespace);
    synced = true;
  };

  const follow = async (): Promise<void> => {
    const seconds = Math.round(watchSeconds * (1 + Math.random() / 4));
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), seconds * 1000 + graceMs);
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: seconds,
      resourceVersion: version,
      labelSelector,
      fieldSelector,
    };
    try {
      const lines = client.lines(path, {
        query,
        signal: AbortSignal.any([signal, deadline.signal]),
        ...as('PartialObjectMetadata'),
      });
      for await (const line of lines) {
        heardAt = performance.now();
        take(JSON.parse(line) as WatchEvent);
      }
      heardAt = performance.now();
    } catch (error) {
      if (deadline.signal.aborted) throw new KubeError(0, 'Silent', `the watch of ${kind.plural} went silent`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const take = ({ type, object }: WatchEvent): void => {
    if (type === 'ERROR') {
      throw new KubeError(object.code ?? 500, object.reason ?? 'Unknown', object.message ?? 'the watch failed');
    }
    if (type === 'DELETED') store.drop(trim(object));
    else if (type !== 'BOOKMARK') store.put(trim(object));
    version = object.metadata.resourceVersion ?? version;
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    let begun = 0;
    await repeat({
      signal,
      async runOnce() {
        begun = performance.now();
        if (version === undefined || begun - listedAt > relistMs) await list();
        await follow();
        failures = 0;
        return restMs(begun, failures);
      },
      onFault(error) {
        failures++;
        if (options.optional === true && isNotFound(error)) {
          store.replace([], namespace);
          synced = true;
        }
        const lost = isGone(error) || failures % FAILURES_BEFORE_RELIST === 0;
        if (lost) {
          version = undefined;
          onRelist?.(causeOf(error));
        }
        const { message } = error as Error;
        const lasting = failures > 1 && !isGone(error);
        logger[lasting ? 'warn' : 'debug'](
          { kind: kind.kind, namespace, failures, reason: message },
          'Watch ended with an error',
        );
        return restMs(begun, failures);
      },
    });
  };

  /** Time until the next attempt, longer after failures. The jitter avoids that all watches try at once. */
  const restMs = (begun: number, failures: number): number => {
    const min = pauseMs - (performance.now() - begun);
    const backoff = failures === 0 ? 0 : backoffMs(failures, pauseMs, maxPauseMs);
    return Math.max(min, backoff) * (0.75 + Math.random() / 2);
  };

  const running = run();
  return {
    synced: () => synced,
    silentMs: () => performance.now() - heardAt,
    async stop() {
      controller.abort();
      await running;
    },
  };
}
