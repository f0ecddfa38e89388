/** Mends what the verification in the background finds: heights as `-H` mends them, what no height gives by computing it again. */
import { setTimeout as pause } from 'node:timers/promises';
import { edgeBitsOf } from '../chain/work/cuckoo.js';
import type { ChainNode } from '../node/client.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { correctGenesisHash, readIdentity, storedKeyBlock } from '../store/chain-state.js';
import { numberAndWake } from '../store/connection/commit-number.js';
import type { Database, DbTransaction, Queryable } from '../store/connection/database.js';
import type { Difference } from '../store/verify/difference.js';
import { inSnapshot } from '../store/verify/snapshot.js';
import { unstoredOf } from '../store/write/unstored.js';
import { replaceHeights } from './heights.js';
import type { FailedHeight } from './heights.js';
import { mendProjections } from './mend-projections.js';

interface MendOptions {
  database: Database;
  /** What it gives is proven in full. */
  node: ChainNode;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  powEdgeBits: number | undefined;
  /** False while blocks arrive, which come first. */
  mayWork: () => boolean;
}

/** Facts: only they are proven by hashes. */
const FACTS = ['key_blocks', 'micro_blocks', 'transactions'];

/** Attempts that mend nothing before a row is left: where a fact was wrong, so is what was summed up from it. */
const ATTEMPTS = 2;
/** Rows remembered as reported. */
const REMEMBERED = 10_000;
/** Rows that a log line shows. */
const SHOWN = 5;

/** Between looks whether a statement may run, and how long a step lets blocks go first: its snapshot keeps what they replace. */
const YIELD_MS = 10;
const MAX_YIELD_MS = 1_000;

const labelOf = ({ table, key, column }: Difference): string => `${table} ${key} ${column}`;

type Mend = (verify: (db: Queryable) => Promise<Difference[]>) => Promise<number | undefined>;

/**
 * Verifies as of one moment, mends the rows that differ, and verifies once more, until nothing differs or nothing more is mended. Gives
 * the lowest height of which a fact is not proven even so; undefined if there is none. What is left is reported once.
 */
export function createMend(options: MendOptions): Mend {
  const { database, node, logger, metrics, signal, fence, powEdgeBits, mayWork } = options;
  const reported = new Set<string>();
  /** Calls that wait to be decoded again: they are left if they still differ when they are verified next. */
  const decoding = new Set<string>();
  const isDecoding = (difference: Difference): boolean => {
    if (difference.table !== 'contract_calls' || decoding.has(labelOf(difference))) return false;
    if (decoding.size < REMEMBERED) decoding.add(labelOf(difference));
    return true;
  };
  const isNew = (difference: Difference): boolean => {
    const label = labelOf(difference);
    if (reported.has(label)) return false;
    if (reported.size < REMEMBERED) reported.add(label);
    return true;
  };
  return async (verify) => {
    const look = async (): Promise<Difference[]> => {
      const differences: Difference[] = [];
      await inSnapshot(database, 1, async (db) => {
        differences.push(...(await verify(yielding(db, options))));
      });
      return differences;
    };
    let left = await look();
    if (left.length === 0) return undefined;
    const identity = await readIdentity(database);
    const edgeBits = identity === null ? undefined : edgeBitsOf(identity.networkId, powEdgeBits);
    const found = new Map<string, Difference>();
    const heights = new Set<number>();
    const failed: FailedHeight[] = [];
    // A statement names the first rows that differ: when these are mended, others may follow.
    for (let idle = 0; left.length > 0 && idle < ATTEMPTS;) {
      for (const difference of left) found.set(labelOf(difference), difference);
      const differing = [...new Set(left.flatMap(({ height }) => (height === null ? [] : [height])))].sort(
        (a, b) => a - b,
      );
      for (const height of differing) heights.add(height);
      const unstored = new Set(await unstoredOf(database, differing));
      // What did not help may follow from the height below, which was verified before, or will be.
      const below = idle === 0 ? 0 : 1;
      const ranges = differing.flatMap((height) =>
        unstored.has(height) ? [] : [{ from: Math.max(height - below, 0), to: height }],
      );
      failed.push(...(await replaceHeights({ database, node, heights: ranges, signal, edgeBits })).failed);
      await mendProjections({ database, fence, signal }, left, [...unstored]);
      if (left.some(({ table }) => table === 'chain')) await mendGenesisHash(options);
      const now = await look();
      const labels = new Set(now.map(labelOf));
      if (left.every((difference) => labels.has(labelOf(difference)))) idle++;
      left = now;
      if (!mayWork()) break;
    }
    for (const difference of left) found.delete(labelOf(difference));
    if (found.size > 0) {
      metrics.differences.inc({ outcome: 'mended' }, found.size);
      const seen = {
        mended: found.size,
        heights: [...heights].slice(0, SHOWN),
        rows: [...found.values()].slice(0, SHOWN),
      };
      logger.warn(seen, 'Mended rows that did not follow from the chain');
    }
    const news = left.filter((difference) => !isDecoding(difference) && isNew(difference));
    if (news.length > 0) {
      metrics.differences.inc({ outcome: 'left' }, news.length);
      const seen = { left: news.length, rows: news.slice(0, SHOWN), failed: failed.slice(0, SHOWN) };
      logger.error(seen, 'Rows do not follow from the chain and could not be mended');
    }
    const unproven = left.flatMap(({ table, height }) => (height !== null && FACTS.includes(table) ? [height] : []));
    return unproven.length === 0 ? undefined : Math.min(...unproven);
  };
}

/** The chain that a copy holds is that of its genesis block, if a node gives the same one, which is proven. */
async function mendGenesisHash({ database, node, fence }: MendOptions): Promise<void> {
  const [given, stored] = [await node.keyBlock(0), await storedKeyBlock(database, 0)];
  if (given === null || given.hash !== stored?.hash) return;
  await database.transaction(async (tx) => {
    await fence(tx);
    await correctGenesisHash(tx, given.hash);
    await numberAndWake(tx);
  });
}

/** Lets blocks that arrive go before each of its statements. */
function yielding(db: Queryable, { mayWork, signal }: Pick<MendOptions, 'mayWork' | 'signal'>): Queryable {
  let left = MAX_YIELD_MS;
  return {
    async query(statement) {
      for (; left > 0 && !signal.aborted && !mayWork(); left -= YIELD_MS) await pause(YIELD_MS);
      return db.query(statement);
    },
  };
}
