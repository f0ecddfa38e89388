import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';
import { NEWEST_KEY_BLOCK } from './generations.js';
import { inGeneration, inMicroBlock } from '../positions.js';

interface StepFigures {
  first: number;
  last: number;
  /** Members of the answer, of the step and of all heights up to its end. */
  body: string;
  total: string;
}

/**
 * What the generations of each step of time contain, from the day `from` to the day `to` (`YYYY-MM-DD`), both inclusive. The
 * number of each type is a difference of its running totals. Times of blocks may go back: see `heightAt`. `newest`: text of the newest key block,
 * which tells the form of the chain.
 */
export function figuresByTime(
  db: Queryable,
  from: string,
  to: string,
  step: 'hour' | 'day' | 'week' | 'month',
): Promise<Answer<{ steps: StepFigures[]; newest: string | null }>> {
  return answer(db, {
    name: 'figures.by-time',
    text: `
      WITH bounds AS (
        SELECT
          start,
          COALESCE(
            (SELECT height FROM generations WHERE max_time >= start ORDER BY max_time, height LIMIT 1),
            (SELECT height + 1 FROM generations ORDER BY height DESC LIMIT 1)
          ) AS first
        FROM (
          SELECT (extract(epoch FROM moment) * 1000)::bigint AS start
          FROM generate_series(
            date_trunc($3::text, $1::timestamp),
            $2::timestamp + interval '1 day' + ('1 ' || $3::text)::interval,
            ('1 ' || $3::text)::interval
          ) AS moment
        ) AS moments
      ), steps AS (
        SELECT * FROM (SELECT start, first, lead(first) OVER (ORDER BY start) AS next FROM bounds) AS pairs
        WHERE next > first AND start < (extract(epoch FROM $2::timestamp + interval '1 day') * 1000)::bigint
      )
      SELECT COALESCE(json_agg(json_build_object('first', first, 'last', last, 'body', body, 'total', total) ORDER BY start), '[]') AS steps,
        ${NEWEST_KEY_BLOCK} AS newest
      FROM (
        SELECT
          start, first, own.last,
          '"start":' || start || ',"height":' || own.last || ',"key_blocks":' || own.count ||
          ',"transactions":' || own.transactions || ',"types":{' || COALESCE(types.body, '') || '}' ||
          ',"fees":"' || own.fees || '","size":' || own.size AS body,
          '"transactions":' || upto.tx_total || ',"size":' || upto.size_total AS total
        FROM steps
        CROSS JOIN LATERAL (
          SELECT
            max(height) AS last, count(*) AS count, sum(tx_count) AS transactions, sum(fees) AS fees, sum(size) AS size
          FROM generations
          WHERE height >= first AND height < next
        ) AS own
        CROSS JOIN LATERAL (
          SELECT tx_total, size_total FROM generations WHERE height = own.last
        ) AS upto
        CROSS JOIN LATERAL (
          SELECT string_agg(to_json(name)::text || ':' || count, ',' ORDER BY name COLLATE "C") AS body
          FROM (
            SELECT
              name,
              COALESCE((SELECT total FROM generation_types WHERE type = code AND height < next ORDER BY height DESC LIMIT 1), 0)
              - COALESCE((SELECT total FROM generation_types WHERE type = code AND height < first ORDER BY height DESC LIMIT 1), 0)
              AS count
            FROM types
          ) AS counted
          WHERE count > 0
        ) AS types
      ) AS answered`,
    values: [from, to, step],
  });
}

/** The key blocks from height `from` to `to`, newest first, with the transactions of their micro blocks by type. */
export function figuresOfGenerations(db: Queryable, from: number, to: number): Promise<Answer> {
  return answer(db, {
    name: 'figures.of-generations',
    text: `
      SELECT '[' || COALESCE(string_agg(
        '{"height":' || k.height || ',"hash":"' || k.hash || '","time":' || k.time || ',"beneficiary":"' || k.beneficiary ||
        '","transactions":' || g.tx_count || ',"fees":"' || g.fees || '","size":' || g.size ||
        ',"micro_blocks":[' || COALESCE(blocks.body, '') || ']}', ',' ORDER BY k.height DESC
      ), '') || ']' AS body
      FROM key_blocks AS k
      JOIN generations AS g ON g.height = k.height
      CROSS JOIN LATERAL (
        SELECT string_agg(
          '{"hash":"' || m.hash || '","time":' || m.time || ',"transactions":' || m.tx_count ||
          ',"fees":"' || sums.fees || '","types":{' || sums.types || '}}', ',' ORDER BY m.position
        ) AS body
        FROM micro_blocks AS m
        CROSS JOIN LATERAL (
          SELECT
            COALESCE(sum(fees), 0) AS fees,
            COALESCE(string_agg(
              to_json((SELECT name FROM types WHERE code = type))::text || ':' || count, ',' ORDER BY type
            ), '') AS types
          FROM (
            SELECT t.type, count(*) AS count, sum(t.fee) AS fees
            FROM transactions AS t
            WHERE ${inMicroBlock('t.position', 'm.position')}
            GROUP BY t.type
          ) AS counted
        ) AS sums
        WHERE ${inGeneration('m.position', 'k.height')}
      ) AS blocks
      WHERE k.height >= $1::bigint AND k.height <= $2::bigint`,
    values: [from, to],
  });
}
