/** What the schema and its statements need of the server. */

/** Oldest server, as `server_version_num`: 11.2. */
const OLDEST_SERVER = 110_002;

/** What is wrong with a server of this version; undefined if nothing. */
export const versionFault = (version: string, versionNumber: number): string | undefined =>
  versionNumber < OLDEST_SERVER ? `PostgreSQL ${version} is too old: 11.2 or newer is needed` : undefined;

/** The same of the encoding of a database: others cannot hold every text of the chain, or count bytes where characters are meant. */
export const encodingFault = (encoding: string): string | undefined =>
  encoding === 'UTF8' ? undefined : `The database is in ${encoding}: make it with ENCODING 'UTF8'`;
