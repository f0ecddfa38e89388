import { MiddlewareError } from '../observe/errors.js';

/** Heights `from` to `to`, both included. */
export interface HeightRange {
  from: number;
  to: number;
}

/**
 * Parses `1,3-4,6,100-200` into ascending ranges that neither overlap nor touch. Throws a usage error that names every malformed part.
 */
export function parseHeights(text: string): HeightRange[] {
  const faults: string[] = [];
  const ranges: HeightRange[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,15})(?:\s*-\s*(\d{1,15}))?\s*$/.exec(part);
    if (match === null) {
      faults.push(`"${part}" is neither a height nor a range a-b`);
      continue;
    }
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (to < from) faults.push(`"${part.trim()}" runs backwards`);
    else ranges.push({ from, to });
  }
  if (faults.length > 0) {
    throw new MiddlewareError(
      'usage',
      `Malformed heights ${JSON.stringify(text)}: ${faults.join('; ')} (expected for example 1,3-4,6,100-200)`,
    );
  }
  return merge(ranges);
}

/** Number of heights in ranges that do not overlap. */
export const countHeights = (ranges: readonly HeightRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** `1,3-4,6`: the format that `parseHeights` reads. */
export function formatHeights(ranges: readonly HeightRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

function merge(ranges: HeightRange[]): HeightRange[] {
  const merged: HeightRange[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push({ ...range });
  }
  return merged;
}
