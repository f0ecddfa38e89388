import { clusterFaults } from '../desired/cluster.js';
import { templateFaults } from '../desired/template-faults.js';
import { settingFaults } from '../schema/settings.js';
import { FIELD_MANAGER, LABEL, trialName } from '../names.js';
import type { SecretFacts, SecretFault } from '../types.js';
import { copyIn } from '../world/world.js';
import type { World } from '../world/world.js';
import { databaseBlocker, claimBlocker } from './database.js';
import { IN_USE } from './findings.js';
import type { Blocker, Step } from './findings.js';
import { refusalOf } from './refusals.js';

/** What may block a resource, in the order in which it is reported: the first one that does. */
const CHECKS: readonly ((world: World) => Blocker | undefined)[] = [
  refusalOf,
  otherOwner,
  cloudNativePGMissing,
  gatewayAPIMissing,
  clusterInvalid,
  podTemplateInvalid,
  settingsInvalid,
  databaseSecretUnusable,
  readSecretUnusable,
  authorityUnusable,
  nameTaken,
];

/** The first blocker. */
export const blockers: Step = (world, { plan }) => {
  for (const check of CHECKS) {
    const blocker = check(world);
    if (blocker !== undefined) return { blocker };
  }
  const { migration } = copyIn(world, plan.served.live);
  return { blocker: databaseBlocker(world, migration) ?? claimBlocker(world, migration) };
};

function otherOwner({ conflictingOwner }: World): Blocker | undefined {
  if (conflictingOwner === undefined) return undefined;
  const message = `The database and schema belong to ${conflictingOwner}: use another database, or another spec.database.schema`;
  return { reason: IN_USE, message };
}

function cloudNativePGMissing({ resource, kinds }: World): Blocker | undefined {
  if (resource.spec.database.cluster === undefined || kinds.has('Cluster')) return undefined;
  const message =
    'spec.database.cluster needs CloudNativePG, which is not installed: install it, or use spec.database.secret';
  return { reason: 'CloudNativePGMissing', message };
}

function gatewayAPIMissing({ resource, kinds }: World): Blocker | undefined {
  if (resource.spec.httpRoute === undefined || kinds.has('HTTPRoute')) return undefined;
  const message = 'spec.httpRoute needs the Gateway API, which is not installed: install it, or use spec.ingress';
  return { reason: 'GatewayAPIMissing', message };
}

function clusterInvalid({ resource }: World): Blocker | undefined {
  const faults = clusterFaults(resource);
  return faults.length === 0 ? undefined : { reason: 'ClusterInvalid', message: faults.join('; ') };
}

function podTemplateInvalid(world: World): Blocker | undefined {
  const faults = templateFaults(world);
  if (faults.length === 0) return undefined;
  return { reason: 'PodTemplateInvalid', message: `${faults.join('; ')}. Correct the podTemplate` };
}

/** Checks the settings only if the image is that of the operator. Another image may have other settings; its migration checks them. */
function settingsInvalid({ resource: { spec }, defaultImage }: World): Blocker | undefined {
  if ((spec.image ?? defaultImage) !== defaultImage) return undefined;
  const faults = settingFaults(spec.settings ?? {}, spec.node.urls);
  return faults.length === 0 ? undefined : { reason: 'InvalidSettings', message: faults.join('; ') };
}

function databaseSecretUnusable(world: World): Blocker | undefined {
  const { database } = world;
  if (!isFault(database)) return undefined;
  return { reason: database.reason, message: `${database.message}${ofTrial(world)}` };
}

function readSecretUnusable({ readDatabase }: World): Blocker | undefined {
  return isFault(readDatabase) ? { reason: readDatabase.reason, message: readDatabase.message } : undefined;
}

function authorityUnusable({ authorities }: World): Blocker | undefined {
  for (const authority of authorities) {
    if ('reason' in authority) return { reason: authority.reason, message: authority.message };
  }
  return undefined;
}

function nameTaken({ resource, notOwned }: World): Blocker | undefined {
  if (notOwned.length === 0) return undefined;
  const [exist, are, them] = notOwned.length === 1 ? ['exists', 'is', 'it'] : ['exist', 'are', 'them'];
  const message =
    `${notOwned.join(', ')} already ${exist} and ${are} not owned by this resource: ` +
    `rename or delete ${them}, or give the resource another name. Nothing that refers to it is made or changed` +
    (notOwned.some((ref) => ref.startsWith('Secret/')) ? `. A Secret is used if it has the ${ofSecret(resource)}` : '');
  return { reason: 'NameTaken', message };
}

/** What to do if the Secret of a trial database is missing: the operator does not make it a second time. */
const ofTrial = ({ resource, children }: World): string => {
  const name = trialName(resource.metadata.name);
  return resource.spec.database.trial === undefined || children.get('StatefulSet', name) === undefined
    ? ''
    : '. The operator made this Secret once, with the role in PostgreSQL: restore it with its keys username, password ' +
        `and url and the ${ofSecret(resource)}, or delete StatefulSet ${name} and its PersistentVolumeClaim to start with an empty database`;
};

const ofSecret = ({ metadata }: World['resource']): string =>
  `labels ${LABEL.instance}=${metadata.name} and ${LABEL.managedBy}=${FIELD_MANAGER}`;

const isFault = (facts: SecretFacts | SecretFault | undefined): facts is SecretFault =>
  facts !== undefined && 'reason' in facts;
