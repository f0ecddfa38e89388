import { errorRow } from '../../observe/errors.js';
import type { ErrorCode } from '../../observe/errors.js';
import { EXIT } from '../../observe/exit.js';
import { clusterFaults } from '../desired/cluster.js';
import { templateFaults } from '../desired/template-faults.js';
import { settingFaults } from '../schema/settings.js';
import { ANNOTATION, LABEL, trialName } from '../names.js';
import type { CopyState } from '../observe/copies.js';
import type { SecretFacts, SecretFault, World } from '../types.js';

/** Why a resource cannot be reconciled until somebody acts. Running pods stay as they are. */
export interface Blocker {
  reason: string;
  /** What is wrong, and what to do. */
  message: string;
}

/** The first blocker, or undefined. */
export function findBlocker(world: World): Blocker | undefined {
  const { resource, database, readDatabase, authorities, conflictingOwner, notOwned, kinds } = world;
  const { cluster } = resource.spec.database;
  if (conflictingOwner !== undefined) {
    const message = `The database and schema belong to ${conflictingOwner}: use another database, or another spec.database.schema`;
    return { reason: 'DatabaseInUse', message };
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
  if (faults.length > 0) return { reason: 'PodTemplateInvalid', message: `${faults.join('; ')}. Remove it there` };
  const wrong = settingsFaults(world);
  if (wrong.length > 0) return { reason: 'InvalidSettings', message: wrong.join('; ') };
  if (isFault(database)) return { reason: database.reason, message: `${database.message}${ofTrial(world)}` };
  if (isFault(readDatabase)) return { reason: readDatabase.reason, message: readDatabase.message };
  for (const authority of authorities) {
    if ('reason' in authority) return { reason: authority.reason, message: authority.message };
  }
  if (notOwned.length > 0) {
    const message =
      `${notOwned.join(', ')} ${notOwned.length === 1 ? 'is' : 'are'} there already and not of this resource: ` +
      'rename or delete them, or give the resource another name';
    return { reason: 'NameTaken', message };
  }
  return undefined;
}

/** Another image than that of the operator may know other settings: its migration says what is wrong. */
const settingsFaults = ({ resource: { spec }, defaultImage }: World): string[] =>
  (spec.image ?? defaultImage) === defaultImage ? settingFaults(spec.settings ?? {}) : [];

/** What is to be known where the operator made the Secret, and does not make it again. */
const ofTrial = ({ resource, children }: World): string => {
  const name = trialName(resource.metadata.name);
  return resource.spec.database.trial === undefined || children.get('StatefulSet', name) === undefined
    ? ''
    : `. It was made once, as was the role in PostgreSQL: with its keys username, password and url put it back, or delete StatefulSet ${name} and its PersistentVolumeClaim to begin with an empty database`;
};

const isFault = (facts: SecretFacts | SecretFault | undefined): facts is SecretFault =>
  facts !== undefined && 'reason' in facts;

/** What a fault that a migration reports means for the resource. */
const CONDITIONS: Partial<Record<ErrorCode, { reason: string; todo: string }>> = {
  server_too_old: { reason: 'DatabaseTooOld', todo: 'upgrade PostgreSQL to 11.2 or newer' },
  wrong_encoding: { reason: 'DatabaseEncoding', todo: "make the database with ENCODING 'UTF8'" },
  pooled_by_transaction: {
    reason: 'DatabasePooler',
    todo: 'let the pooler pool sessions, or point the Secret to the primary',
  },
  missing_right: { reason: 'DatabaseRights', todo: 'grant the user the right that is missing' },
  database_refused: { reason: 'DatabaseRefused', todo: 'correct user and password in the Secret' },
  database_untrusted: {
    reason: 'DatabaseUntrusted',
    todo: 'correct spec.database.ca, the host in the Secret, or the certificate of the database',
  },
  database_missing: { reason: 'DatabaseMissing', todo: 'make the database, or correct the Secret' },
  schema_newer: { reason: 'SchemaNewer', todo: 'use the image that made the database, or a newer one' },
  schema_foreign: {
    reason: 'SchemaForeign',
    todo: 'use another database, or make the resource with another spec.database.schema',
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
  database_read_only: { reason: 'DatabaseReadOnly', todo: 'point the Secret to the primary' },
  lock_timeout: { reason: 'DatabaseLocked', todo: 'end the long transaction that holds the tables' },
  node_unreachable: { reason: 'NodeUnreachable', todo: 'check spec.node.urls and the node' },
  node_untrusted: {
    reason: 'NodeUntrusted',
    todo: 'correct spec.node.ca, spec.node.urls, or the certificate of the node',
  },
  timed_out: { reason: 'MigrationTimedOut', todo: 'raise spec.migration.timeout if it was at work' },
};

/** What a migration that failed, or that waits, means for the resource. */
export function migrationFault(
  report: { code?: string; message?: string },
  exitCode: number | undefined,
): { reason: string; message: string; lasting: boolean } {
  const fault = report.message ?? `the Job ended with status ${exitCode ?? 'unknown'}`;
  const row = errorRow(report.code);
  const known = row && CONDITIONS[report.code as ErrorCode];
  const reason = known?.reason ?? 'MigrationFailed';
  const todo = known?.todo ?? `look at the log of the Job, label ${LABEL.component}=migration`;
  // It is mended where the operator does not see it, in the database for example.
  const elsewhere = row?.lasting === true && row.origin !== 'settings';
  return {
    reason,
    message: `${fault}; ${todo}${elsewhere ? AGAIN : ''}`,
    // The exit status distinguishes wrong settings from what may pass.
    lasting: known === undefined ? exitCode !== EXIT.temporary : row?.lasting === true,
  };
}

const AGAIN = `; it is tried again every 10 minutes, and at once when the annotation ${ANNOTATION.retry} is set to another text`;

/** What the newest attempt that ended failed by: it stands until the one that may be under way has ended, too. */
export function lastMigrationFault({ migration, migrationBefore }: CopyState) {
  const failed = migration.state === 'failed' ? migration : migrationBefore;
  if (migration.state === 'succeeded' || failed?.state !== 'failed') return undefined;
  return migrationFault(failed.report, failed.exitCode);
}
