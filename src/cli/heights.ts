import type { HeightRange } from '../config.js';
import { formatHeights } from '../config.js';
import type { Logger } from '../observe/logger.js';
import { createProgress } from '../observe/progress.js';
import type { NodePool } from '../node/pool.js';
import { compareCopies } from '../populate/compare-copies.js';
import { replaceHeights } from '../populate/heights.js';
import type { FailedHeight } from '../populate/heights.js';
import { verify } from '../populate/verify.js';
import type { Database } from '../store/database.js';
import type { Committed } from '../store/write/commit.js';
import type { LastWords } from './last-words.js';

interface Options {
  database: Database;
  node: NodePool;
  signal: AbortSignal;
  /** Told after each height. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Longest text of heights in what a process leaves behind. */
const LONGEST_HEIGHTS = 1_000;

/** `-H`: tells each height that failed; what it leaves says whether none did. */
export async function loadHeights(options: Options & { heights: HeightRange[]; logger: Logger }): Promise<LastWords> {
  const { heights, logger, signal, onProgress } = options;
  const total = heights.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const progress = createProgress({ logger, terminal: process.stderr });
  let done = 0;
  let transactions = 0;
  onProgress?.(0, total);
  const onHeight = (height: number, written: Committed) => {
    transactions += written.transactions;
    if (written.wrongHashes.length > 0)
      logger.error({ height, blocks: written.wrongHashes }, 'Contents of blocks do not give their hashes');
    progress.update({ done: ++done, total, height, transactions });
    onProgress?.(done, total);
  };
  try {
    const { failed } = await replaceHeights({ ...options, onHeight });
    progress.end();
    for (const { height, reason } of failed) say(`Height ${height} failed: ${firstLine(reason)}`);
    const message = `Replaced ${done} of ${total} heights (${formatHeights(heights)})`;
    say(message);
    return failed.length === 0 ? { ok: true, message, done, total } : failure(failed, done, total);
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    const message = `Interrupted: replaced ${done} of ${total} heights`;
    say(message);
    return { ok: false, code: 'interrupted', message, done, total };
  }
}

function failure(failed: readonly FailedHeight[], done: number, total: number): LastWords {
  const [{ height, reason }] = failed as [FailedHeight];
  const { text, cut } = told(failed.map((one) => one.height));
  return {
    ok: false,
    code: 'heights_failed',
    message: `${failed.length} of ${total} heights failed; height ${height}: ${firstLine(reason)}`,
    done,
    total,
    // All of them, or none: whoever loads them again must not leave any out.
    ...(!cut && { failing: text }),
    branch: failed.every(({ code }) => code === 'other_branch'),
  };
}

export interface VerifyHeightsOptions extends Options {
  heights: HeightRange[] | undefined;
  json: boolean;
  /** Only heights that differ are told. */
  quiet: boolean;
  /** Another copy of the same chain, to be compared as well. */
  other: Database | undefined;
}

/** `-v`: one line a height on standard output, a summary on standard error; what it leaves says whether all are equal. */
export async function verifyHeights(options: VerifyHeightsOptions): Promise<LastWords> {
  const { database, node, heights, signal, json, quiet, other, onProgress } = options;
  const total = heights?.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const differing: number[] = [];
  const reasons: string[] = [];
  const onVerdict = (height: number, ok: boolean, reason: string | undefined): void => {
    if (!ok) {
      differing.push(height);
      reasons.push(`height ${height}: ${firstLine(reason ?? '')}`);
    }
    if (ok && quiet) return;
    if (json) process.stdout.write(`${JSON.stringify({ height, ok, ...(reason !== undefined && { reason }) })}\n`);
    else process.stdout.write(`Height ${height} ${ok ? 'OK' : `not OK: ${firstLine(reason ?? '')}`}\n`);
  };
  let checked = 0;
  try {
    for await (const { height, ok, reason } of verify({ database, node, signal, ...(heights && { heights }) })) {
      checked++;
      onVerdict(height, ok, reason);
      onProgress?.(checked, total ?? checked + height);
    }
    if (other !== undefined) {
      const { differs } = await compareCopies(database, other);
      if (differs !== undefined) onVerdict(differs.height, false, `${differs.reason} (schema ${other.schema})`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const count = `${checked} heights verified, ${differing.length === 0 ? 'all OK' : `${differing.length} not OK`}`;
  say(`${signal.aborted ? 'Interrupted: ' : ''}${count}`);
  if (signal.aborted) return { ok: false, code: 'interrupted', message: `Interrupted: ${count}`, checked };
  if (differing.length === 0) return { ok: true, message: count, checked };
  const { text, cut } = told(differing);
  const message = `${count}; ${reasons.slice(0, 3).join('; ')}`;
  return { ok: false, code: 'differs', message, checked, differing: text, ...(cut && { cut }) };
}

/** Heights as `-H` takes them, as many as there is room for. */
function told(heights: readonly number[]): { text: string; cut: boolean } {
  const ranges: HeightRange[] = [];
  for (const height of [...new Set(heights)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === height - 1) last.to = height;
    else ranges.push({ from: height, to: height });
  }
  const text = formatHeights(ranges);
  if (text.length <= LONGEST_HEIGHTS) return { text, cut: false };
  return { text: text.slice(0, text.lastIndexOf(',', LONGEST_HEIGHTS)), cut: true };
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
