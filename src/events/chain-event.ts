import { readTransaction } from '../chain/facts.js';
import { memberSpan, memberText } from '../chain/json.js';
import { objectIds } from '../chain/objects.js';
import { heightOf, microOf, txOf } from '../chain/position.js';
import type { EventKind, EventRow } from '../store/queries/events.js';
import { formatCursor } from './cursor.js';
import type { Kind } from './protocol.js';

/** What happened, ready to be told. */
export interface ChainEvent {
  readonly seq: number;
  /** Subscribers of this kind are told. */
  readonly kind: Exclude<Kind, 'object'>;
  /** Otherwise it is only for those who are told the stored chain while it is loaded. */
  readonly announced: boolean;
  /** Where it happened: of a rollback, the first place that was taken back. */
  readonly position: bigint;
  /** JSON, with every digit that the node printed. */
  readonly data: string;
  readonly cursor: string;
  /** When it was committed, ms since 1970. */
  readonly at: number;
  /** Identifiers whose subscribers are told as well; empty for all but first sightings of transactions. */
  objects(): ReadonlySet<string>;
}

const SUBSCRIBERS: Record<EventKind, ChainEvent['kind']> = {
  key_block: 'key_blocks',
  micro_block: 'micro_blocks',
  transaction: 'transactions',
  tx_update: 'tx_update',
  left: 'tx_update',
  rollback: 'rollback',
  load_rollback: 'rollback',
  load_left: 'tx_update',
};

const NONE: ReadonlySet<string> = new Set();

/** `topBefore`: hash of the block that was the top before it; only needed for transactions that left the chain. */
export function chainEvent(row: EventRow, topBefore?: string): ChainEvent {
  let ids: ReadonlySet<string> | undefined;
  return {
    seq: row.seq,
    kind: SUBSCRIBERS[row.kind],
    announced: row.kind !== 'load_rollback' && row.kind !== 'load_left',
    position: row.position,
    data: dataOf(row),
    cursor: cursorOf(row, topBefore ?? ''),
    at: row.at,
    objects: () => (ids ??= row.kind === 'transaction' ? objectIds(readTransaction(row.body)) : NONE),
  };
}

function dataOf({ kind, position, hash, body }: EventRow): string {
  switch (kind) {
    case 'key_block':
    case 'transaction':
    case 'tx_update':
      return body;
    case 'micro_block':
      // Clients recognise a micro block by this number. The original's came from its database; this one is the same in all.
      return withMembers(body, `"key_block_id":${heightOf(position) + 1}`);
    case 'left':
    case 'load_left':
      return outsideTheChain(body);
    case 'rollback':
    case 'load_rollback': {
      const height = microOf(position) === 0 ? heightOf(position) - 1 : heightOf(position);
      const top = `{"height":${height},"hash":${hash === '' ? 'null' : `"${hash}"`}}`;
      return body === '' ? top : withMembers(top, body.trim().slice(1, -1).trim());
    }
  }
}

const withMembers = (object: string, members: string): string => `${object.trimEnd().slice(0, -1)},${members}}`;

/** The transaction as the node tells it when it stands in no block. */
function outsideTheChain(body: string): string {
  const changes = [
    { span: memberSpan(body, 'block_hash'), text: '"none"' },
    { span: memberSpan(body, 'block_height'), text: '-1' },
  ].flatMap(({ span, text }) => (span === undefined ? [] : [{ ...span, text }]));
  return changes
    .sort((a, b) => b.start - a.start)
    .reduce((text, change) => text.slice(0, change.start) + change.text + text.slice(change.end), body);
}

function cursorOf({ seq, kind, position, hash, body }: EventRow, topBefore: string): string {
  switch (kind) {
    case 'key_block':
    case 'micro_block':
      return formatCursor({ seq, block: hash, transactions: 0 });
    case 'transaction':
    case 'tx_update': {
      const block = JSON.parse(memberText(body, 'block_hash') ?? '""') as string;
      return formatCursor({ seq, block, transactions: txOf(position) + 1 });
    }
    case 'left':
      return formatCursor({ seq, block: topBefore, transactions: 'all' });
    case 'rollback':
      return formatCursor({ seq, block: hash, transactions: 'all' });
    // What follows these is not in the log: the stored chain goes on from there.
    case 'load_left':
      return formatCursor({ seq: 0, block: topBefore, transactions: 'all' });
    case 'load_rollback':
      return formatCursor({ seq: 0, block: hash, transactions: 'all' });
  }
}
