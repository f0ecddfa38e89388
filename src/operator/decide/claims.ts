import { migrationJob } from '../desired/migration.js';
import { hashOf, isDatabaseByName } from '../names.js';
import { jobOutcome } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import type { Claim, CopyPlan, Middleware, World } from '../types.js';
import { IN_USE } from './blockers.js';
import type { Blocker } from './blockers.js';
import { databaseNow } from './database.js';

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
export function claimOf(
  { resource: { status } }: World,
  outcome: JobOutcome | undefined,
  blocker: Blocker | undefined,
) {
  const found = blocker === undefined && outcome !== undefined ? hashesIn(outcome) : undefined;
  return found ?? status.claim ?? (status.databaseId === undefined ? [] : undefined);
}

/** Blocks when a resource of another namespace has opened the same database before, and claimed it. */
export function claimBlocker(world: World, live: CopyPlan | undefined): Blocker | undefined {
  if (live === undefined || world.claims.length === 0) return undefined;
  const { resource, claims, children } = world;
  const outcome = jobOutcome(world, children.job(migrationJob(world, live).metadata.name));
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
