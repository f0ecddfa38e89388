/**
 * Makes the statements of a transaction that writes the chain find their rows by index. A session keeps the plan that it made of a statement
 * when the copy was new, and PostgreSQL may not have analysed the tables since: see docs/decisions/0019.
 */
export const BY_INDEX = 'SET LOCAL enable_seqscan = off';
