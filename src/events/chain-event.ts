import { readTransaction } from '../chain/facts.js';
import { memberText } from '../chain/encoding/json.js';
import { EVENT_KINDS } from '../chain/event-kinds.js';
import type { EventKindRules } from '../chain/event-kinds.js';
import { objectIds } from '../chain/objects.js';
import { txOf } from '../chain/position.js';
import type { EventRow } from '../store/queries/events.js';
import { formatCursor } from './cursor.js';

/** An event, ready to be published. */
export interface ChainEvent {
  readonly seq: number;
  /** Subscribers of this kind receive it. */
  readonly kind: EventKindRules['topic'];
  /** If false, it is only for clients that replay the stored chain during the first load. */
  readonly announced: boolean;
  /** Position of the block or transaction; of a rollback, the first position that was taken back. */
  readonly position: bigint;
  /** JSON, with all digits as the node printed them. */
  readonly data: string;
  readonly cursor: string;
  /** Of the row of the log, see `EventRow`. */
  readonly mark: string;
  /** When it was committed, ms since 1970. */
  readonly at: number;
  /** Identifiers whose subscribers receive it too; empty except when a transaction is seen for the first time. */
  objects(): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** `headBefore`: hash of the head before the event; only needed for transactions that a reorg removed. */
export function chainEvent(row: EventRow, headBefore?: string): ChainEvent {
  const form = EVENT_KINDS[row.kind];
  let ids: ReadonlySet<string> | undefined;
  return {
    seq: row.seq,
    kind: form.topic,
    announced: form.announced,
    position: row.position,
    data: form.payload(row),
    cursor: cursorOf(row, form, headBefore ?? ''),
    at: row.at,
    mark: row.mark,
    objects: () => (ids ??= form.toObjects ? objectIds(readTransaction(row.body)) : NONE),
  };
}

function cursorOf(row: EventRow, form: EventKindRules, headBefore: string): string {
  // Events after one that is not announced are not in the log: a client continues with the stored chain.
  const seq = form.announced ? row.seq : 0;
  switch (form.subject) {
    case 'block':
      return formatCursor({ seq, block: row.hash, transactions: 0 });
    case 'transaction': {
      const block = JSON.parse(memberText(row.body, 'block_hash') ?? '""') as string;
      return formatCursor({ seq, block, transactions: txOf(row.position) + 1 });
    }
    case 'removed transaction':
      return formatCursor({ seq, block: headBefore, transactions: 'all' });
    case 'rollback':
      return formatCursor({ seq, block: row.hash, transactions: 'all' });
  }
}
