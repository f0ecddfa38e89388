import type { HeightRange } from '../config.js';
import { formatHeights } from '../config.js';
import type { Logger } from '../observe/logger.js';
import { createProgress } from '../observe/progress.js';
import type { NodePool } from '../node/pool.js';
import { replaceHeights } from '../populate/heights.js';
import { verify } from '../populate/verify.js';
import type { Database } from '../store/database.js';

interface Options {
  database: Database;
  node: NodePool;
  signal: AbortSignal;
}

/** `-H`: tells each height that failed, and whether none did. */
export async function loadHeights(options: Options & { heights: HeightRange[]; logger: Logger }): Promise<boolean> {
  const { heights, logger, signal } = options;
  const total = heights.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const progress = createProgress({ logger, terminal: process.stderr });
  let done = 0;
  let transactions = 0;
  const onHeight = (height: number, written: { transactions: number }) => {
    transactions += written.transactions;
    progress.update({ done: ++done, total, height, transactions });
  };
  try {
    const { failed } = await replaceHeights({ ...options, onHeight });
    progress.end();
    for (const { height, reason } of failed) say(`Height ${height} failed: ${firstLine(reason)}`);
    say(`Replaced ${done} of ${total} heights (${formatHeights(heights)})`);
    return failed.length === 0;
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    say(`Interrupted: replaced ${done} of ${total} heights`);
    return false;
  }
}

/** `-v`: one line a height on standard output, a summary on standard error; whether all heights are equal. */
export async function verifyHeights(
  options: Options & { heights: HeightRange[] | undefined; json: boolean },
): Promise<boolean> {
  const { database, node, heights, signal, json } = options;
  let checked = 0;
  let differing = 0;
  try {
    for await (const { height, ok, reason } of verify({ database, node, signal, ...(heights && { heights }) })) {
      checked++;
      if (!ok) differing++;
      if (json) process.stdout.write(`${JSON.stringify({ height, ok, ...(reason !== undefined && { reason }) })}\n`);
      else process.stdout.write(`Height ${height} ${ok ? 'OK' : `not OK: ${firstLine(reason ?? '')}`}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const end = signal.aborted ? 'Interrupted: ' : '';
  say(`${end}${checked} heights verified, ${differing === 0 ? 'all OK' : `${differing} not OK`}`);
  return differing === 0 && !signal.aborted;
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
