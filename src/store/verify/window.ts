/** Verifies the generations of a window, and all projections of them alone. */
import { recompute } from '../../chain/recompute/transaction.js';
import type { Queryable } from '../connection/database.js';
import { keyBlocks, microBlocks } from './blocks.js';
import { contractCalls, contracts } from './calls.js';
import type { CallDecoder } from './calls.js';
import { compareRows, heightOfPosition } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { lifetimes } from './lifetimes.js';
import { addNameLists } from './pointers.js';
import { proveWindow } from './proof.js';
import { textsOf } from '../facts/read.js';
import { sums, typeSums } from './sums.js';
import { entries, transactionColumns } from './transactions.js';
import { readWindow } from '../facts/window.js';
import type { Window, WindowRows } from '../facts/window.js';

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
  const rows = await readWindow(db, window);
  const transactions = rows.transactions.map((row) => {
    return { row, position: BigInt(row.position), found: recompute(textsOf(row)) };
  });
  await addNameLists(db, window, transactions);
  return [
    ...keyBlocks(window, rows),
    ...microBlocks(window, rows, transactions),
    ...transactionColumns(rows, transactions),
    ...entries(rows, transactions),
    ...sums(window, rows),
    ...typeSums(window, rows),
    ...(await lifetimes(db, 'oracle_queries', window, rows.queries, transactions)),
    ...(await lifetimes(db, 'channels', window, rows.channels, transactions)),
    ...contracts(rows, transactions),
    ...contractCalls(rows, transactions, calls),
    ...hidden(rows),
    ...strays(rows),
    ...(prove ? proveWindow(window, rows, acceptUnknownProtocol) : []),
  ];
}

/** Transactions without the row by which their hash is looked up in the partitioned layout. */
function hidden({ hidden: positions }: WindowRows): Difference[] {
  return positions.flatMap((position) =>
    compareRows({ table: 'transaction_hashes', key: [position], height: heightOfPosition(position) }, {}, undefined),
  );
}

/** Rows that refer to blocks and transactions that are not stored. */
function strays({
  strayInfos,
  unproven,
  keyBlocks: keys,
  microBlocks: micros,
  transactions,
}: WindowRows): Difference[] {
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
