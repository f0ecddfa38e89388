import pg from 'pg';
import { networkOf } from '../../src/chain/networks.js';
import type { Network } from '../../src/chain/networks.js';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import { NEWEST_VERSION } from '../../src/chain/serialize/headers.js';
import type { Devnode, GenerateOptions } from '../../devtools/devnode/start.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { ChainNode } from '../../src/node/client.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { SyncContext } from '../../src/populate/context.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Difference } from '../../src/store/facts/difference.js';
import { fillGaps, nodeAt, syncContext, syncFully, syncRound } from './copy.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { decodeAll, decodeUntil } from './decoding.js';
import { differencesIn } from './filled.js';
import { logicalDump } from './dump.js';
import { verifyEvents } from './events.js';
import { ROLES, emptyCopy, tamper } from './roles.js';

/** Edge bits of the networks in these tests. A proof of work is found in about 30 ms. */
export const EDGE_BITS = 11;

/**
 * With proofs, the work of branches is checked, so that a heavier branch is followed although it is no longer. Without them only a longer branch is
 * followed.
 */
const networkWith = (edgeBits: number | undefined): Network =>
  networkOf('ae_history', { powEdgeBits: edgeBits, powIntervalMs: undefined });

export interface Choices {
  int: (from: number, to: number) => number;
  chance: (share: number) => boolean;
}

/** Reproducible choices (mulberry32). */
export function choices(seed: number): Choices {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { int: (from, to) => from + Math.floor(next() * (to - from + 1)), chance: (share) => next() < share };
}

export interface HistoryResult {
  /** All steps, for the message of a failure. */
  steps: string[];
  lived: Record<string, string[]>;
  clean: Record<string, string[]>;
  /** Number of snapshots that the reader took, and inconsistencies in them. */
  looks: number;
  mixtures: string[];
  /** Events that do not fit the chain that is stored at the end. */
  wrongEvents: Difference[];
  /** What `-v` finds whenever all blocks are stored; nothing for a chain without tokens, which other suites verify. */
  differences: ReportedDifference[];
}

/** What a suite changes in a history. */
interface Changes {
  consensus?: Consensus;
  /** The chain has tokens. What a node tells of them and of calls is read at random moments, and completely at the end. */
  hasTokens?: boolean;
  /** A node that tells more than the devnode. */
  around?: (node: ChainNode) => ChainNode;
  /** Statements for each copy, as its owner. */
  migration?: string;
  /** Called when the history is over, with the copy that lived through it. */
  lived?: (database: Database, node: ChainNode) => Promise<void>;
}

/**
 * Runs a random history of growth, micro blocks, micro forks, forks, reloaded heights and crashes, with a reader that takes snapshots all the
 * time. Then loads the final chain into an empty copy.
 */
export async function liveThrough(
  url: string,
  seed: number,
  { consensus = 'pow', hasTokens = false, around = (node) => node, migration, lived }: Changes = {},
): Promise<HistoryResult> {
  const edgeBits = consensus === 'pow' ? EDGE_BITS : undefined;
  const random = choices(seed);
  const deep = random.chance(0.04);
  const steps: string[] = [];
  const devnode = await startDevnode({
    external: '127.0.0.1:0',
    source: {
      generate: {
        seed: `history ${seed}`,
        generations: deep ? 205 : random.int(0, 12),
        txsPerGeneration: deep ? 2 : random.int(1, 14),
        microBlocksPerGeneration: deep ? 1 : 3,
        accounts: random.int(3, 12),
        consensus,
        edgeBits,
        ...(hasTokens && TOKENS),
      },
    },
  });
  const pool = nodeAt(devnode.externalUrl, { retries: [] });
  const node = around(pool);
  const schema = `history_${consensus}_${hasTokens ? 'tokens_' : ''}${seed}`;
  const database = await copyWith(url, schema, migration);
  const reader = await startReader(url, schema);
  try {
    const context = syncContext(database, node, {
      network: networkWith(edgeBits),
      batch: { blocks: random.int(2, 60), transactions: random.int(5, 200), characters: random.int(1_000, 200_000) },
    });
    const count = deep ? 4 : random.int(4, 10) * (hasTokens ? 2 : 1);
    const reading = choices(-seed);
    const differences: ReportedDifference[] = [];
    for (let i = 0; i < count; i++) {
      steps.push(await changeChain(devnode, random, deep && i === 2, edgeBits === undefined));
      if (random.chance(0.7)) steps.push(await changeDatabase(context, database, reader, random));
      if (hasTokens) steps.push(await readLater(context, reading, differences));
    }
    await settle(context);
    if (hasTokens) {
      await readAll(database, node);
      differences.push(...(await differencesIn(database)));
    }
    const dump = await logicalDump(database);
    const wrongEvents = await verifyEvents(database);
    const { looks, mixtures } = await reader.stop();
    await lived?.(database, node);
    const fresh = await copyWith(url, `${schema}_clean`, migration);
    try {
      await syncFully(syncContext(fresh, node));
      if (hasTokens) await readAll(fresh, node);
      return { steps, lived: dump, clean: await logicalDump(fresh), looks, mixtures, wrongEvents, differences };
    } finally {
      await dropCopy(fresh);
    }
  } finally {
    await reader.stop();
    await dropCopy(database);
    pool.close();
    await devnode.close();
  }
}

