import { readTransaction } from '../chain/facts.js';
import { memberText } from '../chain/encoding/json-walk.js';
import { EVENT_KINDS } from '../chain/event-kinds.js';
import type { EventKindRules } from '../chain/event-kinds.js';
import { objectIds } from '../chain/objects.js';
import { txOf } from '../chain/position.js';
import type { EventRow } from '../store/queries/events.js';
import { formatCursor } from './cursor.js';
import { logsKey } from './protocol.js';

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
  /** Targets whose subscribers also receive it: the objects in a transaction that is new, the contracts of logs. */
  objects(): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Makes an event of a row. `headBefore`: hash of the head before it, needed only for transactions that a reorg removed. */
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
    objects: () => (ids ??= targetsOf(row, form)),
  };
}

function targetsOf({ body }: EventRow, { toObjects, subject }: EventKindRules): ReadonlySet<string> {
  if (toObjects) return objectIds(readTransaction(body));
  if (subject !== 'logs') return NONE;
  const { logs } = JSON.parse(body) as { logs: { contract_id: string; called_id: string }[] };
  return new Set(logs.flatMap(({ contract_id: emitter, called_id: called }) => [logsKey(emitter), logsKey(called)]));
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
