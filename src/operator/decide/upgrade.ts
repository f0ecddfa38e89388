import { ANNOTATION, CONTAINER, hashOf, populatorName, serverName } from '../names.js';
import { liveColor } from '../readings/colors.js';
import { isPaused } from '../resource.js';
import type { MiddlewareStatus, UpgradePhase } from '../schema/status.js';
import type { EventDraft, Observed, ConditionState, World } from '../types.js';
import { lastMigrationFault } from '../migration-fault.js';
import { isSettled } from './copies.js';
import type { Findings } from './findings.js';
import { no, yes } from './condition-state.js';
import { inSeconds } from '../times.js';

type UpgradeStatus = NonNullable<MiddlewareStatus['upgrade']>;

/** What happens to the pods of a resource after a new version of the operator was installed. */
export interface Upgrade {
  status: UpgradeStatus;
  /** The condition Outdated. */
  outdated: ConditionState;
  events: EventDraft[];
  /** It begins with the next pass. The status is written first, so that no other upgrade begins. */
  begins: boolean;
}

/**
 * Decides which image the pods have, and whether the pod templates are frozen. A new image or a new version of the operator
 * changes running pods only after the upgrade of the resource has begun. A change of the resource itself is applied at once.
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

/** Image of the copy that serves; undefined while it has no Deployment. */
function runningImage({ resource, children }: Observed): string | undefined {
  const color = liveColor({ resource, children });
  const { name } = resource.metadata;
  const running = children.deployment(serverName(name, color)) ?? children.deployment(populatorName(name, color));
  return running?.spec.template.spec.containers.find((one) => one.name === CONTAINER)?.image;
}

/** Begin of a hash of versions of Secrets. Hashes of their values have no such begin. */
const OF_VERSIONS = 'v';

/** Hashes of what pods depend on besides the operator: of the resource, and of the Secrets and certificates that it names. */
function requestHashes({ resource, database, readDatabase, authorities }: Observed): { spec: string; facts: string } {
  const { spec, metadata, status } = resource;
  const { replicas: _, ...server } = spec.server;
  const facts = [database, readDatabase ?? { version: '' }, ...authorities];
  const annotations = [metadata.annotations?.[ANNOTATION.retry], metadata.annotations?.[ANNOTATION.acceptDatabase]];
  // If one of them cannot be read at the moment, the last hash stays.
  const isKnown = facts.every((one) => 'version' in one);
  const last = status.upgrade?.asked?.split('.')[1];
  const versions = facts.map((one) => ('version' in one ? one.version : null));
  const now = `${OF_VERSIONS}${hashOf([versions, annotations.map((one) => one ?? null)])}`;
  return { spec: hashOf({ ...spec, server }), facts: isKnown ? now : (last ?? now) };
}

/** Whether the resource asks for something else since the last pass; the number of servers does not count. */
function hasNewRequest(observed: Observed): boolean {
  const { metadata, status } = observed.resource;
  const [spec, facts] = status.upgrade?.asked?.split('.') ?? [];
  const now = requestHashes(observed);
  // A newer CRD may add defaults to the spec. That is no change by the user, and the generation stays the same.
  const isEdited = metadata.generation !== status.observedGeneration && now.spec !== spec;
  // Older versions recorded hashes of the values, which say nothing about the versions.
  const isComparable = facts === undefined || facts.startsWith(OF_VERSIONS);
  return isEdited || (isComparable && now.facts !== facts);
}

