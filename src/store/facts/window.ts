import type { Queryable } from '../connection/database.js';

/** Generations that are verified together; the bounds are inclusive, and may be below or above all stored heights. */
export interface Window {
  from: bigint;
  to: bigint;
}

/** First position of a window, and the first one after it. */
const positions = ({ from, to }: Window): [bigint, bigint] => {
  const end = (to + 1n) << 33n;
  return [from << 33n, end];
};

interface KeyBlockRow {
  height: string;
  hash: string;
  prev_hash: string;
  prev_key_hash: string;
  beneficiary: string;
  time: string;
  version: number;
  target: string;
  body: string;
}

interface MicroBlockRow {
  position: string;
  hash: string;
  prev_hash: string;
  time: string;
  tx_count: number;
  spend_count: number;
  spend_amount: string;
  body: string;
}

export interface TransactionRow {
  position: string;
  hash: string;
  code: number;
  /** Null if the code has no type. */
  type: string | null;
  valid: boolean;
  size: number;
  fee: string;
  tx_start: number;
  tx_length: number;
  body: string;
  info: string | null;
}

interface SumsRow {
  height: string;
  tx_count: number;
  size: string;
  fees: string;
  tx_total: string;
  size_total: string;
  max_time: string;
}

interface TypeSumsRow {
  type: number;
  height: string;
  count: number;
  total: string;
}

/** Positions of begin and end: of an oracle query and its response, or of a channel and its closing. */
export interface LifetimeRow {
  id: string;
  begun: string | null;
  ended: string | null;
}

export interface CallRow {
  position: string;
  contract_id: string;
  state: string;
  arguments: string | null;
  result: string | null;
}

/** A called contract, and the texts that have its code. */
export interface CalledRow {
  id: string;
  /** Text of the transaction that created the contract; null if it is not stored. */
  body: string | null;
  info: string | null;
  tx_start: number | null;
  tx_length: number | null;
  /** Code from the node, of a contract that a contract created. */
  known_code: string | null;
}

/** All rows of a window. */
export interface WindowRows {
  /** Also the last one before the window. */
  keyBlocks: KeyBlockRow[];
  /** Also the last one before the window. */
  microBlocks: MicroBlockRow[];
  transactions: TransactionRow[];
  /** Keys of the lists at each position, with the smallest and the greatest type code of the entries there. */
  entries: { position: string; lists: string; low: number; high: number }[];
  /** `kind id` of the lists, by their keys. */
  lists: Map<string, string>;
  /** Also the last one before the window. */
  sums: SumsRow[];
  /** Also the last one of each type before the window. */
  typeSums: TypeSumsRow[];
  queries: LifetimeRow[];
  channels: LifetimeRow[];
  contracts: { id: string; position: string }[];
  calls: CallRow[];
  /** Contracts of the calls. */
  called: CalledRow[];
  /** Positions of call information without a transaction. */
  strayInfos: string[];
  /** Positions of transactions that are not found by their hash. */
  hidden: string[];
  unproven: { position: string; hash: string; type: string }[];
}

