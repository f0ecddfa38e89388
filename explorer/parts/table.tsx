import type { ComponentChildren } from 'preact';
import { coin } from '../coin.js';

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
        <Heads of={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Rows that are not there yet, in the final columns. The heads are there at once. */
export const BoneRows = ({ columns }: { columns: readonly Column[] }) => (
  <div class="scroll" aria-hidden="true">
    <table class="rows">
      <Heads of={columns} />
      <tbody class="bones">
        {Array.from({ length: BONE_ROWS }, (_, row) => (
          <tr key={row}>
            {columns.map(({ title, number = false, fill = false }, i) => (
              <td key={title} class={`${PHONE_CELLS[i] ?? ''} ${number ? 'n' : ''} ${fill ? 'fill' : ''}`}>
                <span class={`bone ${fill ? (row % 2 === 0 ? 'w20' : 'w12') : 'w5'}`} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const BONE_ROWS = 7;
const PHONE_CELLS = ['c', 'a', 'b', 'e'];

const Heads = ({ of }: { of: readonly Column[] }) => (
  <thead>
    <tr>
      {of.map(({ title, number = false, isCoins = false, fill = false }) => (
        <th key={title} scope="col" class={number ? 'n' : fill ? 'fill' : undefined}>
          {isCoins ? `${title}, ${coin.symbol}` : title}
        </th>
      ))}
    </tr>
  </thead>
);

/** A table with a row for each object, or `empty` if there are none. */
export function Rows<Row>(props: {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  empty: ComponentChildren;
  children: (row: Row) => ComponentChildren;
}) {
  const { label, columns, rows, empty, children } = props;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <Table label={label} columns={columns}>
      {rows.map(children)}
    </Table>
  );
}
