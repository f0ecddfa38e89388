/** Requirements of the schema and the statements for the server. */

/** Oldest supported version, as `server_version_num`: 11.2. */
const OLDEST_SERVER = 110_002;

/** Message if a server of this version cannot be used; else undefined. */
export const versionFault = (version: string, versionNumber: number): string | undefined =>
  versionNumber < OLDEST_SERVER ? `PostgreSQL ${version} is too old: 11.2 or newer is needed` : undefined;

/** Message if a database with this encoding cannot be used; else undefined. Other encodings cannot store all texts of the chain, or count bytes where characters are meant. */
export const encodingFault = (encoding: string): string | undefined =>
  encoding === 'UTF8' ? undefined : `The database has the encoding ${encoding}: create it with ENCODING 'UTF8'`;
