import type { DbTransaction } from '../connection/database.js';
import { BY_INDEX } from './plans.js';

/** Prepares a database transaction in which projections mend rows: it may take long. */
export const beginMending = (tx: DbTransaction): Promise<void> =>
  tx.run(`SET LOCAL statement_timeout = 0; ${BY_INDEX}`);
