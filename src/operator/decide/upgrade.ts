import { ANNOTATION, CONTAINER, hashOf, populatorName, serverName } from '../names.js';
import { liveColor } from '../observe/copies.js';
import { isPaused } from '../resource.js';
import type { MiddlewareStatus, UpgradePhase } from '../schema/status.js';
import type { EventDraft, Observed, ConditionState, World } from '../types.js';
import { lastMigrationFault } from './blockers.js';
import { isSettled } from './copies.js';
import type { Findings } from './findings.js';
import { no, yes } from './condition-state.js';

type UpgradeStatus = NonNullable<MiddlewareStatus['upgrade']>;

/** What becomes of the pods because the operator is another one. */
export interface Upgrade {
  status: UpgradeStatus;
  /** The condition Outdated. */
  outdated: ConditionState;
  events: EventDraft[];
  /** It begins with the next pass: that it does is written first, so that no other one begins. */
  begins: boolean;
}

/**
 * Which image the pods have, and whether this version of the operator may change them otherwise. Neither reaches running
 * pods before the upgrade of the resource has begun; what the resource itself asks for does.
 */
export function withImage(observed: Observed): World {
  const { resource, defaultImage, operatorVersion } = observed;
  const { image: named } = resource.spec;
  const { image: kept, version, phase } = resource.status.upgrade ?? {};
  const begun = named === undefined && isBegun(phase);
  const image = named ?? (begun ? defaultImage : (kept ?? runningImage(observed) ?? defaultImage));
  const frozen = !begun && version !== undefined && version !== operatorVersion && !hasNewRequest(observed);
  return { ...observed, image, frozen };
}

const isBegun = (phase: UpgradePhase | undefined): boolean => phase === 'Rolling' || phase === 'Failed';

/** Image of the copy that serves; undefined while it has no pods. */
function runningImage({ resource, children }: Observed): string | undefined {
  const color = liveColor({ resource, children });
  const { name } = resource.metadata;
  const running = children.deployment(serverName(name, color)) ?? children.deployment(populatorName(name, color));
  return running?.spec.template.spec.containers.find((one) => one.name === CONTAINER)?.image;
}

/** What pods depend on besides the operator: hashes of the resource, and of what it names. */
function requestHashes({ resource, database, readDatabase, authorities }: Observed): { spec: string; facts: string } {
  const { spec, metadata, status } = resource;
  const { replicas: _, ...server } = spec.server;
  const facts = [database, readDatabase ?? { hash: '' }, ...authorities];
  const words = [metadata.annotations?.[ANNOTATION.retry], metadata.annotations?.[ANNOTATION.acceptDatabase]];
  // What cannot be read at the moment says nothing new.
  const isKnown = facts.every((one) => 'hash' in one);
  const last = status.upgrade?.asked?.split('.')[1];
  const now = hashOf([facts.map((one) => ('hash' in one ? one.hash : null)), words.map((word) => word ?? null)]);
  return { spec: hashOf({ ...spec, server }), facts: isKnown ? now : (last ?? now) };
}

/** Whether something else was asked for since the last pass, but the number of servers. */
function hasNewRequest(observed: Observed): boolean {
  const { metadata, status } = observed.resource;
  const [spec, facts] = status.upgrade?.asked?.split('.') ?? [];
  const now = requestHashes(observed);
  // A newer definition may complete the spec by further defaults: that is no wish, and the generation stays.
  const isEdited = metadata.generation !== status.observedGeneration && now.spec !== spec;
  return isEdited || now.facts !== facts;
}

