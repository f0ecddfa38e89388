import { kindsWhere } from '../chain/event-kinds.js';
import type { EventKindRules } from '../chain/event-kinds.js';

/** The kinds of which that holds as elements of an SQL list. They are words of our own table, so they need no parameters. */
export const kindList = (holds: (form: EventKindRules) => boolean): string =>
  kindsWhere(holds)
    .map((kind) => `'${kind}'`)
    .join(', ');
