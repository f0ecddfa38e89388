import { backoffMs } from '../../runtime/backoff.js';
import { ANNOTATION, LABEL, hashOf } from '../names.js';
import { TIMED_OUT, jobOutcome } from '../observe/jobs.js';
import type { Color } from '../schema/status.js';
import { GROUP } from '../schema/group.js';
import type { Job, World } from '../types.js';
import { PROGRESS, middlewareJob } from './job.js';

/** Label of all attempts at one migration. */
const REVISION = `${GROUP}/revision`;

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;

/**
 * The Job that brings the schema of a copy up to date: the newest attempt, or the next one when that failed long enough
 * ago. Its name is a hash of all its inputs, because a Job cannot be changed.
 */
export function migrationJob(world: World, copy: { color: Color; schema: string; reload?: string | undefined }): Job {
  const { resource, children } = world;
  const { metadata, spec } = resource;
  const draft = middlewareJob(world, {
    name: 'draft',
    component: 'migration',
    color: copy.color,
    schema: copy.schema,
    args: ['migrate', '--node'],
    timeout: spec.migration.timeout,
    ...PROGRESS,
  });
  // A schema that a reload dropped was migrated before, and must be migrated again.
  const made = copy.reload === undefined ? [] : [copy.reload];
  const revision = hashOf([draft.spec, metadata.annotations?.[ANNOTATION.retry] ?? null, ...made]);
  const attempts = children
    .jobs()
    .filter(({ metadata: { labels } }) => labels?.[REVISION] === revision && labels[LABEL.color] === copy.color)
    .sort((a, b) => attemptOf(b) - attemptOf(a));
  const attempt = nextAttempt(world, attempts[0]);
  const name = `${metadata.name}-migrate-${attempt === 0 ? revision : hashOf([revision, attempt])}`;
  return {
    ...draft,
    metadata: {
      ...draft.metadata,
      name,
      labels: { ...draft.metadata.labels, [REVISION]: revision },
      annotations: { ...draft.metadata.annotations, [ANNOTATION.attempt]: String(attempt) },
    },
  };
}

/**
 * When a failed migration may be tried again, ms since 1970. After a timeout the pause is short: it may have waited for
 * the database all the time.
 */
export function retryAt(job: Job): number {
  const ended = job.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
  const since = Date.parse(ended?.lastTransitionTime ?? job.metadata.creationTimestamp ?? '');
  const failures = ended?.reason === TIMED_OUT ? 0 : attemptOf(job);
  return since + backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}

function nextAttempt(world: World, newest: Job | undefined): number {
  if (newest === undefined) return 0;
  const failed = jobOutcome(world, newest).state === 'failed';
  return attemptOf(newest) + (failed && world.now >= retryAt(newest) ? 1 : 0);
}

const attemptOf = ({ metadata }: Job): number => Number(metadata.annotations?.[ANNOTATION.attempt] ?? 0);
