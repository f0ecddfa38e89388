/** Verifies the sums of each generation of a window, and the totals up to it. */
import { compareAll, heightOfPosition } from '../facts/difference.js';
import type { Difference, Key } from '../facts/difference.js';
import type { Window, WindowRows } from '../facts/window.js';

export function sums({ from }: Window, { keyBlocks: keys, transactions, sums: rows }: WindowRows): Difference[] {
  const base = rows.find(({ height }) => BigInt(height) < from);
  const inside = new Map<number, { count: number; size: bigint; fees: bigint }>();
  for (const { position, size, fee } of transactions) {
    const height = heightOfPosition(position);
    const sum = inside.get(height) ?? { count: 0, size: 0n, fees: 0n };
    if (sum.count === 0) inside.set(height, sum);
    sum.count++;
    sum.size += BigInt(size);
    sum.fees += BigInt(fee);
  }
  let [total, sizeTotal, maxTime] = [base?.tx_total, base?.size_total, base?.max_time].map((text) =>
    BigInt(text ?? 0),
  ) as [bigint, bigint, bigint];
  const expected: [Key, object][] = [];
  for (const { height, time } of keys) {
    if (BigInt(height) < from) continue;
    const { count, size, fees } = inside.get(Number(height)) ?? { count: 0, size: 0n, fees: 0n };
    total += BigInt(count);
    sizeTotal += size;
    if (BigInt(time) > maxTime) maxTime = BigInt(time);
    const sums = { tx_count: count, size, fees, tx_total: total, size_total: sizeTotal, max_time: maxTime };
    expected.push([[height], sums]);
  }
  const stored = rows.filter((row) => row !== base).map((row) => [[row.height], row] as const);
  return ofNoHeight(compareAll('generations', ([height]) => Number(height), expected, stored));
}

export function typeSums({ from }: Window, { transactions, typeSums: rows }: WindowRows): Difference[] {
  const totals = new Map<number, bigint>();
  const stored: [Key, object][] = [];
  for (const row of rows) {
    if (BigInt(row.height) < from) totals.set(row.type, BigInt(row.total));
    else stored.push([[BigInt(row.type), row.height], row]);
  }
  const expected = new Map<string, { key: Key; count: number; total: bigint }>();
  for (const { code, position } of transactions) {
    const key = [BigInt(code), BigInt(heightOfPosition(position))];
    const total = (totals.get(code) ?? 0n) + 1n;
    totals.set(code, total);
    const sum = expected.get(key.join(' '));
    if (sum === undefined) expected.set(key.join(' '), { key, count: 1, total });
    else [sum.count, sum.total] = [sum.count + 1, total];
  }
  const rowsOf = [...expected.values()].map(({ key, ...sum }) => [key, sum] as const);
  return ofNoHeight(compareAll('generation_types', ([, height]) => Number(height), rowsOf, stored));
}

const TOTALS: readonly (string | null)[] = ['tx_total', 'size_total', 'total', 'max_time'];

/** No height mends a wrong total, because it depends on all heights below: a reload would change it and the totals above by the same amount. */
const ofNoHeight = (differences: readonly Difference[]): Difference[] =>
  differences.map((one) => (TOTALS.includes(one.column) ? { ...one, height: null } : one));
