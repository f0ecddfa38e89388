import type { Queryable } from '../connection/database.js';

/** All stored facts of one generation, to compare them with those of the node. */
export interface StoredGeneration {
  keyBlock: { hash: string; body: string };
  microBlocks: { hash: string; body: string; transactions: StoredTransaction[] }[];
}

export interface StoredTransaction {
  hash: string;
  type: string;
  size: number;
  fee: string;
  body: string;
  /** Call information of the node; null if none is stored. */
  info: string | null;
  /** No node answered with its call information. */
  isInfoUnknown: boolean;
  /** It is a contract call, and was decoded with its call information, or could not be. */
  isDecoded: boolean;
  /** Whether the creation of its contract failed; null if it creates none, or if that is not known yet. */
  hasFailed: boolean | null;
  /** The contract that it calls and the code of it that a node returned; null if no node was asked. */
  reportedCode: { contract: string; code: string } | null;
  /** `kind id` of the lists that contain it. */
  lists: string[];
}

/** The stored generation at a height; null if it is not stored. */
export async function storedGeneration(db: Queryable, height: number): Promise<StoredGeneration | null> {
  const { rows: keys } = await db.query<{ hash: string; body: string }>({
    name: 'verify.key-block',
    text: 'SELECT hash, body FROM key_block_texts WHERE height = $1',
    values: [height],
  });
  if (keys[0] === undefined) return null;
  const { rows: micros } = await db.query<{ position: string; hash: string; body: string }>({
    name: 'verify.micro-blocks',
    text: `
      SELECT position, hash, body FROM micro_blocks
      WHERE position >= $1::bigint << 33 AND position < ($1::bigint + 1) << 33 ORDER BY position`,
    values: [height],
  });
  const { rows: transactions } = await db.query<StoredTransaction & { micro: string }>({
    name: 'verify.transactions',
    text: `
      SELECT (t.position >> 16) << 16 AS micro, t.hash, y.name AS type, t.size, t.fee, t.body, i.body AS info,
        u.position IS NOT NULL AS "isInfoUnknown", COALESCE(c.state IN ('done', 'failed'), false) AS "isDecoded",
        (SELECT k.failed FROM contracts AS k WHERE k.position = t.position AND k.outcome_known LIMIT 1) AS "hasFailed",
        (
          SELECT json_build_object('contract', o.contract_id, 'code', o.code) FROM contract_codes AS o
          WHERE o.contract_id = c.contract_id AND o.code IS NOT NULL
        ) AS "reportedCode",
        ARRAY(
          SELECT l.kind || ' ' || l.id FROM entries e JOIN lists l ON l.key = e.list WHERE e.position = t.position
        ) AS lists
      FROM transactions t JOIN types y ON y.code = t.type LEFT JOIN infos i ON i.position = t.position
        LEFT JOIN unknown_infos u ON u.position = t.position LEFT JOIN contract_calls c ON c.position = t.position
      WHERE t.position >= $1::bigint << 33 AND t.position < ($1::bigint + 1) << 33 ORDER BY t.position`,
    values: [height],
  });
  return {
    keyBlock: keys[0],
    microBlocks: micros.map(({ position, hash, body }) => ({
      hash,
      body,
      transactions: transactions.filter((t) => t.micro === position),
    })),
  };
}
