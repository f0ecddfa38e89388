/** Lists of what transactions did to names and oracles: each row shows the transaction of its own type, which another one may wrap. */
import { heightOf } from '../../chain/position.js';
import { isObject, parseExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import { nestedTransactions } from '../../chain/transactions/nested.js';
import type { Queryable } from '../../store/connection/database.js';
import { filteredTransactions } from '../../store/queries/compat/transaction-lists.js';
import type { TransactionFilter } from '../../store/queries/compat/transaction-lists.js';
import { transactionTotal } from '../../store/queries/compat/transaction-totals.js';
import type { CompatTransactionRow } from '../../store/queries/compat/transactions.js';
import { memberIs } from './mentions.js';
import { inOrder, rangeOf } from './page.js';
import type { ReadPart } from './page.js';
import { textOf } from './render/values.js';

export interface Effect {
  position: bigint;
  row: CompatTransactionRow;
  /** The transaction of the own type. */
  tx: JsonObject;
  /** Members that rows of all such lists have. */
  common: JsonObject;
}

/** What a transaction of one of the types did; undefined if it is of another type. */
export function effectOf(row: CompatTransactionRow, types: readonly string[]): Effect | undefined {
  const envelope = parseExact(row.body) as JsonObject;
  const nested = [...nestedTransactions(envelope['tx'])];
  const tx = nested.find((one) => types.includes(textOf(one['type'])));
  const outer = nested[0];
  if (tx === undefined || outer === undefined || !isObject(tx)) return undefined;
  const position = BigInt(row.position);
  return {
    position,
    row,
    tx,
    common: {
      height: envelope['block_height'] ?? heightOf(position),
      block_hash: envelope['block_hash']!,
      block_time: Number(row.micro_time),
      source_tx_hash: envelope['hash']!,
      source_tx_type: outer['type']!,
      internal_source: outer['type'] !== tx['type'],
    },
  };
}

const filterOf = (of: TransactionFilter, types: readonly string[]): TransactionFilter => ({
  ...of,
  texts: [...of.texts, memberIs('type', types)],
});

/** Reads parts of a list of effects of these types. `render` makes the rows of a page, and may read more for all of them together. */
export function readEffects(
  db: Queryable,
  of: TransactionFilter,
  types: readonly string[],
  render: (effects: readonly Effect[]) => Promise<readonly JsonObject[]>,
): ReadPart {
  const filter = filterOf(of, types);
  return async (part) => {
    const { rows, head } = await filteredTransactions(db, { ...filter, ...rangeOf(part, of) }, part);
    const effects = rows.flatMap((row) => effectOf(row, types) ?? []);
    const rendered = await render(effects);
    const found = effects.map(({ position }, i) => ({ key: [position], value: rendered[i] }));
    return { rows: inOrder(found, part), head };
  };
}

/** The list of effects of these types: its parts, and its length. */
export const effectList = (...of: Parameters<typeof readEffects>) => {
  const [db, filter, types] = of;
  return { read: readEffects(...of), total: () => transactionTotal(db, filterOf(filter, types)) };
};
