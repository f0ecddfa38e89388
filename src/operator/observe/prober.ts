import { PORT } from '../../config/ports.js';
import { backoffMs } from '../../runtime/backoff.js';
import { readAtMost } from '../../runtime/read-at-most.js';
import type { Cache } from './cache.js';
import type { KubeClient } from '../kube/client.js';
import { KubeError } from '../kube/errors.js';
import { POD, pathOf } from '../kube/kinds.js';
import { LABEL } from '../names.js';
import type { Pod, PodHealth } from '../types.js';

/** Requests a path from the metrics port of a pod. Throws if the pod does not answer. */
export type Reach = (pod: Pod, path: string) => Promise<{ status: number; body: string }>;

const ANSWER_MS = 3_000;
/** Max bytes of an answer: what answers at the address of a pod may be anything. */
const MAX_BYTES = 16 * 1024;
/** Max characters of a text in an answer. */
const MAX_TEXT = 500;

/** Connects to the address of the pod. Works only within the cluster. */
export const reachDirectly: Reach = async (pod, path) => {
  const host = pod.status?.podIP ?? '';
  const address = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${address}:${PORT.metrics}${path}`, {
    signal: AbortSignal.timeout(ANSWER_MS),
    // A pod must not make the operator ask others.
    redirect: 'error',
  });
  return { status: answer.status, body: answer.body === null ? '' : await readAtMost(answer.body, MAX_BYTES) };
};

/** Connects through the proxy of the API server, which works from outside the cluster. Bodies of error answers are unchanged. */
export const reachByProxy =
  (client: KubeClient): Reach =>
  async ({ metadata }, path) => {
    const at = `${pathOf(POD, metadata.namespace, `${metadata.name}:${PORT.metrics}`)}/proxy${path}`;
    try {
      const body = await client.request<unknown>(at, { timeoutMs: ANSWER_MS, maxBytes: MAX_BYTES });
      return { status: 200, body: JSON.stringify(body) };
    } catch (error) {
      if (error instanceof KubeError && error.body !== undefined) return { status: error.status, body: error.body };
      throw error;
    }
  };

export interface Prober {
  /** By name of the pod. */
  healthOf(namespace: string, instance: string): ReadonlyMap<string, PodHealth>;
  start(): void;
  stop(): Promise<void>;
}

interface Known {
  health: PodHealth | undefined;
  text: string;
  /** Number of probes in a row without an answer. */
  misses: number;
  due: number;
  /** Readiness that the kubelet reported at the time of the probe. */
  readiness: string | undefined;
}

interface ProberOptions {
  cache: Pick<Cache, 'pods'>;
  reach: Reach;
  /** The health of a pod has changed. */
  onChange: (namespace: string, instance: string) => void;
  everyMs?: number;
  concurrency?: number;
}

/** The pause grows for a pod that does not answer, up to this multiple of the usual pause. */
const MAX_PAUSE_FACTOR = 12;

/** Max probes of one resource that wait for an answer: pods that do not answer delay those of other resources as little as possible. */
const MAX_SHARE = 4;

/** Pause between two searches for pods that are due, ms. */
const ROUND_MS = 250;

/** What is known about a pod that was not probed yet. */
const UNKNOWN = { health: undefined, text: '', misses: 0 };

/** After this number of probes in a row without an answer, the last answer of a pod is no longer used. */
const MAX_MISSES = 3;

/** Reads the health of pods at intervals: their progress, or what they wait for. */
export function createProber({ cache, reach, onChange, everyMs = 5_000, concurrency = 32 }: ProberOptions): Prober {
  const known = new Map<string, Known>();
  /** Probes that wait for an answer, by the uid of the pod. */
  const running = new Map<string, { resource: string; ended: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;

  const probe = async (pod: Pod): Promise<void> => {
    const { uid = '', namespace = '', labels } = pod.metadata;
    const last = known.get(uid);
    const answer = await reach(pod, '/readyz')
      .then(readHealth)
      .catch(() => undefined);
    const misses = answer === undefined ? (last?.misses ?? 0) + 1 : 0;
    const health = answer ?? (last?.health && isStillValid(last.health, misses, pod) ? last.health : undefined);
    const text = JSON.stringify(health) ?? '';
    const pause = backoffMs(Math.max(misses - 1, 0), everyMs, everyMs * MAX_PAUSE_FACTOR);
    known.set(uid, { health, text, misses, due: performance.now() + pause, readiness: readinessOf(pod) });
    if (text !== (last?.text ?? '')) onChange(namespace, labels?.[LABEL.instance] ?? '');
  };

  /** Starts the probes that are due, those first that have been due for the longest time. No resource gets more than its share. */
  const probeDue = (): void => {
    const pods = ([...cache.pods.all()] as Pod[]).filter(isProbed);
    const alive = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const uid of known.keys()) if (!alive.has(uid)) known.delete(uid);
    const now = performance.now();
    const due = pods.flatMap((pod) => {
      const { uid = '' } = pod.metadata;
      const last = known.get(uid) ?? { ...UNKNOWN, due: now, readiness: readinessOf(pod) };
      known.set(uid, last);
      // The pauses of the kubelet do not grow. If it reports another readiness, the health has changed.
      const isDue = last.due <= now || last.readiness !== readinessOf(pod);
      return isDue && !running.has(uid) ? [{ pod, since: last.due }] : [];
    });
    due.sort((a, b) => a.since - b.since);
    const shares = new Map<string, number>();
    for (const { resource } of running.values()) shares.set(resource, (shares.get(resource) ?? 0) + 1);
    for (const { pod } of due) {
      if (running.size >= concurrency) return;
      const { uid = '', namespace, labels } = pod.metadata;
      const resource = `${namespace}/${labels?.[LABEL.instance]}`;
      const share = shares.get(resource) ?? 0;
      if (share >= MAX_SHARE) continue;
      shares.set(resource, share + 1);
      running.set(uid, { resource, ended: probe(pod).finally(() => running.delete(uid)) });
    }
  };

  const loop = (): void => {
    probeDue();
    timer = setTimeout(loop, Math.min(everyMs, ROUND_MS));
    timer.unref();
  };

  return {
    healthOf(namespace, instance) {
      const pods = cache.pods.of(namespace, instance);
      return new Map(
        (pods as Pod[]).flatMap((pod) => {
          const { health, misses = 0 } = known.get(pod.metadata.uid ?? '') ?? {};
          return health !== undefined && isStillValid(health, misses, pod)
            ? [[pod.metadata.name, health] as const]
            : [];
        }),
      );
    },
    start: loop,
    async stop() {
      clearTimeout(timer);
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Status of the condition Ready of a pod, as the kubelet reports it. */
const readinessOf = ({ status }: Pod): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Whether the last answer of a pod is still used after some probes without an answer: not `ready` if the kubelet disagrees. */
function isStillValid({ ready }: PodHealth, misses: number, pod: Pod): boolean {
  if (misses === 0 || misses >= MAX_MISSES) return misses === 0;
  return !(ready && readinessOf(pod) === 'False');
}

const PROBED = new Set(['survey', 'migration', 'populator', 'server', 'reload', 'verification']);

const isProbed = ({ metadata, status }: Pod): boolean =>
  PROBED.has(metadata.labels?.[LABEL.component] ?? '') && status?.phase === 'Running' && Boolean(status.podIP);

/** Parses an answer. Undefined, or an error, for an answer of another server such as a proxy. */
function readHealth({ body }: { status: number; body: string }): PodHealth | undefined {
  const value = JSON.parse(body) as Record<string, unknown>;
  if (typeof value['ready'] !== 'boolean') return undefined;
  const number = (field: string): number | undefined => (typeof value[field] === 'number' ? value[field] : undefined);
  const text = (field: string): string | undefined =>
    typeof value[field] === 'string' ? value[field].slice(0, MAX_TEXT) : undefined;
  return {
    ready: value['ready'],
    reason: text('reason'),
    code: text('code'),
    height: number('height'),
    headTime: number('head_time'),
    nodeHeight: number('node_height'),
    nodeState: text('node_state'),
    lag: number('lag'),
    loading: typeof value['loading'] === 'boolean' ? value['loading'] : undefined,
    done: number('done'),
    total: number('total'),
    differingRows: number('differing_rows'),
    heldReorg: readHeld(value['held_reorg']),
    populatorSilent: value['populator_silent'] === true || undefined,
    withoutDatabase: value['without_database'] === true || undefined,
  };
}

function readHeld(value: unknown): PodHealth['heldReorg'] {
  const { hash, height, depth } = (value ?? {}) as Record<string, unknown>;
  if (typeof hash !== 'string' || typeof height !== 'number' || typeof depth !== 'number') return undefined;
  return { hash: hash.slice(0, MAX_TEXT), height, depth };
}
