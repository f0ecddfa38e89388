import { kindsWhere } from '../chain/event-kinds.js';
import type { EventKind, EventKindRules } from '../chain/event-kinds.js';

/** Kinds of events whose rules match, as elements of an SQL list. The kinds are constants of this program, so they need no parameters. */
export const kindList = (holds: (form: EventKindRules) => boolean): string =>
  kindsWhere(holds)
    .map((kind) => `'${kind}'`)
    .join(', ');

/**
 * The kind of a row of events. Kinds since migration 0034 are in a column of their own: programs of before see a kind that they announce to
 * nobody. So the column `kind` is never one of these.
 */
export const kindOf = (e = 'events'): string => `COALESCE(${e}.later_kind, ${e}.kind)`;

/** What earlier programs see in place of a later kind. */
export const KIND_FOR_EARLIER = 'load_left' satisfies EventKind;
