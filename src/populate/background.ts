/**
 * Verifies the copy again and again while the head is followed, with what `-v --offline` verifies it with, a little at a time; what
 * differs is mended as `-H` mends it. First what is not proven yet is made up for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import type { ChainNode } from '../node/client.js';
import { readHead } from '../store/chain-state.js';
import type { Database, DbTransaction, Queryable } from '../store/connection/database.js';
import { lowerProven, raiseProven, readProgress, writeVerifyHeight } from '../store/proven.js';
import { lastRewrite, lowestRewriteSince } from '../store/rewrites.js';
import type { Difference } from '../store/verify/difference.js';
import { BEYOND, objectsOf, storedAbove, windowFrom } from '../store/verify/pieces.js';
import type { Piece } from '../store/verify/pieces.js';
import { verifyWindow } from '../store/verify/window.js';
import { createMend } from './mend.js';
import { callReader } from './verify-projections.js';

interface BackgroundOptions {
  database: Database;
  /** What it gives is proven in full, whatever is asked of the blocks of the head. */
  node: ChainNode;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  /** As it is set; what is mended must have a proof of work where the network has one. */
  powEdgeBits: number | undefined;
  /** Part of its time that it works, in percent; 0 for none. */
  share: number;
  /** False while blocks arrive, which come first. */
  mayWork: () => boolean;
}

/** Transactions verified in one go: the head waits no longer than for the work on these between two statements. */
const WINDOW = 100;
/** Between looks whether it may work, ms. */
const IDLE_MS = 200;
/** After a fault, such as a node that gives nothing better than what is stored, ms. */
const RETRY_MS = 30_000;
/** After a restart so much is verified twice, ms. */
const NOTE_MS = 10_000;
/** Until the signal. The load neither waits for it nor fails with it. */
export async function verifyInBackground(options: BackgroundOptions): Promise<void> {
  const { signal, share, logger, metrics } = options;
  if (share === 0) return;
  const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
  const round = createRound(options);
  while (!signal.aborted) {
    if (!options.mayWork()) {
      await rest(IDLE_MS);
      continue;
    }
    const start = performance.now();
    try {
      metrics.verifiedTransactions.inc(await round.step());
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ reason: reasonOf(error) }, 'Could not verify the copy in the background, will retry');
      await rest(RETRY_MS);
    }
    await rest(((performance.now() - start) * (100 - share)) / share);
  }
}

/** Goes over the copy: `step` verifies the next piece and gives the number of its transactions. */
function createRound(options: BackgroundOptions): { step(): Promise<number> } {
  const { database, metrics, fence } = options;
  const means = { calls: callReader(), prove: true };
  const mend = createMend(options);
  /** What comes after the heights. */
  let objects: Piece[] | undefined;
  let next: number | undefined;
  let notedAt = performance.now();
  let makeUpAt = -Infinity;

  const note = async (height: number): Promise<void> => {
    next = height;
    if (performance.now() - notedAt < NOTE_MS && height !== 0) return;
    notedAt = performance.now();
    await database.transaction(async (tx) => {
      await fence(tx);
      await writeVerifyHeight(tx, height);
    });
  };

  /** Null where there is nothing to verify from a height on. */
  async function verifyFrom(height: number): Promise<{ to: number; transactions: number; isProven: boolean } | null> {
    let found: Awaited<ReturnType<typeof windowFrom>> = null;
    let rewrite = 0;
    const verify = async (db: Queryable): Promise<Difference[]> => {
      rewrite = await lastRewrite(db);
      // The generation at the head still grows.
      const head = (await readHead(db))?.height ?? 0;
      found = height < head ? await windowFrom(db, height, head - 1, WINDOW) : null;
      if (found === null) return [];
      return verifyWindow(db, { from: BigInt(height), to: BigInt(found.to) }, means);
    };
    const unproven = await mend(verify);
    const window = found as Awaited<ReturnType<typeof windowFrom>>;
    if (window === null) return null;
    await database.transaction(async (tx) => {
      await fence(tx);
      if (unproven !== undefined) return lowerProven(tx, unproven - 1);
      const written = await lowestRewriteSince(tx, rewrite);
      if (written === undefined || written > window.to) await raiseProven(tx, height, window.to);
    });
    return { ...window, isProven: unproven === undefined };
  }

  /** That nothing is stored about the heights of a gap, or above the head. */
  const verifyUnstored = async (from: number, beyond: number | undefined): Promise<void> => {
    await mend(async (db) => {
      const head = (await readHead(db))?.height ?? -1;
      // The head is verified when it does not grow any more, and the gap may have been filled.
      const first = beyond === undefined ? head + 1 : from;
      if ((await storedAbove(db, first - 1)) !== beyond) return [];
      return verifyWindow(db, { from: BigInt(first), to: beyond === undefined ? BEYOND : BigInt(beyond - 1) }, means);
    });
  };

  /** Null when there is nothing to make up for, or not now. */
  async function makeUp(provenHeight: number): Promise<number | null> {
    if (performance.now() < makeUpAt) return null;
    const done = await verifyFrom(provenHeight + 1);
    if (done === null) return null;
    // What no node proves is passed over for a while, the rest is not.
    if (!done.isProven) makeUpAt = performance.now() + RETRY_MS;
    return done.transactions;
  }

  return {
    async step() {
      const { provenHeight, verifyHeight } = await readProgress(database);
      metrics.provenHeight.set(provenHeight);
      const made = await makeUp(provenHeight);
      if (made !== null) return made;
      if (objects === undefined) {
        const done = await verifyFrom((next ??= verifyHeight));
        if (done !== null) {
          await note(done.to + 1);
          return done.transactions;
        }
        const beyondGap = await storedAbove(database, next);
        await verifyUnstored(next, beyondGap);
        if (beyondGap !== undefined) {
          await note(beyondGap);
          return 0;
        }
        objects = await objectsOf(database);
      }
      const piece = objects.shift();
      if (piece === undefined) {
        objects = undefined;
        await note(0);
        return 0;
      }
      await mend((db) => piece.verify(db));
      return 0;
    },
  };
}
