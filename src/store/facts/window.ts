import type { Queryable } from '../connection/database.js';

/** Generations that are verified together; the bounds are inclusive, and may be below or above all stored heights. */
export interface Window {
  from: bigint;
  to: bigint;
}

/** First position of a window, and the first one after it. */
export const positionsOf = ({ from, to }: Window): [bigint, bigint] => {
  const end = (to + 1n) << 33n;
  return [from << 33n, end];
};

export interface KeyBlockRow {
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

/** The facts of a window. */
export interface WindowFacts {
  /** Also the last one before the window. */
  keyBlocks: KeyBlockRow[];
  /** Also the last one before the window. */
  microBlocks: MicroBlockRow[];
  transactions: TransactionRow[];
  /** Positions of call information without a transaction. */
  strayInfos: string[];
  unproven: { position: string; hash: string; type: string }[];
}

export async function readFacts(db: Queryable, window: Window): Promise<WindowFacts> {
  const heights = [window.from, window.to];
  const bounds = positionsOf(window);
  const read = async <Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await db.query<Row>({ name: `verify.${name}`, text, values })).rows;
  const strays = await read<{ position: string }>(
    'infos',
    `SELECT i.position FROM infos AS i WHERE i.position >= $1 AND i.position < $2
      AND NOT EXISTS (SELECT FROM transactions AS t WHERE t.position = i.position)`,
    bounds,
  );
  return {
    keyBlocks: await read(
      'key-blocks',
      `(SELECT * FROM key_block_texts WHERE height < $1 ORDER BY height DESC LIMIT 1)
      UNION ALL SELECT * FROM key_block_texts WHERE height BETWEEN $1 AND $2 ORDER BY height`,
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
    strayInfos: strays.map(({ position }) => position),
    unproven: await read(
      'unproven',
      'SELECT position, hash, type FROM unproven WHERE position >= $1 AND position < $2',
      bounds,
    ),
  };
}
