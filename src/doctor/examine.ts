import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import type { Config } from '../config.js';
import type { Logger } from '../observe/logger.js';
import { MiddlewareError } from '../observe/errors.js';
import { describeFault } from '../observe/exit.js';
import { compareWithGenesis } from '../node/balances.js';
import { createNodePool } from '../node/pool.js';
import { readIdentity, storedKeyBlock } from '../store/chain-state.js';
import type { Identity } from '../store/chain-state.js';
import { createDatabase } from '../store/connection/database.js';
import { serverFacts } from '../store/doctor.js';
import { schemaState } from '../store/schema/migrate.js';
import {
  chainClockFinding,
  databaseClockFinding,
  firstBlockFinding,
  genesisFinding,
  nodeFindings,
  schemaFinding,
  serverFindings,
} from './checks.js';
import type { Finding } from './checks.js';

/** Runs all checks in order and yields each finding as soon as it is known. Changes nothing. */
export async function* examine(
  config: Config,
  genesis: GenesisAccounts | undefined,
  logger: Logger,
): AsyncGenerator<Finding> {
  const database = createDatabase({
    url: config.databaseUrl,
    schema: config.databaseSchema,
    poolSize: 2,
    statementTimeoutMs: 10_000,
    answerTimeoutMs: 11_000,
    logger,
  });
  let identity: Identity | null | undefined;
  /** Hash of the first key block above the genesis block. */
  let first: string | undefined;
  try {
    const askedAt = Date.now();
    const facts = await serverFacts(database, config.databaseSchema);
    yield { check: 'database', verdict: 'ok', message: `${facts.database} answers` };
    yield { check: 'sessions', verdict: 'ok', message: 'Each connection keeps one session' };
    yield* serverFindings(facts, config.databaseSchema);
    yield databaseClockFinding((askedAt + Date.now()) / 2, facts.now);
    const schema = await schemaState(database).catch(asForeignSchema);
    yield schemaFinding(schema);
    if (!('foreign' in schema) && schema.breaking.length === 0) {
      identity = schema.applied.length === 0 ? null : await readIdentity(database);
      if (identity !== null) first = (await storedKeyBlock(database, 1))?.hash;
    }
  } catch (error) {
    const { message } = describeFault(error);
    if (isFault(error, 'pooled_by_transaction')) {
      yield { check: 'database', verdict: 'ok', message: 'A pooler answers' };
      yield { check: 'sessions', verdict: 'fail', message };
    } else {
      yield { check: 'database', verdict: 'fail', message };
      yield skipped('sessions');
    }
    for (const check of ['server version', 'rights', 'schema']) yield skipped(check);
  } finally {
    await database.close();
  }
  for (const url of config.nodeUrls) yield* examineNode(url, { config, genesis, logger, identity, first });
}

interface NodeOptions {
  config: Config;
  genesis: GenesisAccounts | undefined;
  logger: Logger;
  identity: Identity | null | undefined;
  first: string | undefined;
}

async function* examineNode(
  url: string,
  { config, genesis, logger, identity, first }: NodeOptions,
): AsyncGenerator<Finding> {
  const node = createNodePool({
    urls: [url],
    api: config.nodeApi,
    caFile: config.nodeCaFile,
    timeoutMs: config.nodeTimeoutMs,
    concurrency: 1,
    retries: [],
    logger,
  });
  const [{ url: shown } = { url }] = node.report();
  try {
    const status = await node.status();
    yield { check: 'node', verdict: 'ok', message: `${shown} answers` };
    yield* nodeFindings(status, identity, config.networkId);
    if (first !== undefined && status.genesisHash === identity?.genesisHash)
      yield firstBlockFinding((await node.keyBlock(1))?.hash, first);
    const { keyBlock } = await node.currentGeneration();
    yield chainClockFinding(Date.now(), keyBlock.time);
    if (genesis !== undefined) {
      const network = { ...status, consensus: keyBlock.consensus };
      yield genesisFinding(genesis, await compareWithGenesis(node, network, genesis));
    }
  } catch (error) {
    yield { check: 'node', verdict: 'fail', message: describeFault(error).message };
    for (const check of ['node version', 'network', 'node height', 'clock']) yield skipped(check);
  } finally {
    node.close();
  }
}

function asForeignSchema(error: unknown): { foreign: string } {
  if (isFault(error, 'schema_foreign')) return { foreign: error.message };
  throw error;
}

const isFault = (error: unknown, code: string): error is MiddlewareError =>
  error instanceof MiddlewareError && error.code === code;

const skipped = (check: string): Finding => ({ check, verdict: 'skip', message: 'not checked' });