export async function readWindow(db: Queryable, window: Window): Promise<WindowRows> {
  const heights = [window.from, window.to];
  const bounds = positions(window);
  const read = async <Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await db.query<Row>({ name: `verify.${name}`, text, values })).rows;
  const lifetimes = (table: string, end: string): Promise<LifetimeRow[]> =>
    read(
      table,
      `SELECT id, position AS begun, ${end} AS ended FROM ${table} WHERE position >= $1 AND position < $2
      UNION
      SELECT id, position AS begun, ${end} AS ended FROM ${table} WHERE ${end} >= $1 AND ${end} < $2`,
      bounds,
    );
  const strays = await read<{ position: string }>(
    'infos',
    `SELECT i.position FROM infos AS i WHERE i.position >= $1 AND i.position < $2
      AND NOT EXISTS (SELECT FROM transactions AS t WHERE t.position = i.position)`,
    bounds,
  );
  // Only in the partitioned layout are hashes stored twice. A subquery and not a join: hashes are looked up, never read as a whole.
  const hidden = await read<{ position: string }>(
    'hashes',
    `SELECT t.position FROM transactions AS t
    WHERE t.position >= $1 AND t.position < $2 AND to_regclass('transaction_hashes') IS NOT NULL
      AND (SELECT h.position FROM transactions_by_hash AS h WHERE h.hash = t.hash LIMIT 1) IS DISTINCT FROM t.position`,
    bounds,
  );
  // The lists are read separately, because many entries have the same list.
  const entries = await read<WindowRows['entries'][number]>(
    'entries',
    `SELECT position, string_agg(list::text, ',') AS lists, min(type) AS low, max(type) AS high
    FROM entries WHERE position >= $1 AND position < $2 GROUP BY position`,
    bounds,
  );
  const keys = new Set(entries.flatMap(({ lists }) => lists.split(',')));
  const lists = await read<{ key: string; label: string }>(
    'lists',
    `SELECT key, kind || ' ' || id AS label FROM lists WHERE key = ANY ($1::bigint[])`,
    [[...keys]],
  );
  const calls = await read<CallRow>(
    'calls',
    `SELECT position, contract_id, state, arguments, result FROM contract_calls
    WHERE position >= $1 AND position < $2 ORDER BY position`,
    bounds,
  );
  const contracts = new Set(calls.map((call) => call.contract_id));
  return {
    keyBlocks: await read(
      'key-blocks',
      `(SELECT * FROM key_blocks WHERE height < $1 ORDER BY height DESC LIMIT 1)
      UNION ALL SELECT * FROM key_blocks WHERE height BETWEEN $1 AND $2 ORDER BY height`,
      heights,
    ),
    microBlocks: await read(
      'micro-blocks-of',
      `(SELECT * FROM micro_blocks WHERE position < $1 ORDER BY position DESC LIMIT 1)
      UNION ALL SELECT * FROM micro_blocks WHERE position >= $1 AND position < $2 ORDER BY position`,
      bounds,
    ),
    transactions: await read(
      'transactions-of',
      `SELECT t.position, t.hash, t.type AS code, y.name AS type, t.valid, t.size, t.fee, t.tx_start, t.tx_length, t.body,
        i.body AS info
      FROM transactions AS t LEFT JOIN types AS y ON y.code = t.type LEFT JOIN infos AS i ON i.position = t.position
      WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position`,
      bounds,
    ),
    entries,
    lists: new Map(lists.map(({ key, label }) => [key, label])),
    sums: await read(
      'sums',
      `(SELECT * FROM generations WHERE height < $1 ORDER BY height DESC LIMIT 1)
      UNION ALL SELECT * FROM generations WHERE height BETWEEN $1 AND $2 ORDER BY height`,
      heights,
    ),
    typeSums: await read(
      'type-sums',
      `SELECT base.* FROM types AS t CROSS JOIN LATERAL (
        SELECT * FROM generation_types AS g WHERE g.type = t.code AND g.height < $1 ORDER BY g.height DESC LIMIT 1
      ) AS base
      UNION ALL SELECT * FROM generation_types WHERE height BETWEEN $1 AND $2 ORDER BY height`,
      heights,
    ),
    queries: await lifetimes('oracle_queries', 'response_position'),
    channels: await lifetimes('channels', 'closed_position'),
    contracts: await read(
      'contracts',
      'SELECT id, position FROM contracts WHERE position >= $1 AND position < $2',
      bounds,
    ),
    calls,
    called: await read(
      'called',
      `SELECT c.id, t.body, i.body AS info, t.tx_start, t.tx_length, o.code AS known_code
      FROM unnest($1::text[]) AS c (id)
      LEFT JOIN contracts AS k ON k.id = c.id
      LEFT JOIN transactions AS t ON t.position = k.position
      LEFT JOIN infos AS i ON i.position = k.position
      LEFT JOIN contract_codes AS o ON o.contract_id = c.id`,
      [[...contracts]],
    ),
    strayInfos: strays.map(({ position }) => position),
    hidden: hidden.map(({ position }) => position),
    unproven: await read(
      'unproven',
      'SELECT position, hash, type FROM unproven WHERE position >= $1 AND position < $2',
      bounds,
    ),
  };
}

/** Rows of `table` (`oracle_queries`, `channels`) by their ids. */
export async function lifetimesById(
  db: Queryable,
  table: 'oracle_queries' | 'channels',
  ids: readonly string[],
): Promise<Map<string, LifetimeRow>> {
  if (ids.length === 0) return new Map();
  const end = table === 'channels' ? 'closed_position' : 'response_position';
  const { rows } = await db.query<LifetimeRow>({
    name: `verify.${table}-by-id`,
    text: `SELECT id, position AS begun, ${end} AS ended FROM ${table} WHERE id = ANY ($1::text[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
