/** Verifies the transactions of a window, and the lists that contain them. */
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import type { Read } from '../facts/read.js';
import type { WindowRows } from '../facts/window.js';

export function transactionColumns(rows: WindowRows, transactions: readonly Read[]): Difference[] {
  const blocks = new Map(rows.microBlocks.map(({ position, hash }) => [BigInt(position), hash]));
  const differences: Difference[] = [];
  let before = -1n;
  for (const { row, position, found } of transactions) {
    const height = heightOfPosition(position);
    const place = { table: 'transactions', key: [row.position], height };
    const micro = (position >> 16n) << 16n;
    const block = blocks.get(micro);
    const isNext = position === micro || position === before + 1n;
    before = position;
    if (block === undefined || !isNext) {
      differences.push(...compareRows(place, undefined, row));
      continue;
    }
    if (found === undefined) {
      differences.push({ ...place, column: 'body', expected: 'tx at tx_start with tx_length', stored: null });
      continue;
    }
    const { hash, type, valid, size, fee } = found;
    const isSame = row.hash === hash && row.type === type && row.valid === valid && row.size === size;
    if (!isSame || row.fee !== String(fee))
      differences.push(...compareRows(place, { hash, type, valid, size, fee }, row));
    if (found.blockHash !== block || found.blockHeight !== height)
      differences.push({
        ...place,
        column: 'body',
        expected: `in ${block} at ${height}`,
        stored: `in ${found.blockHash} at ${found.blockHeight}`,
      });
  }
  return differences;
}

export function entries(rows: WindowRows, transactions: readonly Read[]): Difference[] {
  const stored = new Map(rows.entries.map((entry) => [entry.position, entry]));
  const differences: Difference[] = [];
  const differ = (position: string, list: string, isExpected: boolean): void => {
    const place = { table: 'entries', key: [position, list], height: heightOfPosition(position) };
    differences.push(...compareRows(place, isExpected ? {} : undefined, isExpected ? undefined : {}));
  };
  const labelsOf = (entry: { lists: string } | undefined): string[] =>
    entry === undefined ? [] : entry.lists.split(',').map((key) => rows.lists.get(key) ?? '?');
  for (const { row, found } of transactions) {
    const { position, code } = row;
    const entry = stored.get(position);
    stored.delete(position);
    if (found === undefined) continue;
    // The expected lists that are stored are removed from the set; nothing else reads it. The rest is missing.
    const { lists: missing } = found;
    for (const list of labelsOf(entry)) if (!missing.delete(list)) differ(position, list, false);
    for (const list of missing) differ(position, list, true);
    if (entry === undefined || (entry.low === code && entry.high === code)) continue;
    const place = { table: 'entries', key: [position], height: heightOfPosition(position), column: 'type' };
    differences.push({ ...place, expected: String(code), stored: `${entry.low} to ${entry.high}` });
  }
  for (const entry of stored.values()) for (const list of labelsOf(entry)) differ(entry.position, list, false);
  return differences;
}
