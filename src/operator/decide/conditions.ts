import { isSettled } from './copies.js';
import type { CopyProgress, Findings, Step } from './findings.js';
import { waitingReload } from '../schema/reload-phases.js';
import { migrationFault } from '../migration-fault.js';
import { faultsOf, isBehind, nodeText, reasonOf } from './faults.js';
import type { ConditionType, Phase } from '../schema/status.js';
import type { PodHealth, ConditionState } from '../types.js';
import { conditionIn, no, unknown, yes } from '../condition-state.js';
import type { World } from '../world/world.js';

/** The conditions in the order in which they are shown, without the one about an upgrade. */
export const conditions: Step = (world, found) => {
  const stalled = isStalled(world, found);
  const verified = isVerified(world, found);
  const states: Record<Exclude<ConditionType, 'Outdated'>, ConditionState> = {
    Ready: isReady(world, found, stalled),
    Reconciling: isReconciling(world, found, stalled),
    Stalled: stalled,
    Migrated: isMigrated(world, found),
    Populated: isPopulated(world, found),
    Verified: verified,
    Reloading: found.plan.reloading,
    Degraded: isDegraded(world, found, verified),
    ReorgHeld: found.plan.reorgs.reorgHeld,
  };
  const entries = Object.entries(states) as [ConditionType, ConditionState][];
  return { conditions: entries.map(([type, state]) => conditionIn(world, type, state)) };
};

/** Reason, and phase, of a resource that asks for no servers. */
export const TO_ZERO = 'ScaledToZero' satisfies Phase;

const HIBERNATED = 'No servers and no populator run, the data stays: to wake it, remove spec.hibernated';

/** The condition Ready: clients are served, by at least one server. */
function isReady(world: World, found: Findings, stalled: ConditionState): ConditionState {
  const { live, blocker, moving } = found;
  const { reading, cutOff, servers } = live.state;
  const { ready, wanted } = servers;
  if (moving) {
    const message = 'Servers answer from the old database until the servers of the accepted database are ready';
    return blocker === undefined ? no('DatabaseMoves', message) : no(blocker.reason, blocker.message);
  }
  const serving = `${ready} of ${wanted} servers take requests`;
  if (reading > 0) {
    return yes('Serving', cutOff.length === 0 ? serving : `${serving}, ${cutOff.length} of them without the database`);
  }
  if (ready === 0 && world.resource.spec.hibernated) return no('Hibernated', HIBERNATED);
  const [alone] = cutOff;
  if (ready > 0 && alone !== undefined) {
    const rest = 'they forward requests, answer from their caches with the age, and refuse the rest with 503';
    const message = `${serving}, but none reads the database: ${rest}. Pod ${alone.pod} reports: ${alone.code ?? 'nothing'}`;
    return no('DatabaseUnreachable', message);
  }
  if (blocker !== undefined) return no(blocker.reason, blocker.message);
  if (stalled.status === 'True') return no(stalled.reason, stalled.message);
  return startingOf(world, live);
}

/** Why no server takes requests, although nothing is wrong with the resource. */
function startingOf(world: World, live: CopyProgress): ConditionState {
  const { migration, health, servers } = live.state;
  const { wanted } = servers;
  if (live.mayServe && live.plan.servers !== 0 && servers.exists && wanted === 0) {
    return no(TO_ZERO, 'The resource asks for no servers: raise spec.server.replicas');
  }
  if (world.paused && !servers.exists) return no('Paused', `${PAUSED}: there are no servers yet`);
  if (migration.awaits !== undefined && !servers.exists) {
    const { reason, message } = migrationFault(migration.awaits, undefined);
    return no(reason, `The migration is ${message}`);
  }
  if (world.question?.isOpen === true && !servers.exists) return no('Surveying', surveying(live));
  if (migration.state !== 'succeeded' && !servers.exists)
    return no('Migrating', 'The database schema is being migrated');
  if (health?.loading === true) return no('Loading', loading(health));
  if (!servers.exists) return no('Starting', 'The populator is starting; the servers start after it');
  const began = world.resource.status.conditions?.some(
    ({ type, status, reason }) => type === 'Ready' && (status === 'True' || reason === 'NoServerReady'),
  );
  if (began !== true) return no('Starting', `None of ${wanted} servers takes requests yet`);
  return no('NoServerReady', `None of ${wanted} servers takes requests: check their pods`);
}

const loading = ({ height, nodeHeight }: PodHealth): string =>
  `The chain is being loaded for the first time: ${height ?? 0} of ${nodeHeight ?? 'an unknown number of'} heights`;

