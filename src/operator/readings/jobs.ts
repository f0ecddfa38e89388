import { z } from 'zod';
import { STARTING } from '../../observe/startup.js';
import { CONTAINER, LABEL, TERMINATION_LOG_ONLY } from '../names.js';
import type { Component } from '../names.js';
import { startFaultOf, missingJobPod } from './pods.js';
import type { PodFault } from './pods.js';
import type { Children, Job, Middleware, Observed, Pod, PodTemplate } from '../types.js';

const text = z.string().optional().catch(undefined);
/** Fields that have another type are ignored: the image of a Job may be that of somebody else. */
const ofProgram = z.looseObject({
  ok: z.boolean().optional().catch(undefined),
  code: text,
  status: z.int().optional().catch(undefined),
  message: text,
  database: text,
  copies: z.array(z.unknown()).optional().catch(undefined),
});

/** Termination message of a program of the middleware. */
interface JobReport {
  ok?: boolean | undefined;
  /** Stable code of the fault, as in `MiddlewareError`. */
  code?: string | undefined;
  /** Exit status of the fault, also if the process ended with another one. */
  status?: number | undefined;
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

/** State of a Job, with the termination message of its newest pod. A Job that completed has failed if its message says so. */
export function jobOutcome({ resource, children, health }: Observed, job: Job | undefined): JobOutcome {
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return { state: 'missing', report: {} };
  const pods = podsOf(children, job);
  const newest = [...pods].sort(byAge).at(-1);
  const ended = [...pods].sort(byAge).flatMap(terminated).at(-1);
  const condition = job.status?.conditions?.find(
    ({ type, status }) => status === 'True' && RESULT_CONDITIONS.has(type),
  );
  const isComplete = condition !== undefined && !FAILURES.has(condition.type);
  const report = isComplete && pods.length === 0 ? withoutPod(resource, job) : readReport(ended?.message);
  const failed = (condition !== undefined && !isComplete) || report.ok === false;
  // The end of a Job may be seen before that of its pod, which says how it ended.
  const isOpen = condition === undefined || (isComplete && ended === undefined && pods.length > 0);
  const state = isOpen ? 'running' : failed ? 'failed' : 'succeeded';
  const { ready, code, reason = '' } = health.get(newest?.metadata.name ?? '') ?? {};
  return {
    state,
    report: {
      ...report,
      ...(failed && report.message === undefined && { message: condition?.message ?? 'the Job failed' }),
      ...(failed && report.code === undefined && condition?.reason === TIMED_OUT && { code: 'timed_out' }),
    },
    exitCode: report.status ?? ended?.exitCode,
    waiting: newest && programOf(newest)?.state?.waiting?.reason,
    blocked: state !== 'running' ? undefined : newest === undefined ? missingJobPod(job) : startFaultOf(newest),
    ...(state === 'running' &&
      ready === false &&
      code !== undefined &&
      code !== STARTING.code && { awaits: { code, message: reason } }),
  };
}

/**
 * The report of a Job that completed, and whose pod is gone. What is known of a migration is in the status; one that nobody saw fail was a
 * success. The other Jobs are done again if it is not known how they ended.
 */
function withoutPod({ status: { migration } }: Middleware, job: Job): JobReport {
  if (job.metadata.labels?.[LABEL.component] === ('migration' satisfies Component)) {
    const isFailed = migration?.job === job.metadata.name && migration.state === 'Failed';
    return isFailed ? { ok: false, message: migration.message } : {};
  }
  const { template } = job.spec as { template: PodTemplate };
  const program = template.spec.containers.find(({ name }) => name === CONTAINER);
  const env = (program?.['env'] ?? []) as { name: string }[];
  if (!env.some(({ name }) => name === TERMINATION_LOG_ONLY)) return {};
  return { ok: false, message: 'its pod was deleted before its result was read' };
}

/** Reason of the condition of a Job that reached its deadline. */
export const TIMED_OUT = 'DeadlineExceeded';

/** Conditions of a Job with a result. Those with a longer name are set as soon as the result is certain, before all pods have ended. */
const FAILURES = new Set(['Failed', 'FailureTarget']);
const RESULT_CONDITIONS = new Set(['Complete', 'SuccessCriteriaMet', ...FAILURES]);

/** Whether the Job has a result that makes the alerts of clusters fire. */
export const hasFailed = (job: Job): boolean => isSaid(job, 'Failed');

export const hasCompleted = (job: Job): boolean => isSaid(job, 'Complete');

const isSaid = ({ status }: Job, type: string): boolean =>
  status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;

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
