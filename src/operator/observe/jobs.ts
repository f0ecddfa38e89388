import { CONTAINER } from '../names.js';
import { startFaultOf, missingJobPod } from './pods.js';
import type { PodFault } from './pods.js';
import type { Job, Pod, World } from '../types.js';

/** What a program of the middleware leaves as its termination message. */
interface JobReport {
  ok?: boolean;
  /** Stable code of the fault, as in `MiddlewareError`. */
  code?: string;
  message?: string;
  /** Identity of the database and schema. */
  database?: string;
  [field: string]: unknown;
}

export interface JobOutcome {
  state: 'missing' | 'running' | 'succeeded' | 'failed';
  report: JobReport;
  exitCode?: number | undefined;
  /** Why no pod of it runs, for example ImagePullBackOff. */
  waiting?: string | undefined;
  /** The same, if somebody has to act. */
  blocked?: PodFault | undefined;
  /** What the running program waits for before it begins. */
  awaits?: { code: string; message: string } | undefined;
}

/** The state of a Job, with the termination message of its newest pod. */
export function jobOutcome({ children, health }: World, job: Job | undefined): JobOutcome {
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return { state: 'missing', report: {} };
  const pods = children.pods({ 'batch.kubernetes.io/job-name': job.metadata.name });
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
      ...(failed && report.message === undefined && { message: condition?.message ?? 'it failed' }),
      ...(failed && report.code === undefined && condition?.reason === TIMED_OUT && { code: 'timed_out' }),
    },
    exitCode: ended?.exitCode,
    waiting: newest && programOf(newest)?.state?.waiting?.reason,
    blocked: state !== 'running' ? undefined : newest === undefined ? missingJobPod(job) : startFaultOf(newest),
    ...(state === 'running' && ready === false && code !== undefined && { awaits: { code, message: reason } }),
  };
}

/** Reason of the condition of a Job that reached its deadline. */
export const TIMED_OUT = 'DeadlineExceeded';

/** Conditions of a Job that has a result; the last two are set as soon as it is certain, before all pods have ended. */
const RESULT_CONDITIONS = new Set(['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']);

/** When the result of the Job was certain, ms since 1970; undefined before. */
export function endOf({ status }: Job): number | undefined {
  const end = status?.conditions?.find(({ type, status: is }) => is === 'True' && RESULT_CONDITIONS.has(type));
  return end === undefined ? undefined : Date.parse(end.lastTransitionTime ?? '') || 0;
}

const byAge = (a: Pod, b: Pod): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');

/** A pod template may have brought other containers. */
const programOf = ({ status }: Pod) => status?.containerStatuses?.find(({ name }) => name === CONTAINER);

const terminated = (pod: Pod) => {
  const { state, lastState } = programOf(pod) ?? {};
  return state?.terminated ?? lastState?.terminated ?? [];
};

/** The message is JSON where the program wrote it, and the last lines of the log where it could not. */
function readReport(text: string | undefined): JobReport {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return {};
  try {
    const value: unknown = JSON.parse(trimmed);
    if (value !== null && typeof value === 'object') return value as JobReport;
  } catch {
    // Not JSON: the last line is shown.
  }
  return { message: trimmed.split('\n').at(-1) ?? trimmed };
}
