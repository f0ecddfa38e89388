import { kindsWhere } from '../chain/event-kinds.js';
import type { EventKindRules } from '../chain/event-kinds.js';

/** Kinds of events whose rules match, as elements of an SQL list. The kinds are constants of this program, so they need no parameters. */
export const kindList = (holds: (form: EventKindRules) => boolean): string =>
  kindsWhere(holds)
    .map((kind) => `'${kind}'`)
    .join(', ');
