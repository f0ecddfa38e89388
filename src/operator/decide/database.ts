import { migrationJob } from '../desired/migration.js';
import { databaseSecret } from '../desired/pod.js';
import { ANNOTATION, databaseByName, hashOf, isDatabaseByName } from '../names.js';
import { jobOutcome } from '../observe/jobs.js';
import type { JobOutcome } from '../observe/jobs.js';
import type { CopyPlan, World } from '../types.js';
import type { Blocker } from './blockers.js';

/** The database that the Secret names, as the migration that used it found out; undefined before. */
function databaseNow({ resource, database }: World, { state, report }: JobOutcome): string | undefined {
  // The pod ends before its Job does, and a Job under way is not kept where nothing may be migrated.
  if (state === 'running') return undefined;
  if (report.database !== undefined) return report.database;
  if (state !== 'succeeded' || !('target' in database)) return undefined;
  // A short host name means another machine in another namespace.
  return databaseByName(hashOf([resource.metadata.namespace, database.target]));
}

/** The database for which the resource was made, with what the migration adds to it; another one does not replace it. */
export function databaseId(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  return known === undefined || (now !== undefined && isDatabaseByName(known) && !isDatabaseByName(now)) ? now : known;
}

/** The Secret names another database than the one for which the resource was made: its identity. */
export function otherDatabase(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  if (now === undefined || known === undefined || isDatabaseByName(now) !== isDatabaseByName(known)) return undefined;
  return now === known ? undefined : now;
}

/** Whether the administrator says that the data was moved there. */
export const isAccepted = ({ resource }: World, database: string): boolean =>
  resource.metadata.annotations?.[ANNOTATION.acceptDatabase] === database;

/** Pods must not come to use another database because somebody edited a Secret: nobody would load what is served. */
export function databaseBlocker(world: World, live: CopyPlan | undefined): Blocker | undefined {
  if (live === undefined) return undefined;
  const { resource, children } = world;
  const other = otherDatabase(world, jobOutcome(world, children.job(migrationJob(world, live).metadata.name)));
  if (other === undefined || isAccepted(world, other)) return undefined;
  const { name } = databaseSecret(resource);
  const message =
    `Secret ${name} names another database (${other}) than the one of this resource (${resource.status.databaseId}): ` +
    'put the URL of that one back. Only if its data was moved to the other one, annotate the resource with ' +
    `${ANNOTATION.acceptDatabase}=${other}. Until then no pod is replaced, but one that restarts uses the other database`;
  return { reason: 'DatabaseChanged', message };
}
