import type { CopyProgress } from './copies.js';
import { liveColor, schemaOf } from '../readings/colors.js';
import { TO_ZERO, conditionsOf } from './conditions.js';
import { podSelector } from '../desired/pod.js';
import type { Findings } from './findings.js';
import type { Condition, ConditionType, MiddlewareStatus, Phase } from '../schema/status.js';
import type { EventDraft, World } from '../types.js';
import type { Upgrade } from './upgrade.js';
import { inSeconds } from '../times.js';

/** The status. It reports what clients of the resource see, never what was only requested. */
export function statusOf(world: World, findings: Findings): { status: MiddlewareStatus; upgrade: Upgrade } {
  const { resource } = world;
  const { plan, live } = findings;
  const color = liveColor(world);
  const isOpen = world.question?.isOpen === true;
  const { servers, health } = live?.state ?? {};
  const { conditions, upgrade } = conditionsOf(world, findings);
  const running = world.children.deployment(`${resource.metadata.name}-server-${color}`);
  const status: MiddlewareStatus = compact({
    observedGeneration: resource.metadata.generation,
    phase: phaseOf(conditions, findings),
    conditions,
    image: running?.spec.template.spec.containers[0]?.image,
    ...(isOpen
      ? {
          uid: resource.status.uid,
          activeColor: resource.status.activeColor,
          activeSchema: resource.status.activeSchema,
        }
      : { uid: resource.metadata.uid, activeColor: color, activeSchema: schemaOf(resource, color) }),
    databaseId: findings.databaseId ?? resource.status.databaseId,
    claim: findings.claim,
    height: health?.height ?? resource.status.height,
    headTime: health?.headTime === undefined ? resource.status.headTime : iso(health.headTime),
    nodeHeight: health?.nodeHeight ?? resource.status.nodeHeight,
    lag: health?.lag,
    nodeSeenAt: health?.lag === undefined ? lastSeen(world) : undefined,
    replicas: servers?.pods ?? 0,
    readyReplicas: servers?.ready ?? 0,
    updatedReplicas: servers?.updated ?? 0,
    servers: `${servers?.ready ?? 0}/${servers?.wanted ?? 0}`,
    selector: Object.entries(podSelector(resource, 'server', color))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
    migration: isOpen ? resource.status.migration : live && migrationStatus(live, resource.status.migration),
    upgrade: compact(upgrade.status),
    reload: plan.reload,
    reloads: plan.reloads,
    verification: plan.verification,
    heldReorg: plan.heldReorg,
    acceptedReorg: plan.acceptedReorg,
  });
  return { status, upgrade };
}

/** When the lag was known last, as an ISO time; undefined if it never was. */
const lastSeen = ({ resource: { status }, now }: World): string | undefined =>
  status.lag === undefined ? status.nodeSeenAt : inSeconds(now);

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
  const isTrue = (type: ConditionType): boolean => conditions.some((one) => one.type === type && one.status === 'True');
  if (paused) return 'Paused';
  if (isTrue('Stalled')) return 'Stalled';
  if (conditions.some(({ type, reason }) => type === 'Ready' && reason === 'Hibernated')) return 'Hibernated';
  if (!isTrue('Ready')) {
    if (conditions.some(({ reason }) => reason === TO_ZERO)) return TO_ZERO;
    if (live === undefined || live.state.migration.state === 'missing') return 'Pending';
    if (live.state.migration.state !== 'succeeded') return 'Migrating';
    if (live.state.cutOff.length > 0) return 'Degraded';
    return live.state.health?.loading === true ? 'Loading' : 'Starting';
  }
  if (plan.reloading.status === 'True') return 'Reloading';
  return isTrue('Degraded') ? 'Degraded' : 'Serving';
}

const iso = (time: number): string => new Date(time).toISOString();

/** The object without fields that are undefined: the API server does not store them either. */
function compact<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Events for changes of conditions: a fault began, a fault ended, or work is done. Steps in between get no Event. */
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

/** Conditions whose status should be True. */
const GOOD = new Set<string>(['Ready', 'Migrated', 'Populated', 'Reloading'] satisfies ConditionType[]);
/** Conditions whose status should be False. */
const ABNORMAL = new Set<string>(['Stalled', 'Degraded', 'ReorgHeld'] satisfies ConditionType[]);
/** Reasons that are normal steps, not faults. */
const STEPS = new Set([
  'Pending',
  'Running',
  'Migrating',
  'Starting',
  'Loading',
  'Paused',
  TO_ZERO,
  'Hibernated',
  'NoCopy',
  'Surveying',
]);

const isBad = ({ type, status, reason }: Condition): boolean =>
  ABNORMAL.has(type)
    ? status === 'True'
    : (type === 'Ready' || type === 'Migrated' || type === 'Verified') && status === 'False' && !STEPS.has(reason);
