/** Mends what the background verification finds: loads heights again as `-H` does, and computes projections again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../store/connection/database.js';
import { reportOf } from '../store/facts/difference.js';
import type { Difference } from '../store/facts/difference.js';
import { inSnapshot } from '../store/verify/snapshot.js';
import { unstoredOf } from '../store/write/unstored.js';
import type { BesideOptions } from './beside.js';
import { replaceHeights } from './heights.js';
import type { FailedHeight } from './heights.js';
import { mendProjections } from './mend-projections.js';
import { storedRules } from './rules.js';

/** Tables of facts that hashes prove. */
const FACTS = ['key_blocks', 'micro_blocks', 'transactions'];

/** Tables whose rows are right when a node has answered again. */
const AWAITING = ['contract_calls', 'returned_contracts', 'tokens', 'token_balances', 'token_owners'];

/** Attempts in a row that mend nothing before mending ends. The second one helps when sums were computed from a fact that was wrong. */
const MAX_IDLE_ATTEMPTS = 2;
/** Max rows remembered as reported. */
const MAX_REMEMBERED = 10_000;
/** Max rows in a log line. */
const MAX_SHOWN = 5;

/** Time between two questions whether a statement may run. */
const YIELD_MS = 10;
/** Max time that a step waits for new blocks in all: its snapshot keeps the rows that they replace from being vacuumed. */
const MAX_YIELD_MS = 1_000;

const labelOf = ({ table, key, column }: Difference): string => `${table} ${key.join(' ')} ${column}`;

interface Mend {
  /**
   * Verifies a snapshot, mends the rows that differ and verifies again, until no row differs or mending does not help. Resolves with
   * the lowest height at which a fact still differs; undefined if there is none. Rows that still differ are reported once.
   */
  mend(verify: (db: Queryable) => Promise<Difference[]>): Promise<number | undefined>;
  /** The whole copy was verified: rows that differed before, and not this time, no longer count as differing. */
  endPass(): void;
}

/** Mends what a verification finds. The blocks of `node` must be proven in full. */
export function createMend(options: BesideOptions): Mend {
  const { database, logger, metrics } = options;
  const reports = createReports((rows) => metrics.differingRows.set(rows));

  const reportMended = ({ found, heights }: Outcome): void => {
    if (found.size === 0) return;
    metrics.differences.inc({ outcome: 'mended' }, found.size);
    const fields = {
      mended: found.size,
      heights: [...heights].slice(0, MAX_SHOWN),
      rows: [...found.values()].slice(0, MAX_SHOWN).map(reportOf),
    };
    logger.warn(fields, 'Mended rows that did not follow from the chain');
  };

  const reportLeft = (unreported: readonly Difference[], { failed }: Outcome): void => {
    if (unreported.length === 0) return;
    metrics.differences.inc({ outcome: 'left' }, unreported.length);
    const fields = {
      left: unreported.length,
      rows: unreported.slice(0, MAX_SHOWN).map(reportOf),
      failed: failed.slice(0, MAX_SHOWN),
    };
    logger.error(fields, 'Rows do not follow from the chain and could not be mended');
  };

  return {
    async mend(verify) {
      const verifySnapshot = async (): Promise<Difference[]> => {
        const differences: Difference[] = [];
        await inSnapshot(database, 1, async (db) => {
          differences.push(...(await verify(yielding(db, options))));
        });
        return differences;
      };
      const first = await verifySnapshot();
      if (first.length === 0) return undefined;
      const outcome = await mendUntilRight(options, first, verifySnapshot);
      reportMended(outcome);
      reportLeft(reports.add(outcome), outcome);
      const unproven = outcome.remaining.flatMap(({ table, height }) =>
        height !== null && FACTS.includes(table) ? [height] : [],
      );
      return unproven.length === 0 ? undefined : Math.min(...unproven);
    },
    endPass: reports.endPass,
  };
}

/** What mending came to. */
interface Outcome {
  /** The rows that were mended, by label. */
  found: Map<string, Difference>;
  /** The rows that still differ. */
  remaining: readonly Difference[];
  /** The heights that were loaded again. */
  heights: Set<number>;
  failed: FailedHeight[];
}

