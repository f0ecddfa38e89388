import type { ComponentChildren } from 'preact';

export interface Column {
  title: string;
  /** Whether the column is aligned to the right. */
  number?: boolean;
}

/** A table that can be scrolled if the page is too narrow. `children` are its rows. */
export function Table(props: { label: string; columns: readonly Column[]; children: ComponentChildren }) {
  const { label, columns, children } = props;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, number = false }) => (
              <th key={title} scope="col" class={number ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
