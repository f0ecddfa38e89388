import { clusterFaults } from '../desired/cluster.js';
import { templateFaults } from '../desired/template-faults.js';
import { settingFaults } from '../schema/settings.js';
import { FIELD_MANAGER, LABEL, trialName } from '../names.js';
import { refusalOf } from './refusals.js';
import type { SecretFacts, SecretFault, World } from '../types.js';

/** Why a resource cannot be reconciled until somebody acts. Running pods stay unchanged. */
export interface Blocker {
  reason: string;
  /** What is wrong, and what to do. */
  message: string;
  /** The operator may not make what the resource asks for: nothing at all is made, changed or removed. */
  refused?: true;
}

/** Reason of the condition of a resource whose database belongs to another one. */
export const IN_USE = 'DatabaseInUse';

/** The first blocker, or undefined. */
export function findBlocker(world: World): Blocker | undefined {
  const { resource, database, readDatabase, authorities, conflictingOwner, notOwned, kinds } = world;
  const refusal = refusalOf(world);
  if (refusal !== undefined) return refusal;
  const { cluster } = resource.spec.database;
  if (conflictingOwner !== undefined) {
    const message = `The database and schema belong to ${conflictingOwner}: use another database, or another spec.database.schema`;
    return { reason: IN_USE, message };
  }
  if (cluster !== undefined && !kinds.has('Cluster')) {
    const message =
      'spec.database.cluster needs CloudNativePG, which is not installed: install it, or use spec.database.secret';
    return { reason: 'CloudNativePGMissing', message };
  }
  if (resource.spec.httpRoute !== undefined && !kinds.has('HTTPRoute')) {
    const message = 'spec.httpRoute needs the Gateway API, which is not installed: install it, or use spec.ingress';
    return { reason: 'GatewayAPIMissing', message };
  }
  const ofCluster = clusterFaults(resource);
  if (ofCluster.length > 0) return { reason: 'ClusterInvalid', message: ofCluster.join('; ') };
  const faults = templateFaults(world);
  if (faults.length > 0)
    return { reason: 'PodTemplateInvalid', message: `${faults.join('; ')}. Correct the podTemplate` };
  const wrong = settingsFaults(world);
  if (wrong.length > 0) return { reason: 'InvalidSettings', message: wrong.join('; ') };
  if (isFault(database)) return { reason: database.reason, message: `${database.message}${ofTrial(world)}` };
  if (isFault(readDatabase)) return { reason: readDatabase.reason, message: readDatabase.message };
  for (const authority of authorities) {
    if ('reason' in authority) return { reason: authority.reason, message: authority.message };
  }
  if (notOwned.length > 0) {
    const message =
      `${notOwned.join(', ')} already ${notOwned.length === 1 ? 'exists' : 'exist'} and ` +
      `${notOwned.length === 1 ? 'is' : 'are'} not owned by this resource: ` +
      `rename or delete ${notOwned.length === 1 ? 'it' : 'them'}, or give the resource another name. ` +
      'Nothing that refers to it is made or changed' +
      (notOwned.some((ref) => ref.startsWith('Secret/'))
        ? `. A Secret is used if it has the ${ofSecret(resource)}`
        : '');
    return { reason: 'NameTaken', message };
  }
  return undefined;
}

/** Checks the settings only if the image is that of the operator. Another image may have other settings; its migration checks them. */
const settingsFaults = ({ resource: { spec }, defaultImage }: World): string[] =>
  (spec.image ?? defaultImage) === defaultImage ? settingFaults(spec.settings ?? {}, spec.node.urls) : [];

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
