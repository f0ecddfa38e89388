import { databaseSecret } from '../desired/pod.js';
import { ANNOTATION, databaseByName, hashOf, isDatabaseByName } from '../names.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { Claim, Middleware } from '../types.js';
import type { World } from '../world/world.js';
import { IN_USE } from './findings.js';
import type { Blocker, Step } from './findings.js';

/** Which database the copy that serves uses. */
export const database: Step = (world, { live, settled, blocker }) => {
  const { migration, servers } = live.state;
  const other = otherDatabase(world, migration);
  const arrived = settled && servers.settled;
  return {
    moving: other !== undefined && !(arrived && isAccepted(world, other)),
    databaseId:
      world.question?.isOpen === true ? undefined : ((arrived ? other : undefined) ?? databaseId(world, migration)),
    claim: claimOf(world, migration, blocker),
  };
};

/**
 * Whether the status has the identity of the database. Pods use the database only after that, so that another resource
 * with the same database is noticed.
 */
export const isKnown = (world: World, migration: JobOutcome): boolean =>
  databaseId(world, migration) === world.resource.status.databaseId;

/** Identity of the database that the Secret names, as its migration reported it; undefined before the migration. */
function databaseNow({ resource, database }: World, { state, report }: JobOutcome): string | undefined {
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
function databaseId(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  return known === undefined || (now !== undefined && isDatabaseByName(known) && !isDatabaseByName(now)) ? now : known;
}

/** Identity of the database that the Secret names, if the resource was made for another one; else undefined. */
function otherDatabase(world: World, outcome: JobOutcome): string | undefined {
  const now = databaseNow(world, outcome);
  const known = world.resource.status.databaseId;
  if (now === undefined || known === undefined || isDatabaseByName(now) !== isDatabaseByName(known)) return undefined;
  return now === known ? undefined : now;
}

/** Whether the administrator confirmed by annotation that the data was moved to this database. */
const isAccepted = ({ resource }: World, database: string): boolean =>
  resource.metadata.annotations?.[ANNOTATION.acceptDatabase] === database;

/** Blocks when the Secret names another database. Otherwise an edited Secret would make servers use an empty database. */
export function databaseBlocker(world: World, migration: JobOutcome): Blocker | undefined {
  const { resource } = world;
  const other = otherDatabase(world, migration);
  if (other === undefined || isAccepted(world, other)) return undefined;
  const { name } = databaseSecret(resource);
  const message =
    `Secret ${name} names another database (${other}) than the one of this resource (${resource.status.databaseId}): ` +
    'restore the URL of that database. Only if its data was moved to the other database, annotate the resource with ' +
    `${ANNOTATION.acceptDatabase}=${other}. Until then no pod is replaced, but a pod that restarts uses the other database`;
  return { reason: 'DatabaseChanged', message };
}

/**
 * Hashes of the ids of the copies in the database, as a migration that ended reported the ids; undefined if it reported none.
 * Who may read the status of a resource learns no id by which another resource could claim the database.
 */
function hashesIn({ state, report }: JobOutcome): string[] | undefined {
  if (state !== 'succeeded' || !Array.isArray(report.copies)) return undefined;
  return report.copies.map((id) => hashOf(String(id), 32));
}

/**
 * By which the resource claims its database: what the last migration read. A resource that was new to this version of the operator
 * begins with an empty claim, so a missing one shows that an older version recorded the database.
 */
function claimOf({ resource: { status } }: World, outcome: JobOutcome, blocker: Blocker | undefined) {
  const found = blocker === undefined ? hashesIn(outcome) : undefined;
  return found ?? status.claim ?? (status.databaseId === undefined ? [] : undefined);
}

/** Blocks when a resource of another namespace has opened the same database before, and claimed it. */
export function claimBlocker(world: World, outcome: JobOutcome): Blocker | undefined {
  const { resource, claims } = world;
  if (claims.length === 0) return undefined;
  const id = databaseNow(world, outcome) ?? resource.status.databaseId;
  const own = resource.status.claim ?? [];
  const found = [...(hashesIn(outcome) ?? []), ...own];
  const isTaken = claims.some((claim) => {
    if (!isSameDatabase(claim, id)) return false;
    if (own.length === 0 && isOfOlderVersion(resource, claim))
      return claim.isEarlier || resource.status.claim !== undefined;
    return claim.copies?.some((copy) => found.includes(copy) && (claim.isEarlier || !own.includes(copy)));
  });
  if (!isTaken) return undefined;
  const message =
    'The database and schema belong to a resource of another namespace: use another database, or another spec.database.schema';
  return { reason: IN_USE, message };
}

/**
 * Whether an older version of the operator, which knew no ids, recorded the database for one of the two resources. That one keeps
 * it until a migration has read the ids; if it was recorded for both, the older resource does, and the other one stays blocked.
 */
function isOfOlderVersion({ status }: Middleware, claim: Claim): boolean {
  if (claim.copies === undefined) return true;
  const stalled = status.conditions?.find(({ type }) => type === 'Stalled');
  return status.claim === undefined && stalled?.status === 'True' && stalled.reason === IN_USE;
}

/** A dump has the ids of the copies that it was made from, so the databases are compared, too: by their URLs if a role may not read the identity. */
function isSameDatabase({ databaseId: theirs, hasSameUrl }: Claim, own: string | undefined): boolean {
  const areKnown = [own, theirs].every((id) => id !== undefined && !isDatabaseByName(id));
  return areKnown ? own === theirs : hasSameUrl;
}
