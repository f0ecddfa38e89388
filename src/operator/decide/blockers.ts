import { errorRow } from '../../observe/errors.js';
import type { ErrorCode } from '../../observe/errors.js';
import { EXIT } from '../../observe/exit.js';
import { clusterFaults } from '../desired/cluster.js';
import { templateFaults } from '../desired/template-faults.js';
import { settingFaults } from '../schema/settings.js';
import { ANNOTATION, FIELD_MANAGER, LABEL, trialName } from '../names.js';
import type { CopyState } from '../observe/copies.js';
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

/** Reason of the condition, and what to do, for each fault that a migration reports. */
const CONDITIONS: Partial<Record<ErrorCode, { reason: string; todo: string }>> = {
  server_too_old: { reason: 'DatabaseTooOld', todo: 'upgrade PostgreSQL to 11.2 or newer' },
  wrong_encoding: { reason: 'DatabaseEncoding', todo: "create the database with ENCODING 'UTF8'" },
  pooled_by_transaction: {
    reason: 'DatabasePooler',
    todo: 'set the pooler to pool sessions, or point the Secret to the primary',
  },
  missing_right: { reason: 'DatabaseRights', todo: 'grant the user the right that is missing' },
  database_refused: { reason: 'DatabaseRefused', todo: 'correct user and password in the Secret' },
  database_untrusted: {
    reason: 'DatabaseUntrusted',
    todo: 'correct spec.database.ca, the host in the Secret, or the certificate of the database',
  },
  database_missing: { reason: 'DatabaseMissing', todo: 'create the database, or correct the Secret' },
  schema_newer: { reason: 'SchemaNewer', todo: 'use the image that migrated the database, or a newer one' },
  schema_foreign: {
    reason: 'SchemaForeign',
    todo: 'use another database, or create the resource with another spec.database.schema',
  },
  node_wrong_network: { reason: 'WrongNetwork', todo: 'correct spec.node.urls, or use an empty database' },
  node_wrong_genesis: { reason: 'WrongNetwork', todo: 'correct spec.node.urls, or use an empty database' },
  invalid_config: { reason: 'InvalidSettings', todo: 'correct spec.settings or the Secret' },
  database_unreachable: { reason: 'DatabaseUnreachable', todo: 'check host and port in the Secret, and the database' },
  database_unavailable: { reason: 'DatabaseUnreachable', todo: 'check the database' },
  database_overloaded: {
    reason: 'DatabaseOverloaded',
    todo: 'raise its max_connections, or lower spec.database.poolSize',
  },
  database_lost: { reason: 'DatabaseUnreachable', todo: 'check the database' },
  database_silent: { reason: 'DatabaseUnreachable', todo: 'check the database, and the network in between' },
  database_read_only: {
    reason: 'DatabaseReadOnly',
    todo: 'point the Secret to the primary; if it is the primary, default_transaction_read_only is on: see whether its disk is full',
  },
  lock_timeout: { reason: 'DatabaseLocked', todo: 'end the long transaction that locks the tables' },
  node_unreachable: { reason: 'NodeUnreachable', todo: 'check spec.node.urls and the node' },
  node_untrusted: {
    reason: 'NodeUntrusted',
    todo: 'correct spec.node.ca, spec.node.urls, or the certificate of the node',
  },
  timed_out: { reason: 'MigrationTimedOut', todo: 'raise spec.migration.timeout if the migration was still working' },
};

/**
 * Reason and message of a condition for a migration that failed or waits. `lasting` if another attempt is useless until
 * somebody acts.
 */
export function migrationFault(
  report: { code?: string; message?: string },
  exitCode: number | undefined,
): { reason: string; message: string; lasting: boolean } {
  const fault = report.message ?? `the Job ended with status ${exitCode ?? 'unknown'}`;
  const row = errorRow(report.code);
  const known = row && CONDITIONS[report.code as ErrorCode];
  const reason = known?.reason ?? 'MigrationFailed';
  const todo = known?.todo ?? `read the log of the Job, label ${LABEL.component}=migration`;
  // The operator does not see when such a fault is corrected, for example in the database, so it tries again.
  const elsewhere = row?.lasting === true && row.origin !== 'settings';
  return {
    reason,
    message: `${fault}; ${todo}${elsewhere ? AGAIN : ''}`,
    // The exit status tells wrong settings from faults that may end by themselves.
    lasting: known === undefined ? exitCode !== EXIT.temporary : row?.lasting === true,
  };
}

const AGAIN = `; the migration is retried every 10 minutes, and at once when the annotation ${ANNOTATION.retry} is set to another text`;

/** The fault of the last attempt that failed. It is reported until an attempt that may be running has ended, too. */
export function lastMigrationFault({ migration, migrationBefore }: CopyState) {
  const failed = migration.state === 'failed' ? migration : migrationBefore;
  if (migration.state === 'succeeded' || failed?.state !== 'failed') return undefined;
  return migrationFault(failed.report, failed.exitCode);
}
