/** Verifies the event log against the stored chain: clients that resume are sent its rows as they are. */
import { EVENT_KINDS } from '../../chain/event-kinds.js';
import type { EventKind } from '../../chain/event-kinds.js';
import type { Queryable } from '../connection/database.js';
import { KIND_FOR_EARLIER, kindList, kindOf } from '../event-kinds.js';
import { compareRows } from '../facts/difference.js';
import type { Difference } from '../facts/difference.js';
import { membersOf } from '../facts/read.js';

/** Events of a part: few, because new blocks have to wait for it. */
const PAGE = 500;

interface EventRow {
  seq: string;
  kind: string;
  /** What programs see that do not know the kind. */
  earlier_kind: string;
  position: string;
  hash: string;
  body: string;
  /** The event before; null for the first one of the log. */
  before: string | null;
  before_kind: string | null;
  before_position: string | null;
  /** Number of the first event of the log. */
  first: string;
  /** An earlier event announced the same transaction. */
  repeats: boolean;
  /** It does not fit what is stored, and a later event took it back. */
  undone: boolean;
  /** What is stored at its position; null if nothing is. */
  stored_hash: string | null;
  stored_body: string | null;
}

const OF_ROLLBACKS = kindList(({ subject, announced }) => subject === 'rollback' && announced);
const OF_TRANSACTIONS = kindList(
  ({ subject, announced }) => announced && (subject === 'transaction' || subject === 'removed transaction'),
);

/**
 * The parts of the verification of the log: that its numbers have no gaps, that each event that no later one takes back is about what is
 * stored at its position, and that each text has the hash of its event. What was removed from the chain is stored in the log alone: the
 * rest of these texts cannot be verified.
 */
export async function eventTasks(db: Queryable, page = PAGE): Promise<((on: Queryable) => Promise<Difference[]>)[]> {
  const { first, last } = await readBounds(db);
  if (first === null || last === null) return [];
  const afters: bigint[] = [];
  for (let after = BigInt(first) - 1n; after < BigInt(last); after += BigInt(page)) afters.push(after);
  return [verifyLast, ...afters.map((after) => (on: Queryable) => verifyPage(on, after, after + BigInt(page)))];
}

interface Bounds {
  /** Null if the log is empty. */
  first: string | null;
  last: string | null;
  /** The number of the last event, as the chain has it. */
  counted: string;
}

async function readBounds(db: Queryable): Promise<Bounds> {
  const { rows } = await db.query<Bounds>({
    name: 'verify.events-bounds',
    text: `
      SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last, c.event_seq AS counted FROM chain AS c`,
  });
  return rows[0]!;
}

/** Verifies that the newest event is the one that the chain counted last. */
async function verifyLast(db: Queryable): Promise<Difference[]> {
  const { last, counted } = await readBounds(db);
  if (last === null) return [];
  return compareRows({ table: 'chain', key: ['the row'], height: null }, { event_seq: last }, { event_seq: counted });
}

/** Verifies the events above number `after`, up to `to`. */
async function verifyPage(db: Queryable, after: bigint, to: bigint): Promise<Difference[]> {
  // Only an event that does not fit what is stored may have been taken back: the log is searched for these few.
  const { rows } = await db.query<EventRow>({
    name: 'verify.events',
    text: `
      SELECT e.seq, ${kindOf('e')} AS kind, e.kind AS earlier_kind, e.position, e.hash, e.body, b.seq AS before, ${kindOf('b')} AS before_kind, b.position AS before_position,
        (SELECT min(seq) FROM events) AS first,
        EXISTS (SELECT FROM events AS a WHERE a.hash = e.hash AND a.seq < e.seq AND a.kind IN (${OF_TRANSACTIONS})) AS repeats,
        CASE WHEN s.hash = e.hash AND (s.body = e.body OR e.later_kind IS NOT NULL) THEN false ELSE EXISTS (
          SELECT FROM events AS r WHERE r.seq > e.seq AND r.kind IN (${OF_ROLLBACKS}) AND r.position <= e.position
        ) END AS undone,
        s.hash AS stored_hash, s.body AS stored_body
      FROM events AS e
      LEFT JOIN events AS b ON b.seq = (SELECT max(seq) FROM events WHERE seq < e.seq)
      LEFT JOIN key_block_texts AS k ON e.kind = 'key_block' AND k.height = e.position >> 33 AND k.height << 33 = e.position
      LEFT JOIN micro_blocks AS m ON e.kind = 'micro_block' AND m.position = e.position
      LEFT JOIN transactions AS t ON ${kindOf('e')} IN ('transaction', 'tx_update', 'contract_logs') AND t.position = e.position
      CROSS JOIN LATERAL (
        SELECT COALESCE(k.hash, m.hash, t.hash) AS hash, COALESCE(k.body, m.body, t.body) AS body
      ) AS s
      WHERE e.seq > $1 AND e.seq <= $2
      ORDER BY e.seq`,
    values: [after, to],
  });
  return rows.flatMap(differencesOf);
}

function differencesOf(row: EventRow): Difference[] {
  const place = { table: 'events', key: [row.seq], height: null };
  const isGap = row.before !== null && BigInt(row.before) !== BigInt(row.seq) - 1n;
  const missing = isGap ? compareRows({ ...place, key: [String(BigInt(row.seq) - 1n)] }, {}, undefined) : [];
  return [...missing, ...compareRows(place, expectedOf(row), row)];
}

/** The columns of an event that are known from the rest of the copy. */
function expectedOf(row: EventRow): object {
  if (!Object.hasOwn(EVENT_KINDS, row.kind)) return { kind: 'a known kind' };
  const kind = row.kind as EventKind;
  const { subject, announced } = EVENT_KINDS[kind];
  if (subject === 'rollback') {
    const members = membersOf(row.body);
    const removed = members['removed'];
    return Array.isArray(removed) && removed.length <= Number(members['removed_count'])
      ? {}
      : { body: 'removed blocks, and their number' };
  }
  const members = membersOf(row.body);
  const inText = members['hash'];
  const named = typeof inText === 'string' ? { hash: inText } : { body: 'a text with a hash' };
  const position = subject === 'removed transaction' || subject === 'logs' ? undefined : positionIn(row, kind, members);
  // What an event of before the oldest one announced is not known any more.
  const isKnown = row.repeats || row.first === '1';
  const again = subject === 'transaction' && isKnown ? { kind: row.repeats ? 'tx_update' : 'transaction' } : {};
  const stands = announced && !row.undone && subject !== 'removed transaction';
  // Nodes may tell other logs later than the ones that were announced.
  const text = subject === 'logs' ? { earlier_kind: KIND_FOR_EARLIER } : { body: row.stored_body };
  return {
    ...named,
    ...(position !== undefined && { position }),
    ...again,
    ...(stands && { hash: row.stored_hash, ...text }),
  };
}

/** The position of a key block follows from its height, that of a transaction from the event before it; undefined if it is not known. */
function positionIn(row: EventRow, kind: EventKind, members: Readonly<Record<string, unknown>>): string | undefined {
  if (kind === 'key_block') {
    const height = String(members['height']);
    return /^\d+$/.test(height) ? String(BigInt(height) << 33n) : 'that of its height';
  }
  if (kind === 'micro_block' || row.before_position === null) return undefined;
  return row.before_kind === 'micro_block' ? row.before_position : String(BigInt(row.before_position) + 1n);
}
