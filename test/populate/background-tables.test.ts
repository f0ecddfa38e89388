import { mendsChangesByHand } from '../support/mending.js';
import { shareOf } from '../support/share.js';

mendsChangesByHand('mends one value changed by hand, in every table, into the copy of a clean load', (columns) =>
  shareOf([...new Map(columns.map((column) => [column.table, column])).values()]),
);
