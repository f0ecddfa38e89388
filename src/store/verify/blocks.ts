/** Verifies the columns of the key blocks and micro blocks of a window against their texts, and each block against the one before it. */
import { consensusOf, isMicroHeight } from '../../chain/protocol/generations.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { membersOf } from '../facts/read.js';
import type { Read } from '../facts/read.js';
import type { Window, WindowFacts } from '../facts/window.js';

type Members = Record<string, unknown>;

/** The members of the texts of the blocks of a window: of key blocks by height, of micro blocks by position. */
export interface BlockTexts {
  keyBlocks: ReadonlyMap<number, Members>;
  microBlocks: ReadonlyMap<bigint, Members>;
}

export const readBlocks = ({ keyBlocks: keys, microBlocks: micros }: WindowFacts): BlockTexts => ({
  keyBlocks: new Map(keys.map(({ height, body }) => [Number(height), membersOf(body)])),
  microBlocks: new Map(micros.map(({ position, body }) => [BigInt(position), membersOf(body)])),
});

export function keyBlocks(
  { from }: Window,
  { keyBlocks: rows, microBlocks: micros }: WindowFacts,
  texts: BlockTexts,
): Difference[] {
  let microsAt = 0;
  return rows.flatMap((row, i) => {
    if (BigInt(row.height) < from) return [];
    const body = texts.keyBlocks.get(Number(row.height))!;
    const expected: Members = { height: row.height };
    for (const column of ['height', 'hash', 'prev_hash', 'prev_key_hash', 'beneficiary', 'time', 'version', 'target'])
      expected[column] = body[column];
    const before = rows[i - 1];
    if (before !== undefined && BigInt(before.height) + 1n === BigInt(row.height)) {
      while (microsAt < micros.length && BigInt(micros[microsAt]!.position) < BigInt(row.height) << 33n) microsAt++;
      const last = micros[microsAt - 1];
      const follows = last !== undefined && heightOfPosition(last.position) === Number(before.height);
      expected['prev_hash'] = follows ? last.hash : before.hash;
      expected['prev_key_hash'] = before.hash;
    }
    return compareRows({ table: 'key_blocks', key: [row.height], height: Number(row.height) }, expected, row);
  });
}

export function microBlocks(
  { from }: Window,
  rows: WindowFacts,
  transactions: readonly Read[],
  texts: BlockTexts,
): Difference[] {
  const inside = new Map<bigint, Read[]>();
  for (const transaction of transactions) {
    const micro = (transaction.position >> 16n) << 16n;
    const list = inside.get(micro);
    if (list === undefined) inside.set(micro, [transaction]);
    else list.push(transaction);
  }
  const keys = new Map(rows.keyBlocks.map((row) => [Number(row.height), row]));
  const differences: Difference[] = [];
  let before: { position: bigint; hash: string } | undefined;
  for (const row of rows.microBlocks) {
    const position = BigInt(row.position);
    if (position < from << 33n) continue;
    const height = heightOfPosition(position);
    const place = { table: 'micro_blocks', key: [row.position], height };
    const isFirst = before === undefined || heightOfPosition(before.position) !== height;
    const previous = isFirst ? keys.get(height)?.hash : before!.hash;
    const follows = isFirst ? (BigInt(height) << 33n) + (1n << 16n) : before!.position + (1n << 16n);
    before = { position, hash: row.hash };
    if (previous === undefined || follows !== position) {
      // Its generation is not stored, or its number is not the next one (they begin at 1 and have no gaps).
      differences.push(...compareRows(place, undefined, row));
      continue;
    }
    const body = texts.microBlocks.get(position)!;
    const own = inside.get(position) ?? [];
    const spent = own.flatMap(({ found }) => (found?.spent === undefined ? [] : [found.spent]));
    const expected = {
      hash: body['hash'],
      prev_hash: previous,
      time: body['time'],
      tx_count: own.length,
      spend_count: spent.length,
      spend_amount: spent.reduce((sum, amount) => sum + amount, 0n),
    };
    differences.push(...compareRows(place, expected, row));
    const key = keys.get(height);
    const isOfGeneration =
      key === undefined ||
      (isMicroHeight({ height, consensus: consensusOf(texts.keyBlocks.get(height)!) }, Number(body['height'])) &&
        body['version'] === key.version);
    if (body['prev_hash'] !== row.prev_hash || !isOfGeneration)
      differences.push({
        ...place,
        column: 'body',
        expected: `prev_hash ${previous}, a height and version of generation ${height}`,
        stored: 'others',
      });
  }
  return differences;
}
