import { TO_ZERO } from './conditions.js';
import { podSelector } from '../desired/pod.js';
import type { CopyProgress, Findings, Step } from './findings.js';
import type { Condition, ConditionType, MiddlewareStatus, Phase } from '../schema/status.js';
import type { EventDraft } from '../types.js';
import type { World } from '../world/world.js';
import { inSeconds } from '../times.js';

/** The status. It reports what clients of the resource see, never what was only requested. */
export const status: Step = (world, found) => {
  const next = statusOf(world, found);
  return { status: next, events: transitions(world.resource.status, next) };
};

function statusOf(world: World, found: Findings): MiddlewareStatus {
  const { resource } = world;
  const { plan, live, conditions, upgrade } = found;
  const color = world.served.live;
  const isOpen = world.question?.isOpen === true;
  const { servers, health } = live.state;
  const running = world.children.deployment(`${resource.metadata.name}-server-${color}`);
  return compact({
    observedGeneration: resource.metadata.generation,
    phase: phaseOf(world, found),
    conditions,
    image: running?.spec.template.spec.containers[0]?.image,
    ...(isOpen
      ? {
          uid: resource.status.uid,
          activeColor: resource.status.activeColor,
          activeSchema: resource.status.activeSchema,
        }
      : { uid: resource.metadata.uid, activeColor: color, activeSchema: world.live.schema }),
    databaseId: found.databaseId ?? resource.status.databaseId,
    claim: found.claim,
    height: health?.height ?? resource.status.height,
    headTime: health?.headTime === undefined ? resource.status.headTime : iso(health.headTime),
    nodeHeight: health?.nodeHeight ?? resource.status.nodeHeight,
    lag: health?.lag,
    nodeSeenAt: health?.lag === undefined ? lastSeen(world) : undefined,
    replicas: servers.pods,
    readyReplicas: servers.ready,
    updatedReplicas: servers.updated,
    servers: `${servers.ready}/${servers.wanted}`,
    selector: Object.entries(podSelector(resource, 'server', color))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
    migration: isOpen ? resource.status.migration : migrationStatus(world, live),
    upgrade: compact(upgrade.status),
    reload: plan.reload,
    reloads: plan.reloads,
    verification: plan.verification,
    heldReorg: plan.reorgs.heldReorg,
    acceptedReorg: plan.reorgs.acceptedReorg,
  });
}

/** When the lag was known last, as an ISO time; undefined if it never was. */
const lastSeen = ({ resource: { status }, now }: World): string | undefined =>
  status.lag === undefined ? status.nodeSeenAt : inSeconds(now);

const STATES = { missing: 'Pending', running: 'Running', succeeded: 'Succeeded', failed: 'Failed' } as const;

function migrationStatus(world: World, { state }: CopyProgress): MiddlewareStatus['migration'] {
  const { migration: outcome, migrationJob: job } = state;
  return compact({
    job: job.name,
    hash: job.name.split('-').at(-1),
    image: outcome.state === 'succeeded' ? job.image : world.resource.status.migration?.image,
    state: STATES[outcome.state],
    message: outcome.report.message ?? outcome.awaits?.message,
  });
}

function phaseOf({ paused }: World, { plan, live, conditions }: Findings): Phase {
  const isTrue = (type: ConditionType): boolean => conditions.some((one) => one.type === type && one.status === 'True');
  if (paused) return 'Paused';
  if (isTrue('Stalled')) return 'Stalled';
  if (conditions.some(({ type, reason }) => type === 'Ready' && reason === 'Hibernated')) return 'Hibernated';
  if (!isTrue('Ready')) {
    if (conditions.some(({ reason }) => reason === TO_ZERO)) return TO_ZERO;
    if (live.state.migration.state === 'missing') return 'Pending';
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
function transitions(before: MiddlewareStatus, after: MiddlewareStatus): EventDraft[] {
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
  'Surveying',
]);

const isBad = ({ type, status, reason }: Condition): boolean =>
  ABNORMAL.has(type)
    ? status === 'True'
    : (type === 'Ready' || type === 'Migrated' || type === 'Verified') && status === 'False' && !STEPS.has(reason);
