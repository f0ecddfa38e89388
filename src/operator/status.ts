import type { CopyProgress } from './decide.js';
import { liveColor, schemaOf } from './copies.js';
import { conditionsOf } from './conditions.js';
import { podSelector } from './desired/pod.js';
import type { Obstacle } from './obstacles.js';
import type { Condition, MiddlewareStatus, Phase } from './schema/status.js';
import type { EventDraft, Plan, World } from './types.js';

export interface Findings {
  plan: Plan;
  /** The copy that serves; absent when the plan has none. */
  live: CopyProgress | undefined;
  copies: readonly CopyProgress[];
  obstacle: Obstacle | undefined;
  /** Every Deployment has the newest template. */
  settled: boolean;
  paused: boolean;
}

/** What is told of the resource: true to what its clients see, and of nothing that was only asked for. */
export function statusOf(world: World, findings: Findings): MiddlewareStatus {
  const { resource } = world;
  const { plan, live } = findings;
  const color = liveColor(world);
  const { servers, health, migration } = live?.state ?? {};
  const conditions = conditionsOf(world, findings);
  const running = world.children.deployment(`${resource.metadata.name}-server-${color}`);
  const report = migration?.report ?? {};
  return compact({
    observedGeneration: resource.metadata.generation,
    phase: phaseOf(conditions, findings),
    conditions,
    image: running?.spec.template.spec.containers[0]?.image,
    activeColor: color,
    activeSchema: schemaOf(resource, color),
    databaseId: report.database ?? resource.status.databaseId,
    height: health?.height ?? resource.status.height,
    nodeHeight: health?.nodeHeight ?? resource.status.nodeHeight,
    lag: health?.lag ?? (health === undefined ? resource.status.lag : undefined),
    replicas: servers?.pods ?? 0,
    readyReplicas: servers?.ready ?? 0,
    updatedReplicas: servers?.updated ?? 0,
    servers: `${servers?.ready ?? 0}/${servers?.wanted ?? 0}`,
    selector: Object.entries(podSelector(resource, 'server', color))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
    migration: live && migrationStatus(live, resource.status.migration),
    reload: plan.reload,
    reloads: plan.reloads,
    verification: plan.verification,
  });
}

const STATES = { missing: 'Pending', running: 'Running', succeeded: 'Succeeded', failed: 'Failed' } as const;

function migrationStatus(
  { state: { migration: outcome }, migration: job }: CopyProgress,
  last: MiddlewareStatus['migration'],
): MiddlewareStatus['migration'] {
  const template = (job.spec as { template: { spec: { containers: { image: string }[] } } }).template;
  const image = outcome.state === 'succeeded' ? template.spec.containers[0]?.image : last?.image;
  return compact({
    job: job.metadata.name,
    hash: job.metadata.name.split('-').at(-1),
    image,
    state: STATES[outcome.state],
    message: outcome.report.message ?? outcome.awaits?.message,
  });
}

function phaseOf(conditions: readonly Condition[], { paused, plan, live }: Findings): Phase {
  const holds = (type: string): boolean => conditions.some((one) => one.type === type && one.status === 'True');
  if (paused) return 'Paused';
  if (holds('Stalled')) return 'Stalled';
  if (!holds('Ready')) {
    if (live === undefined || live.state.migration.state === 'missing') return 'Pending';
    if (live.state.migration.state !== 'succeeded') return 'Migrating';
    return live.state.health?.loading === true ? 'Loading' : 'Starting';
  }
  if (plan.reloading.status === 'True') return 'Reloading';
  return holds('Degraded') ? 'Degraded' : 'Serving';
}

/** Without the fields that are not there: the API server would not store them either. */
function compact<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** What is worth an Event: good news, bad news and their end; not the steps on the way. */
export function transitions(before: MiddlewareStatus, after: MiddlewareStatus): EventDraft[] {
  return (after.conditions ?? []).flatMap((now) => {
    const then = before.conditions?.find(({ type }) => type === now.type);
    if (then?.status === now.status && then.reason === now.reason) return [];
    const [was, is] = [then !== undefined && isBad(then), isBad(now)];
    const good = GOOD.has(now.type) && now.status === 'True' && then?.status !== 'True';
    if (!is && !good && !(was && ABNORMAL.has(now.type))) return [];
    return [{ type: is ? 'Warning' : 'Normal', reason: now.reason, message: `${now.type}: ${now.message}` } as const];
  });
}

/** Conditions that are good when they hold. */
const GOOD = new Set(['Ready', 'Migrated', 'Populated', 'Reloading']);
/** Conditions that are good when they do not hold. */
const ABNORMAL = new Set(['Stalled', 'Degraded']);
/** Steps on the way are not bad in themselves. */
const STEPS = new Set(['Pending', 'Running', 'Migrating', 'Starting', 'Loading', 'ScaledToZero', 'NoCopy']);

const isBad = ({ type, status, reason }: Condition): boolean =>
  ABNORMAL.has(type)
    ? status === 'True'
    : (type === 'Ready' || type === 'Migrated') && status === 'False' && !STEPS.has(reason);