/** Mends and verifies again, until no row differs or mending does not help. */
async function mendUntilRight(
  options: BesideOptions,
  first: readonly Difference[],
  verify: () => Promise<Difference[]>,
): Promise<Outcome> {
  const { database, node, signal, fence, mayWork } = options;
  let remaining = first;
  const rules = await storedRules(options);
  const found = new Map<string, Difference>();
  const heights = new Set<number>();
  const failed: FailedHeight[] = [];
  // A check returns only the first rows that differ: when these are mended, it may return others.
  for (let idle = 0; remaining.length > 0 && idle < MAX_IDLE_ATTEMPTS;) {
    for (const difference of remaining) found.set(labelOf(difference), difference);
    const differing = [...new Set(remaining.flatMap(({ height }) => (height === null ? [] : [height])))].sort(
      (a, b) => a - b,
    );
    for (const height of differing) heights.add(height);
    const unstored = new Set(await unstoredOf(database, differing));
    // If the last attempt did not help, the cause may be at the height below.
    const below = idle === 0 ? 0 : 1;
    const ranges = differing.flatMap((height) =>
      unstored.has(height) ? [] : [{ from: Math.max(height - below, 0), to: height }],
    );
    failed.push(...(await replaceHeights({ database, node, heights: ranges, signal, ...rules })).failed);
    await mendProjections({ database, fence, signal }, remaining, [...unstored]);
    const now = await verify();
    const labels = new Set(now.map(labelOf));
    if (remaining.every((difference) => labels.has(labelOf(difference)))) idle++;
    remaining = now;
    if (!mayWork()) break;
  }
  for (const difference of remaining) found.delete(labelOf(difference));
  return { found, remaining, heights, failed };
}

interface Reports {
  /** Takes up an outcome; returns the rows that still differ and were not reported yet. */
  add(outcome: Outcome): Difference[];
  endPass(): void;
}

/** Which rows still differ, and which of them were reported. `show` is called with the number of those that differ. */
function createReports(show: (rows: number) => void): Reports {
  const reported = new Set<string>();
  /** Rows that wait for a node. They are reported only if they still differ in the next pass. */
  let [awaitedBefore, awaited] = [new Set<string>(), new Set<string>()];
  /** Rows that were left, in the pass before and in this one. A part that is verified again shows only some of them. */
  let [leftBefore, left] = [new Set<string>(), new Set<string>()];

  /** Whether it is not in the set. */
  const isNewIn = (labels: Set<string>, difference: Difference): boolean => {
    const label = labelOf(difference);
    if (labels.has(label)) return false;
    if (labels.size < MAX_REMEMBERED) labels.add(label);
    return true;
  };
  const showLeft = (): void => show(new Set([...leftBefore, ...left]).size);
  showLeft();
  return {
    add({ found, remaining }) {
      const lasting = remaining.filter((difference) => {
        if (!AWAITING.includes(difference.table)) return true;
        isNewIn(awaited, difference);
        return awaitedBefore.has(labelOf(difference));
      });
      for (const label of found.keys()) {
        left.delete(label);
        leftBefore.delete(label);
      }
      for (const difference of lasting) if (left.size < MAX_REMEMBERED) left.add(labelOf(difference));
      showLeft();
      return lasting.filter((difference) => isNewIn(reported, difference));
    },
    endPass() {
      [leftBefore, left] = [left, new Set()];
      [awaitedBefore, awaited] = [awaited, new Set()];
      showLeft();
    },
  };
}

/** Waits before each statement while new blocks arrive, up to `MAX_YIELD_MS` in all. */
function yielding(db: Queryable, { mayWork, signal }: Pick<BesideOptions, 'mayWork' | 'signal'>): Queryable {
  let remainingMs = MAX_YIELD_MS;
  return {
    async query(statement) {
      for (; remainingMs > 0 && !signal.aborted && !mayWork(); remainingMs -= YIELD_MS) await pause(YIELD_MS);
      return db.query(statement);
    },
  };
}
