import { backoffMs } from '../../runtime/backoff.js';
import { GROUP } from '../schema/group.js';
import { REPORTED } from '../desired/job.js';
import type { JobOptions } from '../desired/job.js';
import { REVISION } from '../desired/migration.js';
import { endOf, jobOutcome, podsOf } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { PodFault } from '../readings/pods.js';
import { ANNOTATION, LABEL, hashOf } from '../names.js';
import type { Component } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Basis, Job, Observed, PodHealth } from '../types.js';

/** Labels of Jobs: series of attempts, and reload. */
const SERIES = `${GROUP}/series`;
export const RELOAD = `${GROUP}/reload`;
/** Annotation of Jobs: the heights of this attempt. */
const HEIGHTS = `${GROUP}/heights`;

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;

export interface Attempt {
  args: string[];
  /** The heights in the arguments, for the next attempt and for progress. */
  heights?: string | undefined;
}

interface SeriesOptions<What extends string> {
  /** What the Job does, for example `load`: first part of its name. */
  what: What;
  /** Identifies the series. */
  key: unknown[];
  /** The reload of the series, as a label. */
  reload: string;
  component: Component;
  color: Color;
  schema: string;
  /** Image, if it is not the one of the other pods. */
  image?: string;
  /** Max attempts, including the first one. */
  maxAttempts: number;
  /** Whether the result of a Job that succeeded can be used. If not, it counts as failed. */
  accepts?(outcome: JobOutcome): boolean;
  /** Returns the attempt after `last`, which failed, or the first attempt; `stop` if another attempt is useless. */
  next(last: EndedAttempt | undefined): Attempt | 'stop';
}

export interface EndedAttempt {
  outcome: JobOutcome;
  heights: string | undefined;
  number: number;
}

/** A Job that must exist, by what it does. The manifest is made only when it is written. */
export interface WantedJob<What extends string = string> {
  what: What;
  name: string;
  /** How it is made; absent if it exists. */
  make?: JobOptions;
  /** Why its pod does not start. */
  blocked?: PodFault | undefined;
}

/** State of a series of attempts at one Job. */
export interface Series<What extends string = string> {
  /** The failed attempt before the Job, while that exists. */
  before?: JobOutcome | undefined;
  /** `waiting`: for the next attempt, after a failure. */
  state: 'running' | 'waiting' | 'succeeded' | 'failed';
  job: WantedJob<What>;
  /** When the Job ended, ms since 1970; undefined before. */
  endedAt?: number | undefined;
  outcome: JobOutcome;
  heights: string | undefined;
  /** Number of heights that the current Job has done, and of all its heights; undefined until it reports them. */
  done?: number | undefined;
  total?: number | undefined;
  requeueAfterMs?: number | undefined;
}

/**
 * Image of Jobs that use the record in the database. They do not wait for the upgrade of the resource, because the upgrade waits for
 * the end of a reload, and an older image may not know their commands.
 */
export const newestImage = ({ resource, defaultImage }: Observed): string => resource.spec.image ?? defaultImage;

/** Returns the state of a series, from its existing Jobs, and which Job must exist now. */
export function seriesOf<What extends string>(basis: Basis, options: SeriesOptions<What>): Series<What> {
  const { children, now } = basis;
  const hash = hashOf(options.key);
  const [newest, second] = children
    .jobs()
    .filter(({ metadata }) => metadata.labels?.[SERIES] === hash)
    .sort((a, b) => numberOf(b) - numberOf(a));
  if (newest === undefined || newest.metadata.deletionTimestamp !== undefined)
    return startedSeries(basis, options, hash, newest);

  const outcome = jobOutcome(basis, newest);
  const heights = newest.metadata.annotations?.[HEIGHTS];
  const job = { what: options.what, name: newest.metadata.name, blocked: outcome.blocked };
  const before = second && jobOutcome(basis, second);
  const seen = {
    job,
    outcome,
    heights,
    before,
    endedAt: endOf(newest),
  };
  const isRefused = outcome.state === 'succeeded' && options.accepts?.(outcome) === false;
  if (outcome.state !== 'failed' && !isRefused) {
    const state = outcome.state === 'succeeded' ? 'succeeded' : 'running';
    const health = healthOf(basis, newest);
    return { ...seen, state, done: health?.done, total: health?.total };
  }
  const number = numberOf(newest);
  const next = number + 1 >= options.maxAttempts ? 'stop' : options.next({ outcome, heights, number });
  if (next === 'stop') return { ...seen, state: 'failed' };
  const pause = (seen.endedAt ?? now) + backoffMs(number, FIRST_PAUSE_MS, MAX_PAUSE_MS) - now;
  if (pause > 0) return { ...seen, state: 'waiting', requeueAfterMs: pause };
  return {
    state: 'running',
    job: jobOf(basis, options, hash, number + 1, next),
    outcome,
    heights: next.heights,
    before: outcome,
  };
}

/** The first attempt, or again an attempt that somebody deleted, because its result is not known. */
function startedSeries<What extends string>(
  basis: Basis,
  options: SeriesOptions<What>,
  hash: string,
  deleted: Job | undefined,
): Series<What> {
  const first = options.next(undefined);
  if (first === 'stop') throw new Error(`${options.what} has no first attempt`);
  const job = jobOf(basis, options, hash, deleted === undefined ? 0 : numberOf(deleted), first);
  return { state: 'running', job, outcome: { state: 'missing', report: {} }, heights: first.heights };
}

function jobOf<What extends string>(
  { resource }: Basis,
  options: SeriesOptions<What>,
  hash: string,
  number: number,
  { args, heights }: Attempt,
): WantedJob<What> {
  const { what, reload, component, color, schema, image } = options;
  const name = `${resource.metadata.name}-${what}-${hashOf([hash, number])}`;
  const labels = { [SERIES]: hash, [RELOAD]: reload };
  const annotations = { [ANNOTATION.attempt]: String(number), ...(heights !== undefined && { [HEIGHTS]: heights }) };
  const make = { name, component, color, schema, args, labels, annotations, ...(image && { image }), ...REPORTED };
  return { what, name, make };
}

const healthOf = ({ children, health }: Basis, job: Job): PodHealth | undefined =>
  podsOf(children, job)
    .map((pod) => health.get(pod.metadata.name))
    .find((one) => one !== undefined);

/** Whether a Job is a later attempt at the same as another Job. */
export const isLaterAttempt = (job: Job, than: Job): boolean =>
  [SERIES, REVISION, LABEL.color].every((label) => job.metadata.labels?.[label] === than.metadata.labels?.[label]) &&
  numberOf(job) > numberOf(than);

const numberOf = ({ metadata }: Job): number => Number(metadata.annotations?.[ANNOTATION.attempt] ?? 0);

/** Termination message of a Job, or why there is none. */
export const endMessage = ({ report, exitCode, waiting }: JobOutcome): string =>
  report.message ??
  (waiting !== undefined ? `its pod cannot start: ${waiting}` : `the Job ended with status ${exitCode ?? 'unknown'}`);
