import { migrationJob } from '../desired/migration.js';
import { databaseSecret } from '../desired/pod.js';
import { ANNOTATION, databaseByName, hashOf, isDatabaseByName } from '../names.js';
import { jobOutcome } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { CopyPlan, World } from '../types.js';
import type { Blocker } from './blockers.js';

/** Identity of the database that the Secret names, as its migration reported it; undefined before the migration. */
export function databaseNow({ resource, database }: World, { state, report }: JobOutcome): string | undefined {
  // A report is used only after the Job has ended: a running Job may be deleted when a blocker appears.
  if (state === 'running') return undefined;
  if (report.database !== undefined) return report.database;
  if (state !== 'succeeded' || !('target' in database)) return undefined;
  // A short host name names different machines in different namespaces.
  return databaseByName(hashOf([resource.metadata.namespace, database.target]));
}

/**
 * Identity of the database for which the resource was made. A more exact identity of the same database replaces it;
 * another database does not.
 */
export function databaseId(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  return known === undefined || (now !== undefined && isDatabaseByName(known) && !isDatabaseByName(now)) ? now : known;
}

/** Identity of the database that the Secret names, if the resource was made for another one; else undefined. */
export function otherDatabase(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  if (now === undefined || known === undefined || isDatabaseByName(now) !== isDatabaseByName(known)) return undefined;
  return now === known ? undefined : now;
}

/** Whether the administrator confirmed by annotation that the data was moved to this database. */
export const isAccepted = ({ resource }: World, database: string): boolean =>
  resource.metadata.annotations?.[ANNOTATION.acceptDatabase] === database;

/** Blocks when the Secret names another database. Otherwise an edited Secret would make servers use an empty database. */
export function databaseBlocker(world: World, live: CopyPlan | undefined): Blocker | undefined {
  if (live === undefined) return undefined;
  const { resource, children } = world;
  const other = otherDatabase(world, jobOutcome(world, children.job(migrationJob(world, live).metadata.name)));
  if (other === undefined || isAccepted(world, other)) return undefined;
  const { name } = databaseSecret(resource);
  const message =
    `Secret ${name} names another database (${other}) than the one of this resource (${resource.status.databaseId}): ` +
    'restore the URL of that database. Only if its data was moved to the other database, annotate the resource with ' +
    `${ANNOTATION.acceptDatabase}=${other}. Until then no pod is replaced, but a pod that restarts uses the other database`;
  return { reason: 'DatabaseChanged', message };
}
