import { z } from 'zod';
import { STARTING } from '../../observe/startup.js';
import { CONTAINER } from '../names.js';
import { startFaultOf, missingJobPod } from './pods.js';
import type { PodFault } from './pods.js';
import type { Children, Job, Pod, World } from '../types.js';

const text = z.string().optional().catch(undefined);
/** Fields that have another type are ignored: the image of a Job may be that of somebody else. */
const ofProgram = z.looseObject({
  ok: z.boolean().optional().catch(undefined),
  code: text,
  message: text,
  database: text,
  copies: z.array(z.unknown()).optional().catch(undefined),
});

/** Termination message of a program of the middleware. */
interface JobReport {
  ok?: boolean | undefined;
  /** Stable code of the fault, as in `MiddlewareError`. */
  code?: string | undefined;
  message?: string | undefined;
  /** Identity of the database and schema. */
  database?: string | undefined;
  /** Ids of the copies in it: of this schema, and of that of the other color. */
  copies?: unknown[] | undefined;
  [field: string]: unknown;
}

export interface JobOutcome {
  state: 'missing' | 'running' | 'succeeded' | 'failed';
  report: JobReport;
  exitCode?: number | undefined;
  /** Why its container does not run, for example ImagePullBackOff. */
  waiting?: string | undefined;
  /** The fault for which no pod runs, if there is one. */
  blocked?: PodFault | undefined;
  /** The fault whose end the running program waits for before it begins. */
  awaits?: { code: string; message: string } | undefined;
}

/** State of a Job, with the termination message of its newest pod. */
export function jobOutcome({ children, health }: World, job: Job | undefined): JobOutcome {
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return { state: 'missing', report: {} };
  const pods = podsOf(children, job);
  const newest = [...pods].sort(byAge).at(-1);
  const ended = [...pods].sort(byAge).flatMap(terminated).at(-1);
  const condition = job.status?.conditions?.find(
    ({ type, status }) => status === 'True' && RESULT_CONDITIONS.has(type),
  );
  const failed = condition?.type === 'Failed' || condition?.type === 'FailureTarget';
  const state = condition === undefined ? 'running' : failed ? 'failed' : 'succeeded';
  const report = readReport(ended?.message);
  const { ready, code, reason = '' } = health.get(newest?.metadata.name ?? '') ?? {};
  return {
    state,
    report: {
      ...report,
      ...(failed && report.message === undefined && { message: condition?.message ?? 'the Job failed' }),
      ...(failed && report.code === undefined && condition?.reason === TIMED_OUT && { code: 'timed_out' }),
    },
    exitCode: ended?.exitCode,
    waiting: newest && programOf(newest)?.state?.waiting?.reason,
    blocked: state !== 'running' ? undefined : newest === undefined ? missingJobPod(job) : startFaultOf(newest),
    ...(state === 'running' &&
      ready === false &&
      code !== undefined &&
      code !== STARTING.code && { awaits: { code, message: reason } }),
  };
}

/** Reason of the condition of a Job that reached its deadline. */
export const TIMED_OUT = 'DeadlineExceeded';

/** Conditions of a Job with a result. The last two are set as soon as the result is certain, before all pods have ended. */
const RESULT_CONDITIONS = new Set(['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']);

/** When the result of the Job was certain, ms since 1970; undefined before. */
export function endOf({ status }: Job): number | undefined {
  const end = status?.conditions?.find(({ type, status: is }) => is === 'True' && RESULT_CONDITIONS.has(type));
  return end === undefined ? undefined : Date.parse(end.lastTransitionTime ?? '') || 0;
}

/** The pods of a Job. Pods of an earlier Job of the same name, which was deleted, are not among them. */
export const podsOf = (children: Children, { metadata: { name, uid = '' } }: Job): readonly Pod[] =>
  children.pods({ 'batch.kubernetes.io/job-name': name, 'batch.kubernetes.io/controller-uid': uid });

const byAge = (a: Pod, b: Pod): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');

/** Status of the container of the middleware. A `podTemplate` may add other containers. */
const programOf = ({ status }: Pod) => status?.containerStatuses?.find(({ name }) => name === CONTAINER);

const terminated = (pod: Pod) => {
  const { state, lastState } = programOf(pod) ?? {};
  return state?.terminated ?? lastState?.terminated ?? [];
};

/** Parses a termination message: JSON if the program wrote it, else the last lines of the log. */
function readReport(text: string | undefined): JobReport {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return {};
  try {
    const value: unknown = JSON.parse(trimmed);
    if (value !== null && typeof value === 'object') return ofProgram.parse({ ...value });
  } catch {
    // Not JSON: use the last line.
  }
  return { message: trimmed.split('\n').at(-1) ?? trimmed };
}
