import { backoffMs } from '../../runtime/backoff.js';
import { ANNOTATION, LABEL, hashOf, isDatabaseByName } from '../names.js';
import { errorRow } from '../../observe/errors.js';
import { TIMED_OUT, endOf, jobOutcome } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { Color } from '../schema/status.js';
import { GROUP } from '../schema/group.js';
import type { Basis, CopyPlan, Job, Middleware, PodTemplate } from '../types.js';
import { REPORTED, jobSpec, middlewareJob } from './job.js';

/** Label of all attempts at one migration. */
export const REVISION = `${GROUP}/revision`;

const FIRST_PAUSE_MS = 10_000;
/** Also the pause after a lasting fault that is corrected outside the resource: rights, the database, its version. */
const MAX_PAUSE_MS = 600_000;

/** The migration of a copy, without its manifest: its newest attempt, or the next one if the newest failed long enough ago. */
export interface Migration {
  /** Name of the Job: a hash of all its inputs, because a Job cannot be changed. */
  name: string;
  color: Color;
  /** Hash of the inputs, which all attempts share. */
  revision: string | undefined;
  attempt: number;
  /** Image with which it runs. */
  image: string | undefined;
  /** The Job that another version of the operator made, and that this version does not repeat. */
  made?: Job;
}

type Copy = Pick<CopyPlan, 'color' | 'schema' | 'reload'>;

export function migrationOf(basis: Basis, copy: Copy): Migration {
  const { resource, children } = basis;
  const { color } = copy;
  const made = basis.frozen ? lastMigration(basis, color) : undefined;
  if (made !== undefined) {
    const { metadata } = made;
    const { template } = made.spec as { template: PodTemplate };
    const image = template.spec.containers[0]?.image;
    return { name: metadata.name, color, revision: metadata.labels?.[REVISION], attempt: attemptOf(made), image, made };
  }
  const revision = revisionOf(basis, copy);
  const attempts = children
    .jobs()
    .filter(({ metadata: { labels } }) => labels?.[REVISION] === revision && labels[LABEL.color] === color)
    .sort((a, b) => attemptOf(b) - attemptOf(a));
  const attempt = nextAttempt(basis, attempts[0]);
  const name = `${resource.metadata.name}-migrate-${attempt === 0 ? revision : hashOf([revision, attempt])}`;
  return { name, color, revision, attempt, image: basis.image };
}

/**
 * Hash of the inputs of a migration. The first migration reports the identity of the database. That must not cause another
 * migration, so the identity is no input. An accepted database is one, and so is a reload, because it drops a schema that was
 * migrated before.
 */
export function revisionOf(basis: Basis, copy: Copy): string {
  const { [ANNOTATION.retry]: retry = null, [ANNOTATION.acceptDatabase]: accepted } =
    basis.resource.metadata.annotations ?? {};
  const inputs = [
    jobSpec(basis, jobOptions(basis, copy, [])),
    retry,
    ...(accepted === undefined ? [] : [{ accepted }]),
  ];
  return hashOf([...inputs, ...(copy.reload === undefined ? [] : [copy.reload])]);
}

/** The Job of a migration. */
export function migrationJob(basis: Basis, copy: Copy, { name, revision, attempt, made }: Migration): Job {
  if (made !== undefined) return made;
  const { resource } = basis;
  const accepted = resource.metadata.annotations?.[ANNOTATION.acceptDatabase];
  return middlewareJob(basis, {
    ...jobOptions(
      basis,
      copy,
      databases(resource, accepted).flatMap((id) => ['--database-id', id]),
    ),
    name,
    labels: { ...(revision !== undefined && { [REVISION]: revision }) },
    annotations: { [ANNOTATION.attempt]: String(attempt) },
  });
}

const jobOptions = ({ resource }: Basis, { color, schema }: Copy, args: string[]) => ({
  ...({ component: 'migration', color, schema, timeout: resource.spec.migration.timeout } as const),
  args: ['migrate', '--node', ...args],
  ...REPORTED,
});

/** The migration that succeeded. A new version of the operator alone does not repeat it. */
function lastMigration({ resource, children }: Basis, color: Color): Job | undefined {
  const { job, state } = resource.status.migration ?? {};
  const done = state === 'Succeeded' && job !== undefined ? children.job(job) : undefined;
  return done?.metadata.labels?.[LABEL.color] === color ? done : undefined;
}

/** Identities of the databases in which a migration may create tables. Empty, which allows any, before the first migration. */
function databases({ status: { databaseId } }: Middleware, accepted: string | undefined): string[] {
  const known = [databaseId, accepted].filter((id) => id !== undefined);
  return databaseId === undefined || known.some(isDatabaseByName) ? [] : known;
}

/** The failed attempt before this one, while its Job exists. */
export const attemptBefore = ({ children }: Basis, { color, revision, attempt }: Migration): Job | undefined =>
  children
    .jobs()
    .find(
      (other) =>
        other.metadata.labels?.[REVISION] === revision &&
        other.metadata.labels?.[LABEL.color] === color &&
        attemptOf(other) === attempt - 1,
    );

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

function nextAttempt(basis: Basis, newest: Job | undefined): number {
  if (newest === undefined) return 0;
  const outcome = jobOutcome(basis, newest);
  const again = outcome.state === 'failed' && (basis.now >= retryAt(newest, outcome) || isAskedAgain(basis, newest));
  return attemptOf(newest) + (again ? 1 : 0);
}

/** Whether another migration succeeded since. The failed one is then wanted again, and its fault may have ended. */
function isAskedAgain({ resource: { status } }: Basis, { metadata }: Job): boolean {
  const { job, state } = status.migration ?? {};
  return metadata.labels?.[LABEL.color] === status.activeColor && state === 'Succeeded' && job !== metadata.name;
}

const attemptOf = ({ metadata }: Job): number => Number(metadata.annotations?.[ANNOTATION.attempt] ?? 0);
