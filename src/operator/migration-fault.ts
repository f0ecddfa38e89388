import { errorRow } from '../observe/errors.js';
import type { ErrorCode } from '../observe/errors.js';
import { EXIT } from '../observe/exit.js';
import type { JobOutcome } from './readings/jobs.js';
import { ANNOTATION, LABEL } from './names.js';

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
  node_wrong_network: {
    reason: 'WrongNetwork',
    todo: 'correct spec.node.urls or spec.network.id, or use an empty database',
  },
  node_wrong_genesis: { reason: 'WrongNetwork', todo: 'correct spec.node.urls, or use an empty database' },
  wrong_chain: { reason: 'WrongNetwork', todo: 'correct spec.network.id or spec.node.urls, or use an empty database' },
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

/** Why a migration failed or waits. */
export interface MigrationFault {
  /** Of the condition. */
  reason: string;
  message: string;
  /** Another attempt is useless until somebody acts. */
  lasting: boolean;
}

/** Reason and message of a condition for a migration that failed or waits. */
export function migrationFault(
  report: { code?: string; message?: string },
  exitCode: number | undefined,
): MigrationFault {
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
export function lastMigrationFault(newest: JobOutcome, before: JobOutcome | undefined): MigrationFault | undefined {
  const failed = newest.state === 'failed' ? newest : before;
  if (newest.state === 'succeeded' || failed?.state !== 'failed') return undefined;
  return migrationFault(failed.report, failed.exitCode);
}