/** The upgrade after this pass, derived from the other conditions. */
export function upgradeOf(
  world: World,
  findings: Findings,
  states: { ready: ConditionState; stalled: ConditionState },
): Upgrade {
  const { resource, defaultImage, operatorVersion, image, frozen, now } = world;
  const last = resource.status.upgrade ?? {};
  const { spec, facts } = requestHashes(world);
  const hasFrozen = findings.copies.some((copy) => copy.frozen);
  const named = resource.spec.image !== undefined;
  const exists = last.image !== undefined || runningImage(world) !== undefined;
  const version = hasFrozen || !findings.settled ? (frozen ? last.version : undefined) : operatorVersion;
  const status: UpgradeStatus = { version, asked: `${spec}.${facts}`, ...(!named && exists && { image }) };
  const none = { events: [], begins: false };

  if (named) {
    const message = 'The resource names its image: new versions of the operator do not change its pods';
    return { ...none, status, outdated: no('ImageNamed', message) };
  }
  if (isBegun(last.phase)) return continueUpgrade(world, findings, states.stalled, status);
  if (!exists || (image === defaultImage && !hasFrozen)) return { ...none, status, outdated: current(defaultImage) };

  const id = image === defaultImage ? operatorVersion : defaultImage;
  const isApproved = resource.metadata.annotations?.[ANNOTATION.acceptUpgrade] === id;
  const waits = waitReason(world, findings, states, isApproved);
  const text = differenceText(world);
  if (waits !== undefined) {
    const accept = `To start it now, annotate the resource with ${ANNOTATION.acceptUpgrade}=${id}`;
    const outdated = yes(waits.reason, `${text}. ${waits.message}${isApproved ? '' : `. ${accept}`}`);
    return { ...none, status: { ...status, phase: 'Waiting' }, outdated };
  }
  return {
    status: { ...status, phase: 'Rolling', startedAt: inSeconds(now) },
    outdated: yes('Upgrading', `${text}. The upgrade starts`),
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
  if (isPaused(resource)) return { reason: 'Paused', message: 'The upgrade waits while the resource is paused' };
  if (isApproved) return undefined;
  if (resource.spec.upgrade === 'Manual') {
    return { reason: 'AwaitingApproval', message: 'The upgrade waits for approval' };
  }
  const serves = ready.status === 'True' || live?.state.health?.loading === true || live?.state.servers.wanted === 0;
  // An upgrade of a resource with a fault would look like a failed upgrade, and block the upgrades of all others.
  if (!serves || !settled || stalled.status === 'True') {
    return { reason: 'NotReady', message: 'The upgrade starts when the resource is ready and nothing else changes' };
  }
  if (plan.reloading.status === 'True')
    return { reason: 'Reloading', message: 'The upgrade starts when the reload has ended' };
  if (upgrading === undefined) return undefined;
  const { failed } = upgrading;
  const isOwn = upgrading.name.startsWith(`${resource.metadata.namespace}/`);
  const name = isOwn ? upgrading.name : 'a resource of another namespace';
  return failed
    ? {
        reason: 'OtherFailed',
        message: `The upgrade waits because the upgrade of ${name} has failed: correct that one first`,
      }
    : { reason: 'Queued', message: `The upgrade starts when the upgrade of ${name} is done` };
}

/** The state of an upgrade that has begun. It is done when all pods are ready with the new image. */
function continueUpgrade(world: World, findings: Findings, stalled: ConditionState, status: UpgradeStatus): Upgrade {
  const { resource, defaultImage, operatorVersion } = world;
  const { copies, live, settled } = findings;
  const { image: before, startedAt, phase: phaseBefore } = resource.status.upgrade ?? {};
  const isDone = copies.every((copy) => isSettled(copy, resource) || copy.state.health?.loading === true);
  if (settled && isDone) {
    const message = `Pods run ${defaultImage}, made by version ${operatorVersion} of the operator`;
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
          ? 'new pods do not become ready: check them'
          : undefined));
  const phase = fault === undefined ? 'Rolling' : 'Failed';
  const next: UpgradeStatus = { ...status, image: before, phase, startedAt };
  if (fault === undefined) {
    const outdated = yes(
      'Upgrading',
      `Pods are being upgraded to ${defaultImage}, since ${startedAt ?? 'a moment ago'}`,
    );
    return { status: next, outdated, events: [], begins: false };
  }
  const message =
    `The upgrade from ${before ?? 'another image'} to ${defaultImage} has failed, and the upgrades of all others wait: ${fault}. ` +
    'Correct that, or install the previous operator. The others continue when this resource names an image (spec.image)';
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
  const { version } = resource.status.upgrade ?? {};
  const made = version === undefined ? 'another version' : `version ${version}`;
  return `Pods were made by ${made} of the operator, which is now version ${operatorVersion}`;
}

const current = (image: string): ConditionState => no('Current', `Pods run ${image}, the image of the operator`);
