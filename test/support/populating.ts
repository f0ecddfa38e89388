import { pino } from 'pino';
import { createCallDecoder } from '../../src/compiler/decoder.js';
import { createNodePool } from '../../src/node/pool.js';
import type { NodePool } from '../../src/node/pool.js';
import type { Logger } from '../../src/observe/logger.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { populate } from '../../src/populate/run.js';
import { readHead } from '../../src/store/chain-state.js';
import { channelParties } from '../../src/store/channels.js';
import type { Database, Queryable } from '../../src/store/connection/database.js';
import { RankKind } from '../../src/store/queries/paging/ranks.js';
import { nodeAt, syncContext, syncFully } from './copy.js';
import { MEMBERS } from '../../src/store/generation-members.js';
import { logicalDump } from './dump.js';
import { eventually } from './populator.js';
import type { TestDatabase } from './postgres.js';
import { emptyCopy } from './roles.js';

export interface LogLine {
  msg: string;
  [field: string]: unknown;
}

/** A populator in this process, with its own copy and node pool. */
export interface Populating {
  database: Database;
  node: NodePool;
  metrics: Metrics;
  log: LogLine[];
  /** Writes to `log`. */
  logger: Logger;
  /** Number of requests sent to nodes so far. */
  requests(): number;
  /** Resolves when the stored head is this key block or micro block. */
  at(hash: string): Promise<unknown>;
  /** Resolves when it has waited for the node in this state. */
  inState(state: string): Promise<unknown>;
  /** Rejects if it has ended with an error. */
  stop(): Promise<void>;
  /** Rejects when it ends with an error, resolves when it is stopped. */
  ended: Promise<void>;
}

export async function startPopulating(
  server: TestDatabase,
  schema: string,
  urls: string[],
  changes: Partial<Parameters<typeof createNodePool>[0]> = {},
  config: Partial<Parameters<typeof populate>[0]['config']> = {},
): Promise<Populating> {
  return populateInto(await emptyCopy(server.url, schema), urls, changes, config);
}

/** Populates an existing copy, which is closed at the end. */
export function populateInto(
  database: Database,
  urls: string[],
  changes: Partial<Parameters<typeof createNodePool>[0]> = {},
  config: Partial<Parameters<typeof populate>[0]['config']> = {},
): Populating {
  const log: LogLine[] = [];
  const logger = pino({ base: undefined }, { write: (line: string) => void log.push(JSON.parse(line) as LogLine) });
  const metrics = createMetrics();
  let requests = 0;
  const options = {
    urls,
    api: 'auto' as const,
    timeoutMs: 300,
    concurrency: 8,
    retries: [10, 20],
    patienceMs: 1_000,
    proof: 'full' as const,
    channelParties: (channel: string) => channelParties(database, channel),
    logger,
    observe: { request: () => void requests++ },
    ...changes,
  };
  const node = createNodePool(options);
  const prover = options.proof === 'full' ? node : createNodePool({ ...options, proof: 'full' });
  const stopping = new AbortController();
  const ended = populate({
    database,
    node,
    prover,
    decoder: createCallDecoder(),
    config: {
      pollIntervalMs: 50,
      leaseSeconds: 5,
      powEdgeBits: undefined,
      powIntervalMs: undefined,
      acceptUnknownProtocol: 'off',
      maxUnprovenReorg: { blocks: 100 },
      newGenesis: 'off',
      verifyShare: 0,
      tokenDryRuns: 'off',
      internalCalls: 'off',
      secondOpinionShare: 0,
      ...config,
    },
    logger,
    metrics,
    opinionPauseMs: 20,
    signal: stopping.signal,
  });
  ended.catch(() => undefined);
  return {
    database,
    node,
    metrics,
    log,
    logger,
    requests: () => requests,
    at: (hash) =>
      Promise.race([
        eventually(
          // A test may have stopped the database for a moment.
          () => readHead(database).catch(() => null),
          (tip) => (tip?.microHashes.at(-1) ?? tip?.hash) === hash,
        ),
        // If the populator ends before, that is the failure.
        ended.then(() => Promise.reject(new Error('ended'))),
      ]).catch((cause: unknown) => {
        const last = log.slice(-5).map((line) => JSON.stringify(line));
        throw new Error(`not at ${hash}: ${String(cause)}\n${last.join('\n')}`, { cause });
      }),
    inState: (state) =>
      eventually(
        () => Promise.resolve(log),
        (lines) => lines.some((line) => line['state'] === state),
      ),
    async stop() {
      stopping.abort();
      await ended.finally(async () => {
        node.close();
        prover.close();
        await database.close();
      });
    },
    ended,
  };
}

/** Tables whose rows come some time after the block: they follow from what a node says later. */
const LATER = [
  'infos',
  'contract_calls',
  'contract_logs',
  'tokens',
  'token_balances',
  'token_owners',
  'token_metadata',
  'token_allowances',
  'returned_contracts',
  'internal_calls',
  'internal_call_parties',
];

/** The stored chain, without data that depends on time: decoded calls, logs, tokens and failed creations. */
export async function chainDump(db: Queryable): Promise<Record<string, string[]>> {
  const dump = await logicalDump(db);
  const chain = Object.fromEntries(Object.entries(dump).filter(([table]) => !LATER.includes(table)));
  const ofTime = [RankKind.calls, RankKind.contracts].map((kind) => `(${kind},`);
  for (const table of ['ranks', 'milestones', 'sampled_counts'])
    chain[table] = chain[table]!.filter((row) => !ofTime.some((kind) => row.startsWith(kind)));
  const creations = new RegExp(`^\\(\\d+,\\d+,${MEMBERS.contracts_created},`);
  chain['generation_changes'] = chain['generation_changes']!.filter((row) => !creations.test(row));
  return chain;
}

/** The dump after a clean load from a healthy node. */
export async function cleanDump(server: TestDatabase, schema: string, url: string): Promise<Record<string, string[]>> {
  const database = await emptyCopy(server.url, schema);
  const node = nodeAt(url);
  try {
    await syncFully(syncContext(database, node));
    return await chainDump(database);
  } finally {
    node.close();
    await database.close();
  }
}
