import type { ComponentChildren } from 'preact';
import { coin } from '../coin.js';
import { Empty } from './card.js';

export interface Column {
  title: string;
  /** Whether the column is aligned to the right. */
  number?: boolean;
  /** Whether its numbers are coins: the symbol follows the title. */
  isCoins?: boolean;
  /** Whether the column takes the width that the others leave. */
  fill?: boolean;
}

/**
 * A table. `children` are its rows. On a phone a row has two lines: the cells of class `a` (what) and `b` (how much), then
 * `c` (of which kind) and `e` (when); the others are not shown.
 */
export function Table(props: { label: string; columns: readonly Column[]; children: ComponentChildren }) {
  const { label, columns, children } = props;
  return (
    <div class="scroll">
      <table class="rows" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, number = false, isCoins = false, fill = false }) => (
              <th key={title} scope="col" class={number ? 'n' : fill ? 'fill' : undefined}>
                {isCoins ? `${title}, ${coin.symbol}` : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A table with a row for each object, or a sentence if there are none. */
export function Rows<Row>(props: {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  empty: string;
  children: (row: Row) => ComponentChildren;
}) {
  const { label, columns, rows, empty, children } = props;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <Table label={label} columns={columns}>
      {rows.map(children)}
    </Table>
  );
}