/** Many creations, so that forks go through them. Contracts of this kind exist since protocol 4. */
export const TOKENS: Pick<GenerateOptions, 'tokens' | 'protocols'> = {
  tokens: { share: 0.7, creations: 0.15, silent: true, allowances: true },
  protocols: [{ version: NEWEST_VERSION, effective_at_height: 0 }],
};

/** Reads call information and what tokens tell: for a moment while the node may be on another branch, or all of it. */
async function readLater(context: SyncContext, random: Choices, differences: ReportedDifference[]): Promise<string> {
  const { database, node } = context;
  const kind = random.int(0, 3);
  if (kind === 0) return 'nothing read';
  if (kind === 1) {
    const end = Date.now() + random.int(20, 300);
    await decodeUntil(database, node, () => Promise.resolve(Date.now() > end));
    return 'some read';
  }
  await settle(context);
  // Also what was read before a fork is right as soon as the new branch is stored.
  differences.push(...(await differencesIn(database)));
  await readAll(database, node);
  return 'all read';
}

async function readAll(database: Database, node: ChainNode): Promise<void> {
  await nothingPauses(database);
  await decodeAll(database, node);
}

/** What a node did not answer is due at once, and so is the check of each token. */
export async function nothingPauses(database: Database): Promise<void> {
  await tamper(database, [
    'UPDATE tokens SET attempts = 0, due_at = now()',
    `UPDATE token_metadata SET attempts = 0, due_at = now() WHERE state = 'due'`,
    `UPDATE token_allowances SET attempts = 0, due_at = now() WHERE state = 'due'`,
    'UPDATE due_infos SET attempts = 0, due_at = now()',
    'UPDATE contract_codes SET attempts = 0, due_at = now() WHERE code IS NULL',
  ]);
}

async function copyWith(url: string, schema: string, migration: string | undefined): Promise<Database> {
  const database = await emptyCopy(url, schema);
  if (migration !== undefined) await tamper(database, [`SET ROLE ${ROLES.migrate}`, migration]);
  return database;
}

/** `longer`: each branch is longer than the one that it replaces. */
export async function changeChain(devnode: Devnode, random: Choices, deep: boolean, longer = false): Promise<string> {
  const height = devnode.height();
  const retainTxs = (['all', 'some', 'none'] as const)[random.int(0, 2)]!;
  if (deep) {
    const depth = Math.min(200, height - 1);
    await devnode.fork({
      depth,
      grow: depth + random.int(longer ? 1 : 0, 2),
      retainTxs,
      txsPerGeneration: 2,
      microBlocks: 1,
    });
    return `fork ${depth}`;
  }
  const kind = random.int(0, 9);
  if (kind <= 2) {
    const generations = random.int(1, 3);
    await devnode.grow(generations);
    return `grow ${generations}`;
  }
  if (kind === 3) {
    await devnode.addMicroBlock();
    await devnode.addMicroBlock();
    return 'micro blocks';
  }
  if (kind === 4) {
    await devnode.mineKeyBlock();
    return 'key block';
  }
  if (kind <= 6) {
    await devnode.addMicroBlock();
    await devnode.addMicroBlock();
    const drop = random.int(1, 2);
    const next = (['key-block', 'micro-block'] as const)[random.int(0, 1)]!;
    if (random.chance(0.5) || next === 'micro-block') await devnode.microFork({ drop, keep: retainTxs, next });
    else {
      await devnode.mineKeyBlock();
      await devnode.microFork({ drop, keep: retainTxs, next: 'key-block' });
      if (longer) await devnode.mineKeyBlock();
    }
    return `micro fork ${drop} ${next}`;
  }
  if (height < 1) return 'nothing';
  const depth = random.int(1, Math.min(height, random.chance(0.2) ? height : 4));
  // With the same height, higher, or lower but heavier.
  const grow = Math.max(1, depth + random.int(longer ? 1 : -1, 2));
  await devnode.fork({ depth, grow, retainTxs });
  return `fork ${depth} -> ${grow} ${retainTxs}`;
}

