/** Verifies the generations of a window, and all projections of them alone. */
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { textsOf } from '../facts/read.js';
import { readFacts } from '../facts/window.js';
import type { Window, WindowFacts } from '../facts/window.js';
import { PROJECTIONS } from '../projections/list.js';
import type { CallDecoder } from '../projections/projection.js';
import { keyBlocks, microBlocks, readBlocks } from './blocks.js';
import { proveWindow } from './proof.js';
import { transactionColumns } from './transactions.js';

export interface VerifyOptions {
  calls: CallDecoder;
  /** Verify also that the facts give their own hashes. */
  prove: boolean;
  /** Whether blocks whose protocol version is not known are no difference. */
  acceptUnknownProtocol: boolean;
}

export async function verifyWindow(
  db: Queryable,
  window: Window,
  { calls, prove, acceptUnknownProtocol }: VerifyOptions,
): Promise<Difference[]> {
  const facts = await readFacts(db, window);
  const transactions = facts.transactions.map((row) => {
    return { row, position: BigInt(row.position), found: recompute(textsOf(row)) };
  });
  const texts = readBlocks(facts);
  const differences = [
    ...keyBlocks(window, facts, texts),
    ...microBlocks(window, facts, transactions, texts),
    ...transactionColumns(facts, transactions, texts),
  ];
  const checked = { ...window, keyBlocks: facts.keyBlocks, transactions, calls };
  for (const projection of PROJECTIONS) differences.push(...((await projection.window?.(db, checked)) ?? []));
  return [...differences, ...strays(facts), ...(prove ? proveWindow(window, facts, acceptUnknownProtocol) : [])];
}

/** Rows that refer to blocks and transactions that are not stored. */
function strays({
  strayInfos,
  unproven,
  keyBlocks: keys,
  microBlocks: micros,
  transactions,
}: WindowFacts): Difference[] {
  const hashes = new Map<string, string>();
  if (unproven.length > 0) {
    for (const { height, hash } of keys) hashes.set(`${BigInt(height) << 33n} ${hash}`, 'KeyBlock');
    for (const { position, hash } of micros) hashes.set(`${position} ${hash}`, 'MicroBlock');
    for (const { position, hash, type } of transactions) hashes.set(`${position} ${hash}`, type ?? '');
  }
  return [
    ...strayInfos.flatMap((position) =>
      compareRows({ table: 'infos', key: [position], height: heightOfPosition(position) }, undefined, {}),
    ),
    ...unproven.flatMap((row) => {
      const type = hashes.get(`${row.position} ${row.hash}`);
      const place = { table: 'unproven', key: [row.position, row.hash], height: heightOfPosition(row.position) };
      return compareRows(place, type === undefined ? undefined : { type }, row);
    }),
  ];
}
