import type { NodeStatus } from '../node/status.js';
import type { Identity } from '../store/chain-state.js';
import type { ServerFacts } from '../store/doctor.js';
import type { SchemaState } from '../store/migrate.js';

/** `warn` deserves a look but stops nothing; `skip` could not be checked because of an earlier failure. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  check: string;
  verdict: Verdict;
  message: string;
}

const OLDEST_SERVER = 110_002;
const MOST_DATABASE_SKEW_MS = 2_000;
/** A node takes no block from further in the future than this. */
const MOST_BLOCK_LEAD_MS = 180_000;

const finding = (check: string, verdict: Verdict, message: string): Finding => ({ check, verdict, message });

export function serverFindings(facts: ServerFacts, schema: string): Finding[] {
  const { version, versionNumber, encoding, user, database } = facts;
  const place = `schema ${schema} of ${database}`;
  return [
    versionNumber >= OLDEST_SERVER
      ? finding('server version', 'ok', `PostgreSQL ${version}`)
      : finding('server version', 'fail', `PostgreSQL ${version} is too old: 11.2 or newer is needed`),
    encoding === 'UTF8'
      ? finding('encoding', 'ok', 'UTF8')
      : finding('encoding', 'fail', `The database is in ${encoding}: make it with ENCODING 'UTF8'`),
    rights(facts, user, place, database, schema),
  ];
}

function rights(facts: ServerFacts, user: string, place: string, database: string, schema: string): Finding {
  if (facts.readOnly)
    return finding('rights', 'warn', 'The server is read-only: it serves (-s), it cannot be populated');
  if (facts.schemaExists) {
    return facts.mayCreateTables
      ? finding('rights', 'ok', `${user} may change ${place}`)
      : finding(
          'rights',
          'fail',
          `${user} may not change ${place}: GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${user}`,
        );
  }
  return facts.mayCreateSchema
    ? finding('rights', 'ok', `${user} may make ${place}`)
    : finding('rights', 'fail', `${user} may not make ${place}: GRANT CREATE ON DATABASE ${database} TO ${user}`);
}

export function schemaFinding(seen: SchemaState | { foreign: string }): Finding {
  if ('foreign' in seen) return finding('schema', 'fail', seen.foreign);
  const { applied, pending, unknown } = seen;
  const newest = applied.at(-1);
  if (unknown.length > 0) {
    return finding('schema', 'fail', `The database is newer than this version (it has ${unknown.join(', ')})`);
  }
  if (pending.length === 0) return finding('schema', 'ok', `Current: ${newest}`);
  const state = newest === undefined ? 'Not made yet' : `At ${newest}`;
  return finding('schema', 'warn', `${state}; mdw migrate and every start bring it to ${pending.at(-1)}`);
}

export function nodeFindings(status: NodeStatus, identity: Identity | null): Finding[] {
  const { nodeVersion, networkId, genesisHash, topHeight, syncing } = status;
  return [
    finding('node version', 'ok', nodeVersion),
    networkFinding(networkId, genesisHash, identity),
    syncing
      ? finding('node height', 'warn', `${topHeight}, and the node is still catching up with its network`)
      : finding('node height', 'ok', String(topHeight)),
  ];
}

function networkFinding(networkId: string, genesisHash: string, identity: Identity | null): Finding {
  if (identity === null) return finding('network', 'ok', `${networkId}, genesis ${genesisHash}; the database is empty`);
  if (identity.networkId !== networkId) {
    return finding('network', 'fail', `The node is on ${networkId}, the database holds ${identity.networkId}`);
  }
  if (identity.genesisHash !== genesisHash) {
    const message = `The node's genesis is ${genesisHash}, that of the database ${identity.genesisHash}`;
    return finding('network', 'fail', message);
  }
  return finding('network', 'ok', `${networkId}, the same as in the database`);
}

/** `asked`: our clock halfway between question and answer, ms. */
export function databaseClockFinding(asked: number, databaseNow: number): Finding {
  const skew = databaseNow - asked;
  const message = `${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine`;
  return finding('database clock', Math.abs(skew) > MOST_DATABASE_SKEW_MS ? 'warn' : 'ok', message);
}

export function chainClockFinding(now: number, topTime: number): Finding {
  const age = now - topTime;
  if (age < -MOST_BLOCK_LEAD_MS) {
    const message = `The top key block is ${Math.round(-age / 1000)} s in the future: the clock of this machine is behind`;
    return finding('clock', 'fail', message);
  }
  return finding('clock', 'ok', `The top key block is ${Math.round(age / 1000)} s old`);
}
