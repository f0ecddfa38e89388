/** Figures of the chain by time, with the steps in which nothing happened. */
import { read } from '../api.js';
import type { Integer } from '../json.js';
import { KINDS, kindOf } from './marks.js';
import type { Kind } from './marks.js';

export interface StepFigures {
  /** ms. */
  start: number;
  keyBlocks: number;
  transactions: number;
  kinds: Record<Kind, number>;
  /** Aettos. */
  fees: string;
  /** Null if no table says it, as of a hyperchain. */
  coinbase: string | null;
  bytes: number;
  /** Whether the step contains the present. */
  isOpen: boolean;
}

export interface Figures {
  steps: StepFigures[];
  /** Of the whole chain; undefined if it has nothing in this time. */
  total: { transactions: number; bytes: number; coinbase: string | null } | undefined;
}

export type StepName = 'hour' | 'day' | 'month';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const EMPTY = { keyBlocks: 0, transactions: 0, fees: '0', bytes: 0 };

/** Number of transactions of each kind. */
export function byKind(types: Record<string, Integer>): Record<Kind, number> {
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const [type, count] of Object.entries(types)) kinds[kindOf(type)] += Number(count);
  return kinds;
}

const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

/** When the next step begins. */
function after(start: number, by: StepName): number {
  if (by === 'hour') return start + HOUR_MS;
  if (by === 'day') return start + DAY_MS;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Figures from `from` until now, ms. Without `from`: of the whole chain. */
export async function loadFigures(by: StepName, from: number | undefined, signal: AbortSignal): Promise<Figures> {
  const now = Date.now();
  const days = { from: from === undefined ? FIRST_DAY : compact(from), to: compact(now) };
  const { body } = await read('/middleware/figures/{from}/{to}', { ...days, by }, signal);
  const found = new Map(body.map((one) => [Number(one.start), one]));
  const steps: StepFigures[] = [];
  const nothing = body.at(-1)?.coinbase === null ? null : '0';
  const first = from === undefined ? Number(body[0]?.start ?? now) : from - (from % (by === 'hour' ? HOUR_MS : DAY_MS));
  for (let start = first; start <= now; start = after(start, by)) {
    const one = found.get(start);
    const isOpen = after(start, by) > now;
    if (one === undefined) steps.push({ ...EMPTY, coinbase: nothing, start, kinds: byKind({}), isOpen });
    else {
      const { transactions, types, fees, size, coinbase, key_blocks: keyBlocks } = one;
      steps.push({
        ...{ start, isOpen, fees, coinbase, kinds: byKind(types) },
        ...{ keyBlocks: Number(keyBlocks), transactions: Number(transactions), bytes: Number(size) },
      });
    }
  }
  const last = body.at(-1)?.total;
  return {
    steps,
    total: last && {
      transactions: Number(last.transactions),
      bytes: Number(last.size),
      coinbase: last.coinbase,
    },
  };
}

/** Before the first æternity network. */
const FIRST_DAY = '20180101';

/** Rows with the times of their micro blocks, which lists and events do not have. */
export function withTimes<Row extends { block_hash?: string }>(
  rows: readonly Row[],
  blocks: readonly { hash: string; time: Integer }[],
): (Row & { time?: Integer })[] {
  const times = new Map(blocks.map(({ hash, time }) => [hash, time]));
  return rows.map((row) => {
    const time = times.get(row.block_hash ?? '');
    return time === undefined ? row : { ...row, time };
  });
}
