import { lastMigrationFault } from '../migration-fault.js';
import type { MigrationFault } from '../migration-fault.js';
import { LABEL, populatorName, serverName, trialName } from '../names.js';
import { jobOutcome } from '../readings/jobs.js';
import type { JobOutcome } from '../readings/jobs.js';
import { attemptBefore, migrationOf } from '../desired/migration.js';
import type { Migration } from '../desired/migration.js';
import type { Color } from '../schema/status.js';
import {
  failureOf,
  isUnusual,
  missingPodOf,
  needsAction,
  refusalOf,
  rollout,
  startFaultOf,
  unusualAfter,
} from '../readings/pods.js';
import type { PodFault, Rollout } from '../readings/pods.js';
import type { Basis, CopyPlan, Pod, PodHealth, StatefulSet } from '../types.js';

/** Health that a pod of the copy reports, and the name of the pod. */
interface CopyHealth extends PodHealth {
  pod: string;
}

export interface CopyState {
  color: Color;
  schema: string;
  /** Name of its migration, and what became of the Job. */
  migrationJob: Migration;
  migration: JobOutcome;
  /** The failed attempt before it. */
  migrationBefore: JobOutcome | undefined;
  /** Why the last attempt that ended failed. */
  migrationFault: MigrationFault | undefined;
  populator: Rollout;
  servers: Rollout;
  /** Servers that take requests though they cannot read the database. */
  cutOff: readonly CopyHealth[];
  /** Number of servers that take requests and read the database. */
  reading: number;
  /** Health as the populator reports it, or the server with the highest head if the populator does not. */
  health: CopyHealth | undefined;
  /** Why pods do not start, if somebody has to act. */
  blocked: Record<'database' | 'migration' | 'populator' | 'servers', PodFault | undefined>;
  /** Why pods do not run. */
  failing: Record<'database' | 'populator' | 'servers', PodFault | undefined>;
  /** Whether fewer pods are ready than wanted, for longer than usual. */
  short: Record<'populator' | 'servers', boolean>;
  /** Time until something lasts longer than usual, ms. */
  unusualAfterMs: number | undefined;
}

/** Reads the whole state of a copy. */
export function observeCopy(basis: Basis, copy: Pick<CopyPlan, 'color' | 'schema' | 'reload'>): CopyState {
  const { resource, children } = basis;
  const { name } = resource.metadata;
  const { color, schema } = copy;
  const migrationJob = migrationOf(basis, copy);
  const migration = jobOutcome(basis, children.job(migrationJob.name));
  const before = attemptBefore(basis, migrationJob);
  const migrationBefore = before && jobOutcome(basis, before);
  const deployment = {
    servers: children.deployment(serverName(name, color)),
    populator: children.deployment(populatorName(name, color)),
  };
  const servers = rollout(deployment.servers);
  const populator = rollout(deployment.populator);
  const podsOf = (component: string) => children.pods({ [LABEL.component]: component, [LABEL.color]: color });
  const [populators, serving] = [podsOf('populator'), podsOf('server')];
  const databases = children.pods({ [LABEL.component]: 'database' });
  const blocks = {
    database: [missingDatabasePod(basis), ...databases.map(startFaultOf)],
    migration: [migration.blocked],
    populator: [refusalOf(deployment.populator), ...populators.map(startFaultOf)],
    servers: [refusalOf(deployment.servers), ...serving.map(startFaultOf)],
  };
  const lasting = (some: (PodFault | undefined)[]) => some.find((block) => needsAction(block, basis));
  const cutOff = answersOf(basis, color, 'server').filter(({ withoutDatabase }) => withoutDatabase === true);
  const faults = [
    { since: populator.shortSince },
    { since: servers.shortSince },
    ...Object.values(blocks).flatMap((some) => some.flatMap((block) => block ?? [])),
  ];
  return {
    color,
    schema,
    migrationJob,
    migration,
    migrationBefore,
    migrationFault: lastMigrationFault(migration, migrationBefore),
    populator,
    servers,
    cutOff,
    reading: Math.max(servers.ready - cutOff.length, 0),
    health: copyHealth(basis, color),
    blocked: {
      database: lasting(blocks.database),
      migration: lasting(blocks.migration),
      populator: lasting(blocks.populator),
      servers: lasting(blocks.servers),
    },
    failing: {
      database: firstFailure(databases),
      populator: firstFailure(populators),
      servers: firstFailure(serving),
    },
    short: {
      populator: isUnusual(populator.shortSince, basis),
      servers: isUnusual(servers.shortSince, basis),
    },
    unusualAfterMs: unusualAfter(faults, basis),
  };
}

/** The fault that no pod of a new trial database was created. A pod that somebody deletes is created again. */
function missingDatabasePod({ resource, children }: Basis): PodFault | undefined {
  const { metadata, status } = resource;
  const set = children.get('StatefulSet', trialName(metadata.name)) as StatefulSet | undefined;
  const isNew = status.databaseId === undefined && (set?.status?.replicas ?? 0) === 0;
  return set !== undefined && isNew ? missingPodOf(set, 'DatabaseNotStarted') : undefined;
}

function firstFailure(pods: readonly Pod[]): PodFault | undefined {
  return pods.map(failureOf).find((failure) => failure !== undefined);
}

/** What the pods of a component of a copy have answered. */
const answersOf = ({ children, health }: Basis, color: Color, component: string): CopyHealth[] =>
  children.pods({ [LABEL.component]: component, [LABEL.color]: color }).flatMap(({ metadata: { name: pod } }) => {
    const answer = health.get(pod);
    return answer === undefined ? [] : [{ ...answer, pod }];
  });

/** Health as the pods of a copy report it. */
export function copyHealth(basis: Basis, color: Color): CopyHealth | undefined {
  const byHeight = (a: PodHealth, b: PodHealth): number => (b.height ?? -1) - (a.height ?? -1);
  const [populator] = answersOf(basis, color, 'populator');
  const [server] = answersOf(basis, color, 'server').sort(byHeight);
  // The last answer of a frozen populator is used for some probes. Servers know before that it reports nothing.
  return server?.populatorSilent === true ? server : (populator ?? server);
}
