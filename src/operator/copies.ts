import { LABEL, populatorName, serverName, trialName } from './names.js';
import { jobOutcome } from './readings/jobs.js';
import type { JobOutcome } from './readings/jobs.js';
import { attemptBefore, migrationJob } from './desired/migration.js';
import type { Color } from './schema/status.js';
import { needsAction, unusualAfter } from './readings/duration.js';
import { startFaultOf, failureOf, refusalOf, missingPodOf } from './readings/pods.js';
import type { PodFault } from './readings/pods.js';
import { rollout } from './readings/rollout.js';
import type { Rollout } from './readings/rollout.js';
import type { CopyPlan, Pod, PodHealth, StatefulSet, World } from './types.js';

/** Health that a pod of the copy reports, and the name of the pod. */
interface CopyHealth extends PodHealth {
  pod: string;
}

export interface CopyState {
  color: Color;
  schema: string;
  migration: JobOutcome;
  /** The failed attempt before it. */
  migrationBefore: JobOutcome | undefined;
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
  /** Time until something lasts longer than usual, ms. */
  unusualAfterMs: number | undefined;
}

/** Returns the whole state of a copy. */
export function observeCopy(world: World, copy: Pick<CopyPlan, 'color' | 'schema' | 'reload'>): CopyState {
  const { resource, children } = world;
  const { name } = resource.metadata;
  const { color, schema } = copy;
  const migration = migrationJob(world, copy);
  const deployment = {
    servers: children.deployment(serverName(name, color)),
    populator: children.deployment(populatorName(name, color)),
  };
  const servers = rollout(deployment.servers);
  const populator = rollout(deployment.populator);
  const outcome = jobOutcome(world, children.job(migration.metadata.name));
  const before = attemptBefore(world, migration);
  const podsOf = (component: string) => children.pods({ [LABEL.component]: component, [LABEL.color]: color });
  const [populators, serving] = [podsOf('populator'), podsOf('server')];
  const databases = children.pods({ [LABEL.component]: 'database' });
  const blocks = {
    database: [missingDatabasePod(world), ...databases.map(startFaultOf)],
    migration: [outcome.blocked],
    populator: [refusalOf(deployment.populator), ...populators.map(startFaultOf)],
    servers: [refusalOf(deployment.servers), ...serving.map(startFaultOf)],
  };
  const cutOff = answersOf(world, color, 'server').filter(({ withoutDatabase }) => withoutDatabase === true);
  const lasting = (some: (PodFault | undefined)[]) => some.find((block) => needsAction(block, world));
  const faults = [
    { since: populator.shortSince },
    { since: servers.shortSince },
    ...Object.values(blocks).flatMap((some) => some.flatMap((block) => block ?? [])),
  ];
  return {
    color,
    schema,
    migration: outcome,
    migrationBefore: before && jobOutcome(world, before),
    populator,
    servers,
    cutOff,
    reading: Math.max(servers.ready - cutOff.length, 0),
    health: copyHealth(world, color),
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
    unusualAfterMs: unusualAfter(faults, world),
  };
}

/** The fault that no pod of a new trial database was created. A pod that somebody deletes is created again. */
function missingDatabasePod({ resource, children }: World): PodFault | undefined {
  const { metadata, status } = resource;
  const set = children.get('StatefulSet', trialName(metadata.name)) as StatefulSet | undefined;
  const isNew = status.databaseId === undefined && (set?.status?.replicas ?? 0) === 0;
  return set !== undefined && isNew ? missingPodOf(set, 'DatabaseNotStarted') : undefined;
}

function firstFailure(pods: readonly Pod[]): PodFault | undefined {
  return pods.map(failureOf).find((failure) => failure !== undefined);
}

/** What the pods of a component of a copy have answered. */
const answersOf = ({ children, health }: World, color: Color, component: string): CopyHealth[] =>
  children.pods({ [LABEL.component]: component, [LABEL.color]: color }).flatMap(({ metadata: { name: pod } }) => {
    const answer = health.get(pod);
    return answer === undefined ? [] : [{ ...answer, pod }];
  });

function copyHealth(world: World, color: Color): CopyHealth | undefined {
  const byHeight = (a: PodHealth, b: PodHealth): number => (b.height ?? -1) - (a.height ?? -1);
  const [populator] = answersOf(world, color, 'populator');
  const [server] = answersOf(world, color, 'server').sort(byHeight);
  // The last answer of a frozen populator is used for some probes. Servers know before that it reports nothing.
  return server?.populatorSilent === true ? server : (populator ?? server);
}
