/** What the series of the compatible API must answer about a recorded chain, from the recording alone. Times are numbers: they are below 2^53. */
import type { CompatModel } from './compat-model.js';

export type Step = 'day' | 'week' | 'month';

/** Something that is counted at a time: a block, with what is in it. */
export interface Timed {
  /** ms since 1970, never before that of an earlier block. */
  time: number;
  kind: 'key' | 'micro';
  height: number;
  hash: string;
}

/** The blocks in the order of the chain: a key block has the greatest time so far, a micro block is between its key block and the next one. */
export function timedBlocks({ keyBlocks }: CompatModel): Timed[] {
  let greatest = 0;
  const times = keyBlocks.map(({ block }) => (greatest = Math.max(greatest, Number(block['time']))));
  return keyBlocks.flatMap(({ height, block, microBlocks }, i): Timed[] => {
    let last = times[i]!;
    const next = times[i + 1] ?? Infinity;
    return [
      { time: times[i]!, kind: 'key', height, hash: block['hash'] as string },
      ...microBlocks.map(({ hash, header }): Timed => {
        last = Math.max(last, Number(header['time']));
        return { time: Math.min(last, next), kind: 'micro', height, hash };
      }),
    ];
  });
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first days of the interval of a time, and of the next one. */
function intervalOf(step: Step, time: number): [start: string, end: string] {
  const date = new Date(time);
  if (step === 'month') {
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return [day(Date.UTC(year, month, 1)), day(Date.UTC(year, month + 1, 1))];
  }
  const days = Math.floor(time / 86_400_000);
  const start = step === 'week' ? days - (days % 7) : days;
  return [day(start * 86_400_000), day((start + (step === 'week' ? 7 : 1)) * 86_400_000)];
}

/** Rows of the interval of each time, oldest first, with all intervals between them. The genesis block counts in the first one. */
export function intervals(blocks: readonly Timed[], step: Step): { start_date: string; end_date: string }[] {
  const above = blocks.filter(({ height }) => height > 0);
  const first = (above[0] ?? blocks[0]!).time;
  const last = blocks.at(-1)!.time;
  const found: { start_date: string; end_date: string }[] = [];
  let [start, end] = intervalOf(step, first);
  while (Date.parse(start) <= last) {
    found.push({ start_date: start, end_date: end });
    [start, end] = intervalOf(step, Date.parse(end));
  }
  return found;
}

/** The start of the interval in which a block counts. */
export function startOf(blocks: readonly Timed[], step: Step, { time }: Pick<Timed, 'time'>): string {
  const first = intervals(blocks, step)[0]!.start_date;
  const [own] = intervalOf(step, time);
  return own < first ? first : own;
}

/** Difficulty of a compact target, by the definition of the node. */
export function difficultyOf(target: number): bigint {
  const integer = (compact: number): bigint => {
    const [exponent, mantissa] = [compact >>> 24, BigInt(compact & 0x7fffff)];
    return exponent >= 3 ? mantissa * 256n ** BigInt(exponent - 3) : mantissa / 256n ** BigInt(3 - exponent);
  };
  const own = integer(target);
  return own === 0n ? 0n : (2n ** 24n * integer(0x2100ffff)) / own;
}

/** The rounded average; 0 of nothing. */
export function average(values: readonly bigint[]): bigint {
  if (values.length === 0) return 0n;
  const count = BigInt(values.length);
  return (2n * values.reduce((sum, value) => sum + value, 0n) + count) / (2n * count);
}
