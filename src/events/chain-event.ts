import { readTransaction } from '../chain/facts.js';
import { memberText } from '../chain/encoding/json-walk.js';
import { EVENT_KINDS, isTargeted, targetsOf } from '../chain/event-kinds.js';
import type { EventKindRules } from '../chain/event-kinds.js';
import { objectIds } from '../chain/objects.js';
import { txOf } from '../chain/position.js';
import type { EventRow } from '../store/queries/events.js';
import { formatCursor } from './cursor.js';
import { keyOfTarget } from './protocol.js';

/** An event of the log or of the stored chain, ready to be sent. */
export interface ChainEvent {
  readonly seq: number;
  /** Subscribers of this kind receive it. */
  readonly kind: EventKindRules['topic'];
  /** If false, the event is only for clients that replay the stored chain during the first load. */
  readonly announced: boolean;
  /** Position of the block or transaction; of a rollback, the first position that was removed. */
  readonly position: bigint;
  /** JSON, with all digits as the node returned them. */
  readonly data: string;
  readonly cursor: string;
  /** Mark of the row of the log, see `EventRow`. */
  readonly mark: string;
  /** When it was committed, ms since 1970. */
  readonly at: number;
  /** Targets whose subscribers also receive it: the objects in a transaction that is new, the contracts of logs, the tokens and accounts of transfers. */
  objects(): ReadonlySet<string>;
  /** What subscribers of another kind receive of the same row, after this; undefined if there is nothing for them. */
  readonly also: ChainEvent | undefined;
}

/** What is sent of an event, in this order. */
export const partsOf = (event: ChainEvent): readonly ChainEvent[] =>
  event.also === undefined ? [event] : [event, event.also];

const NONE: ReadonlySet<string> = new Set();

/** Makes an event of a row. `headBefore`: hash of the head before it, needed only for transactions that a reorg removed. */
export function chainEvent(row: EventRow, headBefore?: string): ChainEvent {
  const form = EVENT_KINDS[row.kind];
  const placed = {
    seq: row.seq,
    announced: form.announced,
    position: row.position,
    cursor: cursorOf(row, form, headBefore ?? ''),
    at: row.at,
    mark: row.mark,
  };
  const part = ({ topic, toObjects }: Sent, data: string, also?: ChainEvent): ChainEvent => {
    let ids: ReadonlySet<string> | undefined;
    return { ...placed, kind: topic, data, objects: () => (ids ??= idsIn(data, topic, toObjects)), also };
  };
  const other = form.also?.payload(row);
  return part(
    form,
    form.payload(row),
    other === undefined ? undefined : part({ topic: form.also!.topic, toObjects: false }, other),
  );
}

type Sent = Pick<EventKindRules, 'topic' | 'toObjects'>;

function idsIn(data: string, topic: EventKindRules['topic'], toObjects: boolean): ReadonlySet<string> {
  if (toObjects) return objectIds(readTransaction(data));
  if (!isTargeted(topic)) return NONE;
  return new Set(
    targetsOf(topic)!
      .in(data)
      .map((target) => keyOfTarget(topic, target)),
  );
}

function cursorOf(row: EventRow, form: EventKindRules, headBefore: string): string {
  // After an event that is not announced, a client continues with the stored chain, because the next events are not in the log.
  const seq = form.announced ? row.seq : 0;
  switch (form.subject) {
    case 'block':
      return formatCursor({ seq, block: row.hash, transactions: 0 });
    case 'logs':
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
