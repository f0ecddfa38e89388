/** SQL expressions that print the logs of contracts as JSON. */
import { EVENT_NAMES } from '../chain/event-names.js';
import { microHeight } from './micro-height.js';
import { microBlockOf } from './positions.js';

/** The known name of the event of a log `l`; null if its hash is not known. The names are constants of this program, so they need no parameters. */
export const eventName = (l: string): string =>
  `CASE ${l}.topics[1] ${[...EVENT_NAMES].map(([hash, name]) => `WHEN ${hash} THEN '${name}'`).join(' ')} END`;

/** The members of a log `l` that are its own. */
export const logMembers = (l: string): string => `
  '"log_index":' || ${l}.log_index || ',"contract_id":"' || ${l}.contract_id || '","called_id":"' || COALESCE(${l}.called_id, ${l}.contract_id) ||
  '","event":' || COALESCE('"' || (${eventName(l)}) || '"', 'null') || ',"topics":' || array_to_json(${l}.topics) ||
  ',"data":"' || ${l}.data || '"'`;

/** Hash and height of the block of a position, as members. */
export const blockMembers = (position: string): string => `
  (SELECT '"block_hash":"' || m.hash || '","block_height":' || ${microHeight('m')} || ',"time":' || m.time
  FROM micro_blocks AS m WHERE m.position = ${microBlockOf(position)})`;

/** The logs of a transaction `t`, as an event tells them. */
export const logsOfTransaction = (t: string): string => `
  '{"hash":"' || ${t}.hash || '",' || ${blockMembers(`${t}.position`)} || ',"logs":[' || (
    SELECT string_agg('{' || ${logMembers('l')} || '}', ',' ORDER BY l.log_index) FROM contract_logs AS l WHERE l.position = ${t}.position
  ) || ']}'`;
