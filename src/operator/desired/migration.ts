import { backoffMs } from '../../runtime/backoff.js';
import { ANNOTATION, LABEL, hashOf, isDatabaseByName } from '../names.js';
import { errorRow } from '../../observe/errors.js';
import { TIMED_OUT, endOf, jobOutcome } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { Color } from '../schema/status.js';
import { GROUP } from '../schema/group.js';
import type { Job, Middleware, World } from '../types.js';
import { PROGRESS, middlewareJob } from './job.js';

/** Label of all attempts at one migration. */
const REVISION = `${GROUP}/revision`;

const FIRST_PAUSE_MS = 10_000;
/** Also the pause after a lasting fault that is corrected outside the resource: rights, the database, its version. */
const MAX_PAUSE_MS = 600_000;

/**
 * The Job that migrates the schema of a copy: the newest attempt, or the next one if the newest failed long enough ago. Its
 * name is a hash of all its inputs, because a Job cannot be changed.
 */
export function migrationJob(world: World, copy: { color: Color; schema: string; reload?: string | undefined }): Job {
  const { resource, children } = world;
  const { metadata, spec } = resource;
  const last = world.frozen ? lastMigration(world, copy.color) : undefined;
  if (last !== undefined) return last;
  const { [ANNOTATION.retry]: retry = null, [ANNOTATION.acceptDatabase]: accepted } = metadata.annotations ?? {};
  const draftOf = (args: string[]): Job =>
    middlewareJob(world, {
      name: 'draft',
      component: 'migration',
      color: copy.color,
      schema: copy.schema,
      args: ['migrate', '--node', ...args],
      timeout: spec.migration.timeout,
      ...PROGRESS,
      // The conditions report a fault that the program could write. Its Job completes, so that no alert about Jobs fires, too.
      env: [...PROGRESS.env, { name: 'TERMINATION_LOG_ONLY', value: 'true' }],
    });
  // The first migration reports the identity of the database. That must not cause another migration, so the identity is no
  // input. An accepted database is one, and so is a reload, because it drops a schema that was migrated before.
  const inputs = [draftOf([]).spec, retry, ...(accepted === undefined ? [] : [{ accepted }])];
  const revision = hashOf([...inputs, ...(copy.reload === undefined ? [] : [copy.reload])]);
  const draft = draftOf(databases(resource, accepted).flatMap((id) => ['--database-id', id]));
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

/** The migration that succeeded. A new version of the operator alone does not repeat it. */
function lastMigration({ resource, children }: World, color: Color): Job | undefined {
  const { job, state } = resource.status.migration ?? {};
  const done = state === 'Succeeded' && job !== undefined ? children.job(job) : undefined;
  return done?.metadata.labels?.[LABEL.color] === color ? done : undefined;
}

export const revisionOf = ({ metadata }: Job): string | undefined => metadata.labels?.[REVISION];

/** Identities of the databases in which a migration may create tables. Empty, which allows any, before the first migration. */
function databases({ status: { databaseId } }: Middleware, accepted: string | undefined): string[] {
  const known = [databaseId, accepted].filter((id) => id !== undefined);
  return databaseId === undefined || known.some(isDatabaseByName) ? [] : known;
}

/** The failed attempt before this one, while its Job exists. */
export function attemptBefore({ children }: World, job: Job): Job | undefined {
  const { labels = {} } = job.metadata;
  return children
    .jobs()
    .find(
      (other) =>
        other.metadata.labels?.[REVISION] === labels[REVISION] &&
        other.metadata.labels?.[LABEL.color] === labels[LABEL.color] &&
        attemptOf(other) === attemptOf(job) - 1,
    );
}

/** Whether a Job failed by its settings: another attempt is useless, and a change of the settings makes another Job. */
export function needsOtherSettings({ report }: Pick<JobOutcome, 'report'>): boolean {
  const row = errorRow(report.code);
  return row?.lasting === true && row.origin === 'settings';
}

/**
 * When a failed migration may be retried, ms since 1970. After a fault of the settings: never, because a change of the
 * settings makes another Job. After a timeout the pause is short, because the Job may only have waited for the database.
 */
export function retryAt(job: Job, { report }: Pick<JobOutcome, 'report'>): number {
  if (needsOtherSettings({ report })) return Infinity;
  const row = errorRow(report.code);
  const ended = job.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
  const since = endOf(job) ?? Date.parse(job.metadata.creationTimestamp ?? '');
  if (row?.lasting === true) return since + MAX_PAUSE_MS;
  const failures = ended?.reason === TIMED_OUT ? 0 : attemptOf(job);
  return since + backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}

function nextAttempt(world: World, newest: Job | undefined): number {
  if (newest === undefined) return 0;
  const outcome = jobOutcome(world, newest);
  const again = outcome.state === 'failed' && (world.now >= retryAt(newest, outcome) || isAskedAgain(world, newest));
  return attemptOf(newest) + (again ? 1 : 0);
}

/** Whether another migration succeeded since. The failed one is then wanted again, and its fault may have ended. */
function isAskedAgain({ resource: { status } }: World, { metadata }: Job): boolean {
  const { job, state } = status.migration ?? {};
  return metadata.labels?.[LABEL.color] === status.activeColor && state === 'Succeeded' && job !== metadata.name;
}

const attemptOf = ({ metadata }: Job): number => Number(metadata.annotations?.[ANNOTATION.attempt] ?? 0);
