/**
 * Verifies the copy again and again while the head is followed, a little at a time, with the checks of `-v --offline`. Rows that differ are
 * mended, heights as with `-H`. Heights that are not proven yet come first.
 */
import { NEWEST_VERSION } from '../chain/serialize/headers.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { readHead } from '../store/chain-state.js';
import { lowerProven, raiseProven, readProgress, writeVerifyHeight } from '../store/proven.js';
import { lastRewrite, lowestRewriteSince } from '../store/rewrites.js';
import { firstWithLaterVersion } from '../store/verify/versions.js';
import { ABOVE_ANY_HEIGHT, objectTasks, storedAbove, windowFrom } from '../store/verify/tasks.js';
import type { VerifyTask } from '../store/verify/tasks.js';
import { verifyWindow } from '../store/verify/window.js';
import type { BesideOptions } from './beside.js';
import { createMend } from './mend.js';
import { callReader } from './verify-projections.js';

/** The blocks of `node` are proven in full, whatever `PROOF` says for the load. */
interface BackgroundOptions extends BesideOptions {
  /** Whether blocks whose protocol version is not known are no difference. They are not proven either. */
  acceptUnknownProtocol: boolean;
  /** Max share of the time that is spent on verifying, in percent; 0 for none. */
  share: number;
}

/** Transactions verified at a time. They are few, because new blocks have to wait for the work on them between two statements. */
const WINDOW = 100;
/** Pause before `mayWork` is asked again, ms. */
const IDLE_MS = 200;
/** Pause after a fault, for example when no node has better blocks than the stored ones, ms. */
const RETRY_MS = 30_000;
/** Time between two saves of the progress: after a restart up to this much work is repeated, ms. */
const SAVE_MS = 10_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function verifyInBackground(options: BackgroundOptions): Promise<void> {
  const { signal, share, logger, metrics } = options;
  if (share === 0) return;
  const verification = createVerification(options);
  await repeat({
    signal,
    async runOnce() {
      if (!options.mayWork()) return IDLE_MS;
      const start = performance.now();
      metrics.verifiedTransactions.inc(await verification.step());
      return ((performance.now() - start) * (100 - share)) / share;
    },
    onFault(error) {
      logger.warn({ reason: reasonOf(error) }, 'Could not verify the copy in the background, will retry');
      return RETRY_MS;
    },
  });
}

/** Goes over the whole copy, again and again. `step` verifies the next part and returns the number of its transactions. */
function createVerification(options: BackgroundOptions): { step(): Promise<number> } {
  const { database, metrics, fence } = options;
  const { mend, endPass } = createMend(options);
  /** Parts that are left after the heights: names, lists and the like. Undefined while heights are verified. */
  let objects: VerifyTask[] | undefined;
  let next: number | undefined;
  let savedAt = performance.now();
  let proveAt = -Infinity;

  const saveProgress = async (height: number): Promise<void> => {
    next = height;
    if (performance.now() - savedAt < SAVE_MS && height !== 0) return;
    savedAt = performance.now();
    await database.transaction(async (tx) => {
      await fence(tx);
      await writeVerifyHeight(tx, height);
    });
  };

  const { verifyFrom, verifyUnstored } = createHeightVerification(options, mend);

  /** Proves the next heights that are not proven yet, and returns the number of their transactions; null if there are none, or not now. */
  async function proveNext(provenHeight: number): Promise<number | null> {
    if (performance.now() < proveAt) return null;
    const done = await verifyFrom(provenHeight + 1);
    if (done === null) return null;
    // If no node can prove these heights, other parts are verified until the next attempt.
    if (!done.isProven) proveAt = performance.now() + RETRY_MS;
    return done.transactions;
  }

  return {
    async step() {
      const { provenHeight, verifyHeight } = await readProgress(database);
      metrics.provenHeight.set(provenHeight);
      const proven = await proveNext(provenHeight);
      if (proven !== null) return proven;
      if (objects === undefined) {
        const done = await verifyFrom((next ??= verifyHeight));
        if (done !== null) {
          await saveProgress(done.to + 1);
          return done.transactions;
        }
        const beyondGap = await storedAbove(database, next);
        await verifyUnstored(next, beyondGap);
        if (beyondGap !== undefined) {
          await saveProgress(beyondGap);
          return 0;
        }
        objects = await objectTasks(database);
      }
      const piece = objects.shift();
      if (piece === undefined) {
        objects = undefined;
        endPass();
        await saveProgress(0);
        return 0;
      }
      await mend((db) => piece.verify(db));
      return 0;
    },
  };
}

interface HeightVerification {
  /** Verifies and mends a window of heights that starts at `height`; null if there is nothing to verify there. */
  verifyFrom(height: number): Promise<{ to: number; transactions: number; isProven: boolean } | null>;
  /** Verifies that no rows are stored about heights from `from` to below `beyond`, a gap, or above the head if `beyond` is undefined. */
  verifyUnstored(from: number, beyond: number | undefined): Promise<void>;
}

function createHeightVerification(
  { database, fence, acceptUnknownProtocol }: BackgroundOptions,
  mend: ReturnType<typeof createMend>['mend'],
): HeightVerification {
  const means = { calls: callReader(), prove: true, acceptUnknownProtocol };
  return {
    async verifyFrom(height) {
      let found: Awaited<ReturnType<typeof windowFrom>> = null;
      let rewrite = 0;
      const differing = await mend(async (db) => {
        rewrite = await lastRewrite(db);
        // The generation at the head is left out: it still grows.
        const head = (await readHead(db))?.height ?? 0;
        found = height < head ? await windowFrom(db, height, head - 1, WINDOW) : null;
        if (found === null) return [];
        return verifyWindow(db, { from: BigInt(height), to: BigInt(found.to) }, means);
      });
      const window = found as Awaited<ReturnType<typeof windowFrom>>;
      if (window === null) return null;
      const unproven = differing ?? (await firstWithLaterVersion(database, height, window.to, NEWEST_VERSION));
      await database.transaction(async (tx) => {
        await fence(tx);
        if (unproven !== undefined) return lowerProven(tx, unproven - 1);
        const written = await lowestRewriteSince(tx, rewrite);
        if (written === undefined || written > window.to) await raiseProven(tx, height, window.to);
      });
      return { ...window, isProven: unproven === undefined };
    },
    async verifyUnstored(from, beyond) {
      await mend(async (db) => {
        const head = (await readHead(db))?.height ?? -1;
        // The head has its turn when it does not grow any more. The gap may have been filled meanwhile.
        const first = beyond === undefined ? head + 1 : from;
        if ((await storedAbove(db, first - 1)) !== beyond) return [];
        const to = beyond === undefined ? ABOVE_ANY_HEIGHT : BigInt(beyond - 1);
        return verifyWindow(db, { from: BigInt(first), to }, means);
      });
    },
  };
}
