import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { FUTURE_MS } from '../chain/protocol/blocks.js';
import type { Compared } from '../node/balances.js';
import { BEGAN_ANEW } from '../node/health.js';
import type { NodeStatus } from '../node/status.js';
import type { Identity } from '../store/chain-state.js';
import type { ServerFacts } from '../store/doctor.js';
import type { SchemaState } from '../store/schema/migrate.js';
import { encodingFault, versionFault } from '../store/schema/server.js';

/** `warn`: should be looked at, but does not prevent work. `skip`: not checked because of an earlier failure. */
type Verdict = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  check: string;
  verdict: Verdict;
  message: string;
}

const MAX_DATABASE_SKEW_MS = 2_000;

const finding = (check: string, verdict: Verdict, message: string): Finding => ({ check, verdict, message });

const checked = (check: string, fault: string | undefined, good: string): Finding =>
  fault === undefined ? finding(check, 'ok', good) : finding(check, 'fail', fault);

export function serverFindings(facts: ServerFacts, schema: string): Finding[] {
  const { version, versionNumber, encoding, user, database } = facts;
  const target = `schema ${schema} of ${database}`;
  return [
    checked('server version', versionFault(version, versionNumber), `PostgreSQL ${version}`),
    checked('encoding', encodingFault(encoding), encoding),
    rights(facts, user, target, database, schema),
  ];
}

function rights(facts: ServerFacts, user: string, target: string, database: string, schema: string): Finding {
  if (facts.readOnly !== null) {
    const message = `The server is read-only (${facts.readOnly}): a copy in it can be served (-s), not populated`;
    return finding('rights', 'warn', message);
  }
  if (facts.schemaExists) {
    return facts.mayCreateTables
      ? finding('rights', 'ok', `${user} may change ${target}`)
      : finding(
          'rights',
          'fail',
          `${user} may not change ${target}: GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${user}`,
        );
  }
  return facts.mayCreateSchema
    ? finding('rights', 'ok', `${user} may create ${target}`)
    : finding('rights', 'fail', `${user} may not create ${target}: GRANT CREATE ON DATABASE ${database} TO ${user}`);
}

export function schemaFinding(seen: SchemaState | { foreign: string }): Finding {
  if ('foreign' in seen) return finding('schema', 'fail', seen.foreign);
  const { applied, pending, unknown, breaking } = seen;
  const newest = applied.at(-1);
  if (breaking.length > 0) {
    return finding(
      'schema',
      'fail',
      `A newer version changed the schema, this version cannot use it (it has ${breaking.join(', ')})`,
    );
  }
  if (unknown.length > 0) {
    const message = `A newer version changed the schema, this version can still use it (it has ${unknown.join(', ')})`;
    return finding('schema', 'ok', message);
  }
  if (pending.length === 0) return finding('schema', 'ok', `Current: ${newest}`);
  const state = newest === undefined ? 'Not created yet' : `At ${newest}`;
  return finding('schema', 'warn', `${state}; mdw migrate or the next start updates it to ${pending.at(-1)}`);
}

/**
 * `identity` is the chain of the copy; null if the copy is empty, undefined if it could not be read. `wanted`: the network that is set, if one is.
 */
export function nodeFindings(
  status: NodeStatus,
  identity: Identity | null | undefined,
  wanted: string | undefined,
): Finding[] {
  const { nodeVersion, networkId, genesisHash, headHeight, syncing } = status;
  return [
    finding('node version', 'ok', nodeVersion),
    networkFinding(networkId, genesisHash, identity, wanted),
    syncing
      ? finding('node height', 'warn', `${headHeight}; the node is still syncing with its network`)
      : finding('node height', 'ok', String(headHeight)),
  ];
}

function networkFinding(
  networkId: string,
  genesisHash: string,
  identity: Identity | null | undefined,
  wanted: string | undefined,
): Finding {
  if (wanted !== undefined && networkId !== wanted)
    return finding('network', 'fail', `The node is on ${networkId}, NETWORK_ID is ${wanted}`);
  if (wanted !== undefined && identity != null && identity.networkId !== wanted)
    return finding('network', 'fail', `The copy is of ${identity.networkId}, NETWORK_ID is ${wanted}`);
  if (identity === undefined) {
    return finding('network', 'skip', `${networkId}, genesis ${genesisHash}; not compared with the database`);
  }
  if (identity === null) return finding('network', 'ok', `${networkId}, genesis ${genesisHash}; the database is empty`);
  if (identity.networkId !== networkId) {
    return finding('network', 'fail', `The node is on ${networkId}, the copy is of ${identity.networkId}`);
  }
  if (identity.genesisHash !== genesisHash) {
    const message = `The node's genesis block is ${genesisHash}, that of the copy is ${identity.genesisHash}; ${BEGAN_ANEW}`;
    return finding('network', 'fail', message);
  }
  return finding('network', 'ok', `${networkId}, the same as in the database`);
}

/** A chain that began anew may have the same genesis block. */
export function firstBlockFinding(ofNode: string | undefined, stored: string): Finding {
  if (ofNode === stored) return finding('chain', 'ok', 'The node and the copy have the same key block 1');
  if (ofNode === undefined) return finding('chain', 'warn', 'The node has only the genesis block of the copy');
  const message = `The node's key block 1 is ${ofNode}, that of the copy is ${stored}; ${BEGAN_ANEW}`;
  return finding('chain', 'fail', message);
}

/** `asked` is the clock of this machine halfway between request and answer, ms. */
export function databaseClockFinding(asked: number, databaseNow: number): Finding {
  const skew = databaseNow - asked;
  const message = `${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine`;
  return finding('database clock', Math.abs(skew) > MAX_DATABASE_SKEW_MS ? 'warn' : 'ok', message);
}

export function chainClockFinding(now: number, headTime: number): Finding {
  const age = now - headTime;
  if (age < -FUTURE_MS) {
    const message = `The newest key block is ${Math.round(-age / 1000)} s in the future: the clock of this machine is behind`;
    return finding('clock', 'fail', message);
  }
  return finding('clock', 'ok', `The newest key block is ${Math.round(age / 1000)} s old`);
}

/** `compared`: the file with the coins of the genesis block and of hard forks with those of the node. The populator compares them only before it begins a ledger with them. */
export function genesisFinding({ genesis, forks }: GenesisAccounts, compared: Compared): Finding {
  const check = 'genesis file';
  if (typeof compared === 'object') return finding(check, 'fail', compared.fault);
  if (compared === 'unknown')
    return finding(check, 'warn', 'The node does not tell balances after its genesis block or a hard fork');
  const size = (amounts: ReadonlyMap<string, bigint>): string => `${amounts.size} accounts`;
  const ofForks = [...forks].map(([version, amounts]) => `, ${size(amounts)} of version ${version}`).join('');
  return compared === 'moved'
    ? finding(check, 'skip', 'not compared: contracts of the genesis block of a hyperchain have moved its coins')
    : finding(check, 'ok', `${size(genesis)}, as after the genesis block of the node${ofForks}`);
}