/** How long the conditions report that fields set by others were removed, ms. */
const SHOWN_MS = 600_000;

/** Whether pods that are being replaced now are replaced because fields that others had set were removed. */
const replacesPods = ({ removed, resource: { metadata } }: World): boolean =>
  removed?.replacesPods === true && removed.generation === metadata.generation;

/** Time for which the conditions still report a removal, ms; undefined when that time is over. */
export function removalShownMs({ removed, now }: World): number | undefined {
  const rest = (removed?.at ?? -Infinity) + SHOWN_MS - now;
  return rest > 0 ? rest : undefined;
}

/** The condition Reconciling: what the resource asks for is in progress. */
function isReconciling(world: World, findings: Findings, stalled: ConditionState): ConditionState {
  const progress = progressOf(world, findings, stalled);
  const text = world.removed?.text;
  if (text === undefined || removalShownMs(world) === undefined) return progress;
  if (progress.reason === 'RollingOut' && replacesPods(world)) {
    return yes('DriftRemoved', `Pods are being replaced, because fields that others had set were removed: ${text}`);
  }
  if (progress.reason === 'Done') {
    return no('DriftRemoved', `${progress.message}; fields that others had set were removed: ${text}`);
  }
  return progress;
}

const PAUSED = 'Nothing is changed while the resource is paused';

/** What a Job finds out before anything is changed. */
const surveying = ({ state }: CopyProgress): string =>
  `Job ${state.migrationJob.name} reads from the database which copy serves; nothing is changed until then`;

function progressOf(
  { resource, question, paused }: World,
  { live, copies, settled, plan }: Findings,
  stalled: ConditionState,
): ConditionState {
  if (paused) return no('Paused', PAUSED);
  if (stalled.status === 'True') return no(stalled.reason, 'Blocked: see the condition Stalled');
  if (question?.isOpen === true) return yes('Surveying', surveying(live));
  if (!settled) {
    const waiting = copies.find(({ state }) => state.migration.state !== 'succeeded');
    if (waiting) return yes('Migrating', `Migration Job ${waiting.state.migrationJob.name} has to succeed first`);
    return yes('RollingOut', 'Deployments are being updated');
  }
  const unsettled = copies.find((copy) => !isSettled(copy, resource));
  if (unsettled !== undefined) {
    if (unsettled.state.health?.loading === true) return yes('Loading', loading(unsettled.state.health));
    return yes('RollingOut', `Pods of the ${unsettled.plan.color} copy are being started or replaced`);
  }
  const { status, reason, message } = plan.reloading;
  // A reload that waits for a person is not in progress: tools that wait for the resource would wait, too.
  if (reason === 'AwaitingPromotion') return no(reason, message);
  if (status === 'True') return yes('Reloading', message);
  if (waitingReload(resource, plan.reload) !== undefined) return yes('ReloadWaits', message);
  return no('Done', 'Everything is as the resource asks for');
}

/** The condition Stalled: there is no progress until somebody acts. */
function isStalled(world: World, { blocker, copies, jobFault }: Findings): ConditionState {
  const { contested } = world;
  if (blocker !== undefined) return yes(blocker.reason, blocker.message);
  for (const { state } of copies) {
    const fault = state.migrationFault;
    if (fault?.lasting === true) return yes(fault.reason, `Migration Job ${state.migrationJob.name}: ${fault.message}`);
  }
  for (const { state, current, populatorCurrent } of copies) {
    // Faults of pods with an older template do not count: they are replaced as soon as the newest may be applied.
    const { database, migration, populator, servers } = state.blocked;
    const blocked =
      database ?? migration ?? (populatorCurrent ? populator : undefined) ?? (current ? servers : undefined);
    if (blocked !== undefined) return yes(blocked.reason, blocked.message);
  }
  if (jobFault !== undefined) return yes(jobFault.reason, jobFault.message);
  if (contested.length > 0) {
    const message =
      'Others change this back after each write, so the operator does not write it for some minutes: find and stop them';
    return yes('Contested', `${contested.join('; ')}. ${message}`);
  }
  return no('Progressing', 'Nothing blocks progress');
}

