/** Verifies the transactions of a window. */
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import type { Read } from '../facts/read.js';
import type { WindowFacts } from '../facts/window.js';
import type { BlockTexts } from './blocks.js';

export function transactionColumns(rows: WindowFacts, transactions: readonly Read[], texts: BlockTexts): Difference[] {
  const blocks = new Map(
    rows.microBlocks.map(({ position, hash }) => {
      const place = BigInt(position);
      return [place, { hash, height: texts.microBlocks.get(place)!['height'] }];
    }),
  );
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
    if (found.blockHash !== block.hash || found.blockHeight !== block.height)
      differences.push({
        ...place,
        column: 'body',
        expected: `in ${block.hash} at ${String(block.height)}`,
        stored: `in ${found.blockHash} at ${found.blockHeight}`,
      });
  }
  return differences;
}