async function changeDatabase(
  context: SyncContext,
  database: Database,
  reader: Reader,
  random: Choices,
): Promise<string> {
  const kind = random.int(0, 9);
  if (kind <= 5) {
    await settle(context);
    return 'sync';
  }
  if (kind === 6) {
    await syncRound(context).catch(() => undefined);
    return 'one round';
  }
  if (kind <= 8) {
    const round = syncFully(context).then(
      () => 'sync before the kill',
      () => 'sync killed',
    );
    await reader.killWriters(random.int(0, 25));
    return round;
  }
  const top = context.node.currentGeneration().then(({ keyBlock }) => keyBlock.height);
  const from = random.int(0, await top);
  const heights = [{ from, to: Math.min(await top, from + random.int(0, 3)) }];
  // A session that was killed before may still be in the pool. The command then fails, as it should.
  const replaced = await replaceHeights({ database, node: context.node, heights }).catch((error: unknown) => {
    if (error instanceof MiddlewareError && error.fault === 'unavailable') return undefined;
    throw error;
  });
  if (replaced === undefined) return `heights ${from} without a database`;
  const { failed } = replaced;
  return `heights ${from}-${heights[0]!.to}${failed.length > 0 ? ' (on another branch)' : ''}`;
}

/** Syncs until the head of the node is stored. Repairs what a crash or a gap has left, as the populator does. */
async function settle(context: SyncContext): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await fillGaps(context);
      return await syncFully(context);
    } catch (error) {
      if (attempt >= 5) throw error;
    }
  }
}

async function dropCopy(database: Database): Promise<void> {
  await tamper(database, `DROP SCHEMA ${database.schema} CASCADE`);
  await database.close();
}

interface Reader {
  /** Closes the writer's connections after some milliseconds, as if its process ended. */
  killWriters(afterMs: number): Promise<void>;
  stop(): Promise<{ looks: number; mixtures: string[] }>;
}

/** Reads the whole chain again and again, each time in one statement, as for an answer. */
async function startReader(url: string, schema: string): Promise<Reader> {
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'reader',
      options: `-c search_path=${schema}`,
    });
    await client.connect();
    return client;
  };
  const [looking, killing] = [await connect(), await connect()];
  const mixtures: string[] = [];
  let looks = 0;
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const { rows } = await looking.query<{ what: string }>({ name: 'test.mixture', text: MIXTURE });
      looks++;
      mixtures.push(...rows.map(({ what }) => what));
    }
  })();
  return {
    async killWriters(afterMs) {
      await killing.query(
        `SELECT pg_sleep($1 / 1000.0), pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = $2 AND datname = current_database()`,
        [afterMs, `mdw ${schema}`],
      );
    },
    async stop() {
      if (!stopped) {
        stopped = true;
        await loop;
        await looking.end();
        await killing.end();
      }
      return { looks, mixtures };
    },
  };
}

/**
 * Inconsistencies of a snapshot: a block whose parent is not the previous block (if that height is stored), a transaction without its block, a
 * count that is not the number of rows, a list with a missing ordinal.
 */
export const MIXTURE = `
  WITH blocks AS (
    SELECT height << 33 AS position, hash, prev_hash FROM key_blocks
    UNION ALL SELECT position, hash, prev_hash FROM micro_blocks
  ), linked AS (
    SELECT position, prev_hash, LAG(hash) OVER w AS before, LAG(position) OVER w AS before_position
    FROM blocks WINDOW w AS (ORDER BY position)
  )
  SELECT 'link at ' || (position >> 33) AS what FROM linked
  WHERE before <> prev_hash AND (before_position >> 33) >= (position >> 33) - 1
  UNION ALL
  SELECT 'micro block without key block' FROM micro_blocks m
  WHERE NOT EXISTS (SELECT FROM key_blocks k WHERE k.height = m.position >> 33)
  UNION ALL
  SELECT 'transactions of micro block ' || m.hash FROM micro_blocks m
  WHERE m.tx_count <> (SELECT COUNT(*) FROM transactions t WHERE (t.position >> 16) = (m.position >> 16))
  UNION ALL
  SELECT 'total' FROM (SELECT tx_total FROM generations ORDER BY height DESC LIMIT 1) g
  WHERE g.tx_total <> (SELECT COUNT(*) FROM transactions)
  UNION ALL
  SELECT 'list ' || list FROM entries GROUP BY list
  HAVING MAX(ordinal) <> COUNT(*) OR MIN(ordinal) <> 1
  UNION ALL
  SELECT 'entry without transaction' FROM entries e
  WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.position = e.position)
`;