function isMigrated({ paused }: World, { live, blocker }: Findings): ConditionState {
  if (blocker !== undefined) return unknown(blocker.reason, 'The migration was not checked');
  const { state, awaits } = live.state.migration;
  const blocked = live.state.blocked.migration;
  const job = live.state.migrationJob.name;
  if (state === 'succeeded') return yes('Migrated', `Job ${job} succeeded`);
  if (blocked !== undefined) return no(blocked.reason, `Job ${job}: ${blocked.message}`);
  if (awaits !== undefined) {
    const { reason, message } = migrationFault(awaits, undefined);
    return no(reason, `Job ${job} is ${message}`);
  }
  const fault = live.state.migrationFault;
  if (fault !== undefined) return no(fault.reason, fault.message);
  if (state === 'running') return no('Running', `Job ${job} is running`);
  return paused ? no('Paused', `${PAUSED}: Job ${job} is not created`) : no('Pending', `Job ${job} is being created`);
}

function isPopulated(world: World, { live }: Findings): ConditionState {
  const { health } = live.state;
  const last = world.resource.status.conditions?.find(({ type }) => type === 'Populated');
  // The question may be open because the copy reports something else now.
  if (world.question?.isOpen === true && last !== undefined) return last;
  if (health === undefined) return unknown('NotReported', 'No pod has reported how far the chain is loaded');
  if (health.loading === true) return no('Loading', loading(health));
  const behind = isBehind(world, health);
  if (behind === undefined && health.populatorSilent) {
    return unknown(...silent(health));
  }
  if (health.lag === undefined) return unknown(reasonOf(health.nodeState), nodeText(health));
  if (behind !== undefined) return no(behind.reason, behind.message);
  const { height, nodeHeight, headTime } = health;
  const mined = headTime === undefined ? '' : `, mined at ${new Date(headTime).toISOString()}`;
  return yes('Loaded', `Loaded up to height ${height ?? 'unknown'} of ${nodeHeight ?? 'unknown'}${mined}`);
}

/** Reason and message while no populator reports. */
const silent = ({ height, lag }: PodHealth): [string, string] => {
  const behind = lag === undefined ? 'the height of the node is not known' : `${lag} key blocks behind the node`;
  const head = `the head of the database is at height ${height ?? 'unknown'}, ${behind}`;
  return ['PopulatorSilent', `No populator has reported for some seconds; ${head}`];
};

/** Reasons of the condition Verified that come from a comparison. They last until another comparison has a result. */
const COMPARED = ['ComparisonMatches', 'ComparisonDiffers'];

/** The condition Verified: everything that was verified follows from the chain. */
function isVerified(world: World, { live, plan: { verification: compared } }: Findings): ConditionState {
  const { health } = live.state;
  if (health?.differingRows !== undefined && health.differingRows > 0) {
    const message = `Pod ${health.pod} found ${health.differingRows} rows that do not follow from the chain, and could not mend them: its log names them`;
    return no('RowsDiffer', message);
  }
  const last = world.resource.status.conditions?.find(({ type }) => type === 'Verified');
  const { result, finishedAt = '', message = '' } = compared ?? {};
  const isOfOtherCopy = Date.parse(world.served.promotedAt ?? '') >= Date.parse(compared?.startedAt ?? '');
  if (compared !== undefined && !isOfOtherCopy) {
    if (result === 'Differs') return no('ComparisonDiffers', `Comparison with the chain at ${finishedAt}: ${message}`);
    if (result === 'Matches' || result === 'Mended')
      return yes('ComparisonMatches', `Comparison with the chain at ${finishedAt}: ${message}`);
    if (last !== undefined && COMPARED.includes(last.reason)) return last;
  }
  if (health?.differingRows === 0)
    return yes('NothingDiffers', 'The populator verifies the copy in the background, and knows of no row that differs');
  return unknown('NotVerified', 'No comparison with the chain has a result, and no populator reports what it verifies');
}

/** The condition Degraded: clients are served, but something is wrong. */
function isDegraded(world: World, { live, plan }: Findings, verified: ConditionState): ConditionState {
  const kept = plan.kept === undefined ? [] : [{ reason: 'CopyKept', message: plan.kept }];
  const wrong = verified.status === 'False' ? [verified] : [];
  const faults = [...wrong, ...faultsOf(world, live), ...kept];
  const [first] = faults;
  if (first !== undefined) return yes(first.reason, faults.map(({ message }) => message).join('. '));
  if (world.resource.spec.hibernated) return no('Hibernated', HIBERNATED);
  const { health } = live.state;
  if (health === undefined) return unknown('NotReported', 'No pod has reported its health');
  const populates = live.plan.populates && world.resource.spec.populator.enabled;
  if (populates && health.populatorSilent) return unknown(...silent(health));
  return no('AsExpected', 'No faults are known');
}
