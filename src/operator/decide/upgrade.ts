import { ANNOTATION } from '../names.js';
import { conditionIn, no, yes } from '../condition-state.js';
import type { Condition } from '../schema/status.js';
import { inSeconds } from '../times.js';
import type { ConditionState } from '../types.js';
import { isBegun, requestHashes, runningImage } from '../world/image.js';
import type { World } from '../world/world.js';
import { isSettled } from './copies.js';
import type { Findings, Step, Upgrade } from './findings.js';

/** The upgrade after this pass, and the condition Outdated. */
interface Next extends Upgrade {
  outdated: ConditionState;
}

/** The upgrade after this pass, derived from the other conditions. */
export const upgrade: Step = (world, found) => {
  const { outdated, ...next } = upgradeOf(world, found);
  return { upgrade: next, conditions: [...found.conditions, conditionIn(world, 'Outdated', outdated)] };
};

function upgradeOf(world: World, found: Findings): Next {
  const { resource, defaultImage, operatorVersion, image, frozen, now } = world;
  const last = resource.status.upgrade ?? {};
  const { spec, facts } = requestHashes(world);
  const hasFrozen = found.copies.some((copy) => copy.frozen);
  const named = resource.spec.image !== undefined;
  const exists = last.image !== undefined || runningImage(world) !== undefined;
  const version = hasFrozen || !found.settled ? (frozen ? last.version : undefined) : operatorVersion;
  const status: Upgrade['status'] = { version, asked: `${spec}.${facts}`, ...(!named && exists && { image }) };
  const none = { events: [], begins: false };

  if (named) {
    const message = 'The resource names its image: new versions of the operator do not change its pods';
    return { ...none, status, outdated: no('ImageNamed', message) };
  }
  if (isBegun(last.phase)) return continueUpgrade(world, found, status);
  if (!exists || (image === defaultImage && !hasFrozen)) return { ...none, status, outdated: current(defaultImage) };

  const id = image === defaultImage ? operatorVersion : defaultImage;
  const isApproved = resource.metadata.annotations?.[ANNOTATION.acceptUpgrade] === id;
  const waits = waitReason(world, found, isApproved);
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
  { resource, upgrading, paused }: World,
  { live, plan, settled, conditions }: Findings,
  isApproved: boolean,
): { reason: string; message: string } | undefined {
  if (paused) return { reason: 'Paused', message: 'The upgrade waits while the resource is paused' };
  if (isApproved) return undefined;
  if (resource.spec.upgrade === 'Manual') {
    return { reason: 'AwaitingApproval', message: 'The upgrade waits for approval' };
  }
  const { health, servers } = live.state;
  const serves = isTrue(conditions, 'Ready') || health?.loading === true || servers.wanted === 0;
  // An upgrade of a resource with a fault would look like a failed upgrade, and block the upgrades of all others.
  if (!serves || !settled || isTrue(conditions, 'Stalled')) {
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
function continueUpgrade(world: World, found: Findings, status: Upgrade['status']): Next {
  const { resource, defaultImage, operatorVersion } = world;
  const { copies, live, settled, conditions } = found;
  const stalled = conditions.find(({ type }) => type === 'Stalled');
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
    stalled?.status === 'True'
      ? stalled.message
      : (live.state.migrationFault?.message ??
        (copies.some(({ state }) => state.servers.stuck || state.populator.stuck)
          ? 'new pods do not become ready: check them'
          : undefined));
  const phase = fault === undefined ? 'Rolling' : 'Failed';
  const next: Upgrade['status'] = { ...status, image: before, phase, startedAt };
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

const isTrue = (conditions: readonly Condition[], type: Condition['type']): boolean =>
  conditions.some((one) => one.type === type && one.status === 'True');
