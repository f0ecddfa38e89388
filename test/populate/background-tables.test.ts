import { mendsChangesByHand } from '../support/mending.js';

mendsChangesByHand('mends one value changed by hand, in every table, into the copy of a clean load', (columns) => [
  ...new Map(columns.map((column) => [column.table, column])).values(),
]);