/** The upgrade after this pass, from what the other conditions say. */
export function upgradeOf(
  world: World,
  findings: Findings,
  said: { ready: ConditionState; stalled: ConditionState },
): Upgrade {
  const { resource, defaultImage, operatorVersion, image, frozen, now } = world;
  const last = resource.status.upgrade ?? {};
  const { spec, facts } = requestHashes(world);
  const held = findings.copies.some((copy) => copy.held);
  const named = resource.spec.image !== undefined;
  const exists = last.image !== undefined || runningImage(world) !== undefined;
  const version = held || !findings.settled ? (frozen ? last.version : undefined) : operatorVersion;
  const status: UpgradeStatus = { version, asked: `${spec}.${facts}`, ...(!named && exists && { image }) };
  const none = { events: [], begins: false };

  if (named) {
    const message = 'The resource names its image: new versions of the operator do not touch its pods';
    return { ...none, status, outdated: no('ImageNamed', message) };
  }
  if (isBegun(last.phase)) return continueUpgrade(world, findings, said.stalled, status);
  if (!exists || (image === defaultImage && !held)) return { ...none, status, outdated: current(defaultImage) };

  const id = image === defaultImage ? operatorVersion : defaultImage;
  const isApproved = resource.metadata.annotations?.[ANNOTATION.acceptUpgrade] === id;
  const waits = waitReason(world, findings, said, isApproved);
  const text = differenceText(world);
  if (waits !== undefined) {
    const accept = `To let it begin now, annotate the resource with ${ANNOTATION.acceptUpgrade}=${id}`;
    const outdated = yes(waits.reason, `${text}. ${waits.message}${isApproved ? '' : `. ${accept}`}`);
    return { ...none, status: { ...status, phase: 'Waiting' }, outdated };
  }
  return {
    status: { ...status, phase: 'Rolling', startedAt: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') },
    outdated: yes('Upgrading', `${text}. The upgrade begins`),
    events: [{ type: 'Normal', reason: 'UpgradeStarted', message: text }],
    begins: true,
  };
}

/** Why an upgrade does not begin yet. */
function waitReason(
  { resource, upgrading }: World,
  { live, plan, settled }: Findings,
  { ready, stalled }: { ready: ConditionState; stalled: ConditionState },
  isApproved: boolean,
): { reason: string; message: string } | undefined {
  if (isPaused(resource)) return { reason: 'Paused', message: 'It waits as long as the resource is paused' };
  if (isApproved) return undefined;
  if (resource.spec.upgrade === 'Manual') {
    return { reason: 'AwaitingApproval', message: 'Nothing changes before somebody says so' };
  }
  const serves = ready.status === 'True' || live?.state.health?.loading === true || live?.state.servers.wanted === 0;
  // What is not well already would look as if the upgrade had failed, and hold back all others.
  if (!serves || !settled || stalled.status === 'True') {
    return { reason: 'NotReady', message: 'It begins when the resource is ready and at rest' };
  }
  if (plan.reloading.status === 'True') return { reason: 'Reloading', message: 'It begins when the reload is over' };
  if (upgrading === undefined) return undefined;
  const { name, failed } = upgrading;
  return failed
    ? { reason: 'OtherFailed', message: `It waits, for the upgrade of ${name} has failed: correct that one first` }
    : { reason: 'Queued', message: `It begins when the upgrade of ${name} is done` };
}

/** An upgrade that has begun: done when all pods are ready with the new image. */
function continueUpgrade(world: World, findings: Findings, stalled: ConditionState, status: UpgradeStatus): Upgrade {
  const { resource, defaultImage, operatorVersion } = world;
  const { copies, live, settled } = findings;
  const { image: before, startedAt, phase: phaseBefore } = resource.status.upgrade ?? {};
  const isDone = copies.every((copy) => isSettled(copy, resource) || copy.state.health?.loading === true);
  if (settled && isDone) {
    const message = `Pods run ${defaultImage}, as version ${operatorVersion} of the operator makes them`;
    return {
      status,
      outdated: current(defaultImage),
      events: [{ type: 'Normal', reason: 'Upgraded', message }],
      begins: false,
    };
  }
  const fault =
    stalled.status === 'True'
      ? stalled.message
      : ((live && lastMigrationFault(live.state)?.message) ??
        (copies.some(({ state }) => state.servers.stuck || state.populator.stuck)
          ? 'new pods do not get ready: look at them'
          : undefined));
  const phase = fault === undefined ? 'Rolling' : 'Failed';
  const next: UpgradeStatus = { ...status, image: before, phase, startedAt };
  if (fault === undefined) {
    const outdated = yes('Upgrading', `Pods get ${defaultImage}, since ${startedAt ?? 'a moment ago'}`);
    return { status: next, outdated, events: [], begins: false };
  }
  const message =
    `The upgrade from ${before ?? 'another image'} to ${defaultImage} has failed, and all others wait: ${fault}. ` +
    'Correct that, or install the operator of before. The others go on when this one names an image (spec.image)';
  const isNew = phaseBefore !== 'Failed';
  return {
    status: next,
    outdated: yes('UpgradeFailed', message),
    events: isNew ? [{ type: 'Warning', reason: 'UpgradeFailed', message }] : [],
    begins: false,
  };
}

function differenceText({ resource, image, defaultImage, operatorVersion }: World): string {
  if (image !== defaultImage) return `Pods run ${image}, the operator has ${defaultImage}`;
  const { version = 'another' } = resource.status.upgrade ?? {};
  return `Pods are as version ${version} of the operator made them, which is ${operatorVersion} now`;
}

const current = (image: string): ConditionState => no('Current', `Pods run ${image}, the image of the operator`);
