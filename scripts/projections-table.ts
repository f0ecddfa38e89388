import { PROJECTIONS } from '../src/store/projections/list.js';

/** The table of derived tables in `docs/architecture.md`. */
export const projectionsTable = (): string =>
  [
    '| Tables | In | Written |',
    '| --- | --- | --- |',
    ...PROJECTIONS.map(({ name, written, tables }) => {
      const names = tables.map((table) => `\`${table.name}\``).join(', ');
      return `| ${names} | \`store/projections/${name}\` | ${written} |`;
    }),
  ].join('\n');
