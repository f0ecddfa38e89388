import type { Queryable } from '../../connection/database.js';
import { answer, answers } from '../answer.js';
import type { Answer, Answers } from '../answer.js';
import { inGeneration } from '../../positions.js';
import { numberOf } from './totals.js';
import type { Total } from './totals.js';
import { rewardAt } from './transfers.js';

export interface CompatKeyBlockRow {
  height: string;
  /** Exact text of the node. */
  body: string;
  /** Micro blocks and transactions of the generation that the key block opens. */
  micro_blocks: string;
  transactions: string;
  /** What the key block paid; null where that is not known. */
  reward: string | null;
}

const KEY_BLOCK = `
  k.height, k.body, micro.count AS micro_blocks,
  COALESCE((SELECT g.tx_count FROM generations AS g WHERE g.height = k.height), 0) AS transactions,
  (${rewardAt('k.height')})::text AS reward`;

const WITH_MICRO_BLOCKS = `
  CROSS JOIN LATERAL (SELECT count(*) AS count FROM micro_blocks AS m WHERE ${inGeneration('m.position', 'k.height')}) AS micro`;

/** Heights or positions, both included. */
interface Ends {
  low: bigint;
  high: bigint;
}

/** Rows between two ends, `take` of them from one end on. */
interface Between extends Ends {
  ascending: boolean;
  take: number;
}

export function compatKeyBlocks(
  db: Queryable,
  { low, high, ascending, take }: Between,
): Promise<Answers<CompatKeyBlockRow>> {
  return answers<CompatKeyBlockRow>(db, {
    name: `compat.key_blocks.${ascending ? 'ascending' : 'descending'}`,
    text: `
      SELECT ${KEY_BLOCK}
      FROM (
        SELECT height, body FROM key_block_texts
        WHERE height >= $1::bigint AND height <= $2::bigint
        ORDER BY height ${ascending ? '' : 'DESC'}
        LIMIT $3::bigint
      ) AS k
      ${WITH_MICRO_BLOCKS}`,
    values: [low, high, take],
  });
}

/** Number of key blocks between two heights: each height up to the newest one has one. */
export const compatKeyBlockTotal = (db: Queryable, { low, high }: Ends): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.key_block_total',
    text: `
      SELECT GREATEST(LEAST($2::bigint, newest.height) - $1::bigint + 1, 0) AS count
      FROM (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS newest`,
    values: [low, high],
  });

export function compatKeyBlock(
  db: Queryable,
  id: { height: number } | { hash: string },
): Promise<Answer<CompatKeyBlockRow>> {
  const [column, value] = 'hash' in id ? ['hash', id.hash] : ['height', id.height];
  return answer<CompatKeyBlockRow>(db, {
    name: `compat.key_block.${column}`,
    text: `SELECT ${KEY_BLOCK} FROM key_block_texts AS k ${WITH_MICRO_BLOCKS} WHERE k.${column} = $1`,
    values: [value],
  });
}

export interface CompatMicroBlockRow {
  position: string;
  /** Exact text of the header. */
  body: string;
  transactions: number;
}

const MICRO_BLOCK = 'm.position, m.body, m.tx_count AS transactions';

/** Micro blocks between two positions. */
const MICRO_BLOCKS = `FROM micro_blocks AS m
      WHERE m.position >= $1::bigint AND m.position <= $2::bigint`;

export function compatMicroBlocks(
  db: Queryable,
  { low, high, ascending, take }: Between,
): Promise<Answers<CompatMicroBlockRow>> {
  return answers<CompatMicroBlockRow>(db, {
    name: `compat.micro_blocks.${ascending ? 'ascending' : 'descending'}`,
    text: `
      SELECT ${MICRO_BLOCK}
      ${MICRO_BLOCKS}
      ORDER BY m.position ${ascending ? '' : 'DESC'}
      LIMIT $3::bigint`,
    values: [low, high, take],
  });
}

export const compatMicroBlockTotal = (db: Queryable, { low, high }: Ends): Promise<Answer<Total>> =>
  answer<Total>(db, {
    name: 'compat.micro_block_total',
    text: numberOf(`SELECT ${MICRO_BLOCKS}`),
    values: [low, high],
  });

export function compatMicroBlock(db: Queryable, hash: string): Promise<Answer<CompatMicroBlockRow>> {
  return answer<CompatMicroBlockRow>(db, {
    name: 'compat.micro_block',
    text: `SELECT ${MICRO_BLOCK} FROM micro_blocks AS m WHERE m.hash = $1`,
    values: [hash],
  });
}

/** The newest key block, which tells the form of the chain. */
export function newestKeyBlock(db: Queryable): Promise<Answer> {
  return answer(db, {
    name: 'compat.newest_key_block',
    text: 'SELECT body FROM key_block_texts ORDER BY height DESC LIMIT 1',
  });
}
