/**
 * Mends rows of projections that the verification reports and that reloading a height does not mend. Each is computed again from the rows
 * that it is derived from, as they are while the caller has the right to write. Correct rows are not changed.
 */
import type { DbTransaction } from '../connection/database.js';
import { BY_INDEX } from './plans.js';

export const beginMending = (tx: DbTransaction): Promise<void> =>
  tx.run(`SET LOCAL statement_timeout = 0; ${BY_INDEX}`);
