/** Verifies the event log against the stored chain: clients that resume are sent its rows as they are. */
import { EVENT_KINDS } from '../../chain/event-kinds.js';
import type { EventKind } from '../../chain/event-kinds.js';
import type { Queryable } from '../connection/database.js';
import { kindList } from '../event-kinds.js';
import { MAX_ROWS, compareRows } from './difference.js';
import type { Difference } from './difference.js';
import { membersOf } from './read.js';

/** Events that are read at a time. */
const PAGE = 2_000;

interface EventRow {
  seq: string;
  kind: string;
  position: string;
  hash: string;
  body: string;
  /** The event before; null for the first one of the log. */
  before: string | null;
  before_kind: string | null;
  before_position: string | null;
  /** An earlier event announced the same transaction. */
  repeats: boolean;
  /** A later event took it back. */
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
 * Verifies that the numbers of the log have no gaps, that each event that no later one takes back is about what is stored at its position,
 * and that each text has the hash of its event. What was removed from the chain is stored in the log alone: the rest of these texts cannot be verified.
 */
export async function verifyEvents(db: Queryable): Promise<Difference[]> {
  const { rows: bounds } = await db.query<{ first: string | null; last: string | null; counted: string }>({
    name: 'verify.events-bounds',
    text: `
      SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last, c.event_seq AS counted FROM chain AS c`,
  });
  const { first, last, counted } = bounds[0]!;
  if (first === null || last === null) return [];
  const differences = compareRows(
    { table: 'chain', key: 'the row', height: null },
    { event_seq: last },
    { event_seq: counted },
  );
  for (let after = BigInt(first) - 1n; after < BigInt(last) && differences.length < MAX_ROWS;) {
    const rows = await readPage(db, after);
    differences.push(...rows.flatMap((row) => differencesOf(row, first)));
    after = BigInt(rows.at(-1)!.seq);
  }
  return differences;
}

async function readPage(db: Queryable, after: bigint): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>({
    name: 'verify.events',
    text: `
      WITH page AS (SELECT * FROM events WHERE seq > $1 ORDER BY seq LIMIT ${PAGE}),
      rollbacks AS (SELECT seq, position FROM events WHERE seq > $1 AND kind IN (${OF_ROLLBACKS}))
      SELECT e.seq, e.kind, e.position, e.hash, e.body, b.seq AS before,
        b.kind AS before_kind, b.position AS before_position,
        EXISTS (SELECT FROM events AS a WHERE a.hash = e.hash AND a.seq < e.seq AND a.kind IN (${OF_TRANSACTIONS})) AS repeats,
        EXISTS (SELECT FROM rollbacks AS r WHERE r.seq > e.seq AND r.position <= e.position) AS undone,
        COALESCE(k.hash, m.hash, t.hash) AS stored_hash, COALESCE(k.body, m.body, t.body) AS stored_body
      FROM page AS e
      LEFT JOIN events AS b ON b.seq = (SELECT max(seq) FROM events WHERE seq < e.seq)
      LEFT JOIN key_blocks AS k ON e.kind = 'key_block' AND k.height = e.position >> 33 AND k.height << 33 = e.position
      LEFT JOIN micro_blocks AS m ON e.kind = 'micro_block' AND m.position = e.position
      LEFT JOIN transactions AS t ON e.kind IN ('transaction', 'tx_update') AND t.position = e.position
      ORDER BY e.seq`,
    values: [after],
  });
  return rows;
}

function differencesOf(row: EventRow, first: string): Difference[] {
  const place = { table: 'events', key: row.seq, height: null };
  const isGap = row.before !== null && BigInt(row.before) !== BigInt(row.seq) - 1n;
  const missing = isGap ? compareRows({ ...place, key: String(BigInt(row.seq) - 1n) }, {}, undefined) : [];
  return [...missing, ...compareRows(place, expectedOf(row, first), row)];
}

/** The columns of an event that are known from the rest of the copy. */
function expectedOf(row: EventRow, first: string): object {
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
  const position = subject === 'removed transaction' ? undefined : positionIn(row, kind, members);
  // What an event of before the oldest one announced is not known any more.
  const isKnown = row.repeats || first === '1';
  const again = subject === 'transaction' && isKnown ? { kind: row.repeats ? 'tx_update' : 'transaction' } : {};
  const stands = announced && !row.undone && subject !== 'removed transaction';
  return {
    ...named,
    ...(position !== undefined && { position }),
    ...again,
    ...(stands && { hash: row.stored_hash, body: row.stored_body }),
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
