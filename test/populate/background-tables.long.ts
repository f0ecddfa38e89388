import { mendsChangesByHand } from '../support/mending.js';

mendsChangesByHand(
  'mends one value changed by hand, in every column of every table, into the copy of a clean load',
  (columns) => [...columns],
);
