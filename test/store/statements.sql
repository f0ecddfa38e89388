-- Every statement of the product that the suites run, by name. Made by `make statements`: do not edit.

-- name: accounts.transactions.inner
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number <= $4::bigint), '') || ']' AS body,
    CASE WHEN count(*) > $4::bigint THEN max(page.place) FILTER (WHERE page.number = $4::bigint) END AS next
    FROM (
      SELECT t.number, t.hash || '-' || t.position AS place, convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
      CASE
      WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
      ELSE COALESCE(
        (
          SELECT CASE
          WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
          WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
          ELSE 'ok'
          END
          FROM infos AS i
          WHERE i.position = t.position
        ),
        CASE
        WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
          (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
          'unknown'
        )
        ELSE 'ok'
        END
      )
      END || '"}' AS body
      FROM (
        SELECT t.*, row_number() OVER (ORDER BY t.position DESC) AS number
        FROM (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $2), $3::bigint) AS before OFFSET 0) AS r
        CROSS JOIN LATERAL (
          SELECT DISTINCT found.position FROM ((
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 10 AND l.id = $1::text LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT DISTINCT m.position FROM movement_rows AS m
              WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < r.before AND m.position & 8589934591 <> 0
              ORDER BY m.position DESC LIMIT ($4::bigint + 1)
          )) AS found
          ORDER BY found.position DESC LIMIT ($4::bigint + 1)) AS p
        JOIN transactions AS t ON t.position = p.position
      ) AS t
      ORDER BY t.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: accounts.transactions.inner_signed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number <= $4::bigint), '') || ']' AS body,
    CASE WHEN count(*) > $4::bigint THEN max(page.place) FILTER (WHERE page.number = $4::bigint) END AS next
    FROM (
      SELECT t.number, t.hash || '-' || t.position AS place, convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
      CASE
      WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
      ELSE COALESCE(
        (
          SELECT CASE
          WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
          WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
          ELSE 'ok'
          END
          FROM infos AS i
          WHERE i.position = t.position
        ),
        CASE
        WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
          (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
          'unknown'
        )
        ELSE 'ok'
        END
      )
      END || '"}' AS body
      FROM (
        SELECT t.*, row_number() OVER (ORDER BY t.position DESC) AS number
        FROM (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $2), $3::bigint) AS before OFFSET 0) AS r
        CROSS JOIN LATERAL (
          SELECT DISTINCT found.position FROM ((
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 10 AND l.id = $1::text LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = 'ok_' || substr($1::text, 4) LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT DISTINCT m.position FROM movement_rows AS m
              WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < r.before AND m.position & 8589934591 <> 0
              ORDER BY m.position DESC LIMIT ($4::bigint + 1)
          )) AS found
          ORDER BY found.position DESC LIMIT ($4::bigint + 1)) AS p
        JOIN transactions AS t ON t.position = p.position
      ) AS t
      ORDER BY t.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: accounts.transactions.signed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number <= $4::bigint), '') || ']' AS body,
    CASE WHEN count(*) > $4::bigint THEN max(page.place) FILTER (WHERE page.number = $4::bigint) END AS next
    FROM (
      SELECT t.number, t.hash || '-' || t.position AS place, convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
      CASE
      WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
      ELSE COALESCE(
        (
          SELECT CASE
          WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
          WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
          ELSE 'ok'
          END
          FROM infos AS i
          WHERE i.position = t.position
        ),
        CASE
        WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
          (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
          'unknown'
        )
        ELSE 'ok'
        END
      )
      END || '"}' AS body
      FROM (
        SELECT t.*, row_number() OVER (ORDER BY t.position DESC) AS number
        FROM (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $2), $3::bigint) AS before OFFSET 0) AS r
        CROSS JOIN LATERAL (
          SELECT DISTINCT found.position FROM ((
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT part.position
              FROM (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = 'ok_' || substr($1::text, 4) LIMIT 1) AS l
              CROSS JOIN LATERAL (
                SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
              ) AS c
              CROSS JOIN LATERAL (
                WITH RECURSIVE search AS (
                  SELECT 0::bigint AS low, c.total AS high
                  UNION ALL
                  SELECT
                  CASE WHEN e.position < r.before THEN half.way ELSE s.low END,
                  CASE WHEN e.position < r.before THEN s.high ELSE half.way - 1 END
                  FROM search AS s
                  CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
                  CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
                  WHERE s.low < s.high
                )
                SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
              CROSS JOIN LATERAL (
                SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - ($4::bigint + 1)
                ORDER BY e.ordinal DESC LIMIT ($4::bigint + 1)
              ) AS part
            ) UNION ALL (
              SELECT DISTINCT m.position FROM movement_rows AS m
              WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < r.before AND m.position & 8589934591 <> 0
              AND (abs(m.kind) IN (2, 12) OR m.fee IS NOT NULL)
              ORDER BY m.position DESC LIMIT ($4::bigint + 1)
          )) AS found
          ORDER BY found.position DESC LIMIT ($4::bigint + 1)) AS p
        JOIN transactions AS t ON t.position = p.position
      ) AS t
      ORDER BY t.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: announced_logs.begin
INSERT INTO announced_logs (position) VALUES ($1) ON CONFLICT (one) DO NOTHING

-- name: announced_logs.forget
UPDATE announced_logs SET position = $1 WHERE position > $1

-- name: announced_logs.move
UPDATE announced_logs SET position = $1

-- name: announced_logs.read
SELECT position FROM announced_logs

-- name: auctions.bids
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT last.ordinal - first.ordinal + 1 AS total, bids.body
    FROM (
      SELECT * FROM names WHERE name_hash = $1 ORDER BY position DESC LIMIT 1
    ) AS n
    LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
    CROSS JOIN LATERAL (
      SELECT key FROM lists WHERE kind = 6 AND id = n.name_hash
    ) AS l
    CROSS JOIN LATERAL (
      SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.position LIMIT 1
    ) AS first
    CROSS JOIN LATERAL (
      SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.bid_position LIMIT 1
    ) AS last
    CROSS JOIN LATERAL (
      SELECT '[' || COALESCE(string_agg(item.body, ','), '') || ']' AS body
      FROM (
        SELECT
        (
          SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
          FROM micro_blocks AS m
          WHERE m.position = (t.position & (-65536)::bigint)
        ) ||
        '","hash":"' || t.hash || '","signatures":' || COALESCE((
            SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
            FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
            CROSS JOIN LATERAL json_array_elements_text(
              CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
            ) WITH ORDINALITY AS s (signature, number)
          ), 'null') ||
        ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
        ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' AS body
        FROM entries AS e
        JOIN transactions AS t ON t.position = e.position
        WHERE
        e.list = l.key
        AND e.ordinal >= first.ordinal
        AND e.ordinal <= last.ordinal - $2::bigint
        AND e.ordinal > last.ordinal - $2::bigint - $3::bigint
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS bids
    WHERE n.winning_bid IS NOT NULL) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.bids_of_account
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT '{"name_auction_entry":' ||
          '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
          ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
              AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' || ',"transaction":' ||
          (
            SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
            FROM micro_blocks AS m
            WHERE m.position = (t.position & (-65536)::bigint)
          ) ||
          '","hash":"' || t.hash || '","signatures":' || COALESCE((
              SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
              FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
              CROSS JOIN LATERAL json_array_elements_text(
                CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
              ) WITH ORDINALITY AS s (signature, number)
            ), 'null') ||
          ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
          ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' || '}'
          FROM (
            SELECT named.id
            FROM entries AS e
            JOIN lists AS named ON named.key = e.list AND named.kind = 6
            WHERE e.position = t.position
            LIMIT 1
          ) AS of
          CROSS JOIN LATERAL (
            SELECT * FROM names AS n WHERE n.name_hash = of.id ORDER BY n.position DESC LIMIT 1
          ) AS n
          LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction') AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.bids_of_account.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $4), $5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT '{"name_auction_entry":' ||
          '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
          ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
              AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' || ',"transaction":' ||
          (
            SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
            FROM micro_blocks AS m
            WHERE m.position = (t.position & (-65536)::bigint)
          ) ||
          '","hash":"' || t.hash || '","signatures":' || COALESCE((
              SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
              FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
              CROSS JOIN LATERAL json_array_elements_text(
                CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
              ) WITH ORDINALITY AS s (signature, number)
            ), 'null') ||
          ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
          ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' || '}'
          FROM (
            SELECT named.id
            FROM entries AS e
            JOIN lists AS named ON named.key = e.list AND named.kind = 6
            WHERE e.position = t.position
            LIMIT 1
          ) AS of
          CROSS JOIN LATERAL (
            SELECT * FROM names AS n WHERE n.name_hash = of.id ORDER BY n.position DESC LIMIT 1
          ) AS n
          LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction') AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.bids_of_account.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT asked.p4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.cursor) FILTER (WHERE item.ordinal = c.total - s.skip - asked.p3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT '{"name_auction_entry":' ||
          '{"name":' || to_json(n.name)::text || ',"expiration":' || n.auction_end_height ||
          ',"winning_bid":"' || n.winning_bid || '","winning_bidder":"' || n.winning_bidder || '"}' || ',"transaction":' ||
          (
            SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
            FROM micro_blocks AS m
            WHERE m.position = (t.position & (-65536)::bigint)
          ) ||
          '","hash":"' || t.hash || '","signatures":' || COALESCE((
              SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
              FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
              CROSS JOIN LATERAL json_array_elements_text(
                CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
              ) WITH ORDINALITY AS s (signature, number)
            ), 'null') ||
          ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
          ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' || '}'
          FROM (
            SELECT named.id
            FROM entries AS e
            JOIN lists AS named ON named.key = e.list AND named.kind = 6
            WHERE e.position = t.position
            LIMIT 1
          ) AS of
          CROSS JOIN LATERAL (
            SELECT * FROM names AS n WHERE n.name_hash = of.id ORDER BY n.position DESC LIMIT 1
          ) AS n) AS body, t.hash || '-' || t.position AS cursor, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - asked.p3::bigint
          ORDER BY e.ordinal DESC
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.info
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT last.ordinal - first.ordinal + 1 AS total, '{"info":' ||
    '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
    ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
        AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' || ',"bids":' || bids.body || '}' AS body
    FROM (
      SELECT * FROM names WHERE name_hash = $1 ORDER BY position DESC LIMIT 1
    ) AS n
    LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
    CROSS JOIN LATERAL (
      SELECT key FROM lists WHERE kind = 6 AND id = n.name_hash
    ) AS l
    CROSS JOIN LATERAL (
      SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.position LIMIT 1
    ) AS first
    CROSS JOIN LATERAL (
      SELECT ordinal FROM entries AS e WHERE e.list = l.key AND e.position = n.bid_position LIMIT 1
    ) AS last
    CROSS JOIN LATERAL (
      SELECT '[' || COALESCE(string_agg(item.body, ','), '') || ']' AS body
      FROM (
        SELECT
        (
          SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
          FROM micro_blocks AS m
          WHERE m.position = (t.position & (-65536)::bigint)
        ) ||
        '","hash":"' || t.hash || '","signatures":' || COALESCE((
            SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
            FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
            CROSS JOIN LATERAL json_array_elements_text(
              CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
            ) WITH ORDINALITY AS s (signature, number)
          ), 'null') ||
        ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
        ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' AS body
        FROM entries AS e
        JOIN transactions AS t ON t.position = e.position
        WHERE
        e.list = l.key
        AND e.ordinal >= first.ordinal
        AND e.ordinal <= last.ordinal - $2::bigint
        AND e.ordinal > last.ordinal - $2::bigint - $3::bigint
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS bids
    WHERE n.winning_bid IS NOT NULL) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_expiration
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END, n.name, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_expiration.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END DESC, n.name DESC, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_max_bid
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END DESC, n.name, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_max_bid.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END, n.name DESC, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_name
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY n.name, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running.by_name.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    count(*) AS total,
    '[' || COALESCE(
      string_agg(item.body, ',' ORDER BY item.number)
      FILTER (WHERE item.number > $1::bigint AND item.number <= $1::bigint + $2::bigint), ''
    ) || ']' AS body
    FROM (
      SELECT row_number() OVER (ORDER BY n.name DESC, n.position) AS number,
      '{"name":' || to_json(n.name)::text || ',"expiration":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
      ',"winning_bid":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.bid, n.winning_bid) ELSE n.winning_bid END) || '","winning_bidder":"' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.winning_bidder) ELSE n.winning_bidder END) || '"' || COALESCE(',"source":"' || (CASE WHEN a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN 'node' WHEN a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) OR n.auction_end_height > n.created_at_height
          AND NOT (n.running OR (a.height >= n.auction_end_height - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
      FROM names AS n LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
      WHERE n.running AND ($3::bigint IS NULL OR octet_length(n.name) = $3::bigint)
    ) AS item) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: auctions.running_count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"count":' || count(*) || ',"result":"OK"}' AS body
    FROM names AS n
    WHERE n.running AND ($1::bigint IS NULL OR octet_length(n.name) = $1::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: backfills.end
DELETE FROM backfills WHERE projection = $1

-- name: backfills.read
SELECT position FROM backfills WHERE projection = $1

-- name: backfills.save
UPDATE backfills SET position = $2 WHERE projection = $1

-- name: chain.forget-forks
DELETE FROM forks

-- name: chain.forks
SELECT version, height FROM forks ORDER BY height, version

-- name: chain.gaps
SELECT before + 1 AS "from", height - 1 AS "to"
FROM (SELECT height, LAG(height, 1, -1::bigint) OVER (ORDER BY height) AS before FROM key_blocks) h
WHERE height > before + 1
ORDER BY height

-- name: chain.head
SELECT k.height, k.hash, k.version, (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
ARRAY(SELECT m.hash FROM micro_blocks m WHERE m.position >= k.height << 33 ORDER BY m.position) AS micro_hashes
FROM key_blocks k ORDER BY k.height DESC LIMIT 1

-- name: chain.head-height
SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1

-- name: chain.identify
UPDATE chain SET network_id = $1, genesis_hash = $2 WHERE network_id IS NULL

-- name: chain.identity
SELECT network_id, genesis_hash FROM chain

-- name: chain.key-block
SELECT hash, prev_hash, prev_key_hash, version, target FROM key_block_texts WHERE height = $1

-- name: chain.key-headers
SELECT height, hash, prev_key_hash, target, time, version, body FROM key_block_texts
WHERE height < $1 AND height >= $1 - $2 ORDER BY height

-- name: chain.last-hash
(SELECT hash, height << 33 AS position FROM key_blocks ORDER BY height DESC LIMIT 1)
UNION ALL
(SELECT hash, position FROM micro_blocks ORDER BY position DESC LIMIT 1)
ORDER BY position DESC LIMIT 1

-- name: chain.live
UPDATE chain SET live = true WHERE NOT live

-- name: chain.micro-hashes
SELECT hash FROM micro_blocks
WHERE position >= $1::bigint << 33 AND position < ($1::bigint + 1) << 33 ORDER BY position

-- name: chain.node-seen
UPDATE chain SET node_height = COALESCE($1, node_height), node_state = $2, node_reason = $3, seen_at = now()

-- name: chain.record-forks
INSERT INTO forks (version, height) SELECT * FROM unnest($1::integer[], $2::bigint[]) ON CONFLICT DO NOTHING

-- name: chain.refresh-flags
SELECT settle()

-- name: chain.targets
SELECT height, target FROM key_blocks WHERE height > $1 AND height <= $2 ORDER BY height LIMIT $3

-- name: channel.creation
SELECT t.body
FROM channels AS c
JOIN transactions AS t ON t.position = c.position
WHERE c.id = $1

-- name: channels.clear
DELETE FROM channels AS c WHERE id = ANY ($1::text[]) AND NOT EXISTS (
  SELECT FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS r (id, position, closed_position)
  WHERE (r.id, r.position, r.closed_position) IS NOT DISTINCT FROM (c.id, c.position, c.closed_position)
)

-- name: channels.mend-empty
DELETE FROM channels WHERE id = ANY ($1::text[]) AND position IS NULL AND closed_position IS NULL

-- name: channels.open
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    '[' || COALESCE(
      string_agg('"' || open.id || '"', ',' ORDER BY open.position) FILTER (WHERE open.number <= $1::bigint), ''
    ) || ']' AS body,
    count(*) AS count
    FROM (
      SELECT id, position, row_number() OVER () AS number
      FROM (
        SELECT id, position FROM channels
        WHERE closed_position IS NULL AND position IS NOT NULL
        ORDER BY position
        LIMIT $1::bigint + 1
      ) AS listed
    ) AS open) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: channels.unstored
DELETE FROM channels WHERE position >= $1 AND position < $2

-- name: channels.upsert
INSERT INTO channels AS s (id, position, closed_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
ON CONFLICT (id) DO UPDATE
SET position = COALESCE(EXCLUDED.position, s.position),
closed_position = LEAST(s.closed_position, EXCLUDED.closed_position)
WHERE s.* IS DISTINCT FROM EXCLUDED.*

-- name: commit.number
UPDATE writer SET commits = commits + 1

-- name: commit.wake
WITH numbered AS (UPDATE writer SET commits = commits + 1 RETURNING (epoch << 32) + commits AS number)
SELECT pg_notify('mdw_' || current_schema(), number::text) FROM numbered

-- name: compat.activations
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT asked.number, (
      SELECT n.auction_end_height FROM names AS n
      WHERE n.name_hash = asked.hash AND n.position <= asked.position ORDER BY n.position DESC LIMIT 1
    ) AS active_from
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (hash, position, number)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.bodies
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT b.position AS micro_block, t.body, i.body AS info
    FROM unnest($1::bigint[]) AS b (position)
    CROSS JOIN LATERAL (
      SELECT position, body FROM transactions WHERE position >= b.position AND position < b.position + 65536 ORDER BY position LIMIT 65536
    ) AS t
    LEFT JOIN infos AS i ON i.position = t.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.chain_times
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT COALESCE(
      (SELECT max_time FROM generations WHERE height > 0 ORDER BY height LIMIT 1), newest.max_time
    ) AS first, newest.max_time AS newest, GREATEST(newest.max_time, last_micro.time) AS last, newest.height
    FROM (SELECT height, max_time FROM generations ORDER BY height DESC LIMIT 1) AS newest
    LEFT JOIN LATERAL (
      SELECT max(m.time) AS time FROM micro_blocks AS m WHERE m.position > (newest.height << 33) AND m.position <= (newest.height << 33) + 8589934591
    ) AS last_micro ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.channel
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT c.id, c.position, NOT
    (c.closed_position IS NOT NULL AND EXISTS (
        SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
        WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 4 AND l.id = c.id)
        AND e.position >= c.closed_position AND t.body ~ '"type"\s*:\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
    )) AS active FROM channels AS c WHERE c.id = $1 AND c.position IS NOT NULL) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.channel_transactions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.id AS channel, t.position, t.body,
    (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) AS time
    FROM unnest($1::text[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT key, id FROM lists WHERE kind = 4 AND id = asked.id LIMIT 1
    ) AS l
    JOIN entries AS e ON e.list = l.key
    JOIN transactions AS t ON t.position = e.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.channels.active.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.id, c.position, NOT
    (c.closed_position IS NOT NULL AND EXISTS (
        SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
        WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 4 AND l.id = c.id)
        AND e.position >= c.closed_position AND t.body ~ '"type"\s*:\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
    )) AS active
    FROM channels AS c
    WHERE c.position >= $1::bigint AND c.position <= $2::bigint AND NOT
    (c.closed_position IS NOT NULL AND EXISTS (
        SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
        WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 4 AND l.id = c.id)
        AND e.position >= c.closed_position AND t.body ~ '"type"\s*:\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
    ))
    ORDER BY c.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.channels.all.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.id, c.position, NOT
    (c.closed_position IS NOT NULL AND EXISTS (
        SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
        WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 4 AND l.id = c.id)
        AND e.position >= c.closed_position AND t.body ~ '"type"\s*:\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
    )) AS active
    FROM channels AS c
    WHERE c.position >= $1::bigint AND c.position <= $2::bigint
    ORDER BY c.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.channels.all.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.id, c.position, NOT
    (c.closed_position IS NOT NULL AND EXISTS (
        SELECT FROM entries AS e JOIN transactions AS t ON t.position = e.position
        WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 4 AND l.id = c.id)
        AND e.position >= c.closed_position AND t.body ~ '"type"\s*:\s*"(ChannelCloseMutualTx|ChannelSettleTx)"'
    )) AS active
    FROM channels AS c
    WHERE c.position >= $1::bigint AND c.position <= $2::bigint
    ORDER BY c.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.collections
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT w.id AS contract_id, (SELECT count(*) FROM token_owners AS o WHERE o.contract_id = w.id) AS made,
    a.value AS token_limit, b.value AS template_limit, x.hash AS limit_hash,
    CASE WHEN b.position IS NULL OR (a.position, a.log_index) > (b.position, b.log_index) THEN a.log_index ELSE b.log_index END AS limit_index
    FROM unnest($1::text[]) AS w (id)
    LEFT JOIN LATERAL (
      SELECT n.position, n.log_index, n.topics[cardinality(n.topics)]::text AS value FROM (
        (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(w.id, 0) # hash_numeric_extended(51018058310234096115377051572769544143600320915203724174405205935982048636023::numeric, 1))
          AND l.contract_id = w.id AND l.topics[1] = 51018058310234096115377051572769544143600320915203724174405205935982048636023::numeric
          ORDER BY l.position DESC, l.log_index DESC LIMIT 1) UNION ALL
        (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(w.id, 0) # hash_numeric_extended(45448628762843632455737477927708722197464847259594275729635443610041053458776::numeric, 1))
          AND l.contract_id = w.id AND l.topics[1] = 45448628762843632455737477927708722197464847259594275729635443610041053458776::numeric
          ORDER BY l.position DESC, l.log_index DESC LIMIT 1)
      ) AS n ORDER BY n.position DESC, n.log_index DESC LIMIT 1) AS a ON true
    LEFT JOIN LATERAL (
      SELECT n.position, n.log_index, n.topics[cardinality(n.topics)]::text AS value FROM (
        (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(w.id, 0) # hash_numeric_extended(9807926706135868137323239631973055381082002645173235282136724172459171137900::numeric, 1))
          AND l.contract_id = w.id AND l.topics[1] = 9807926706135868137323239631973055381082002645173235282136724172459171137900::numeric
          ORDER BY l.position DESC, l.log_index DESC LIMIT 1) UNION ALL
        (SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(w.id, 0) # hash_numeric_extended(93394612120815944981908174523963507424810154788158211514972006675496403066068::numeric, 1))
          AND l.contract_id = w.id AND l.topics[1] = 93394612120815944981908174523963507424810154788158211514972006675496403066068::numeric
          ORDER BY l.position DESC, l.log_index DESC LIMIT 1)
      ) AS n ORDER BY n.position DESC, n.log_index DESC LIMIT 1) AS b ON true
    LEFT JOIN transactions AS x ON x.position = GREATEST(a.position, b.position)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.contract
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT id, position FROM contracts WHERE id = $1 AND NOT failed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.contract_made_otherwise
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT EXISTS (SELECT FROM contract_codes AS c WHERE c.contract_id = $1 AND c.code IS NOT NULL)
    OR EXISTS (
      SELECT FROM contract_logs AS l
      WHERE hashtextextended(l.contract_id, 0) = hashtextextended($1::text, 0) AND l.contract_id = $1::text
    ) AS made) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.contracts.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT id, position FROM contracts
    WHERE position >= $1::bigint AND position <= $2::bigint AND NOT failed
    ORDER BY position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.contracts.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT id, position FROM contracts
    WHERE position >= $1::bigint AND position <= $2::bigint AND NOT failed
    ORDER BY position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT COALESCE((SELECT tx_total FROM generations ORDER BY height DESC LIMIT 1), 0) AS count) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.count_below
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    COALESCE((
        SELECT g.tx_total FROM generations AS g WHERE g.height < $1::bigint >> 33 ORDER BY g.height DESC LIMIT 1
      ), 0) +
    (
      SELECT COALESCE(sum(LEAST(b.tx_count, $1::bigint - b.position)), 0)
      FROM micro_blocks AS b
      WHERE b.position > ($1::bigint >> 33) << 33 AND b.position < $1::bigint
    ) AS count) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.count_in_micro_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.tx_count AS count
    FROM micro_blocks AS m WHERE m.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.count_in_micro_block.of_types
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT (
      SELECT count(*) FROM transactions AS t JOIN types AS y ON y.code = t.type
      WHERE t.position >= m.position AND t.position < m.position + 65536 AND y.name = ANY ($2::text[])
    ) AS count
    FROM micro_blocks AS m WHERE m.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.count_of_types
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT COALESCE(sum((
          SELECT g.total FROM generation_types AS g WHERE g.type = y.code ORDER BY g.height DESC LIMIT 1
      )), 0) AS count
    FROM types AS y WHERE y.name = ANY ($1::text[])) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.counts_by_member
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT y.name AS type, found.member[1] AS member, count(*) AS count
    FROM (SELECT DISTINCT position FROM entries WHERE list = ANY ($1::bigint[])) AS e
    JOIN transactions AS t ON t.position = e.position
    JOIN types AS y ON y.code = t.type
    CROSS JOIN LATERAL regexp_matches(t.body, $2, 'g') AS found (member)
    GROUP BY y.name, found.member[1]) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.dex_pairs
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT w.word::text AS pair, c.token0::text AS token0, c.token1::text AS token1
    FROM unnest($1::numeric[]) AS w (word)
    CROSS JOIN LATERAL (
      SELECT l.topics[2] AS token0, l.topics[3] AS token1 FROM contract_logs AS l
      WHERE l.topics[4] IS NOT NULL AND hash_numeric_extended(l.topics[4], 0) = hash_numeric_extended(w.word, 0) AND CASE WHEN l.topics[4] = w.word AND l.topics[1] = 74816878954925465632780271535271364819521174407361600946885709997746336505707::numeric AND cardinality(l.topics) = 4 THEN true ELSE false END
      ORDER BY l.position, l.log_index LIMIT 1
    ) AS c) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.dex_pairs_of_token
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT u.pair::text AS pair FROM (
      SELECT * FROM (
        (SELECT l.topics[4] AS pair, l.position, l.log_index FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND CASE WHEN l.topics[2] = $1::numeric AND l.topics[1] = 74816878954925465632780271535271364819521174407361600946885709997746336505707::numeric AND cardinality(l.topics) = 4 THEN true ELSE false END
          ORDER BY l.position, l.log_index LIMIT 200) UNION ALL
        (SELECT l.topics[4] AS pair, l.position, l.log_index FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($1::numeric, 0) AND CASE WHEN l.topics[3] = $1::numeric AND l.topics[1] = 74816878954925465632780271535271364819521174407361600946885709997746336505707::numeric AND cardinality(l.topics) = 4 THEN true ELSE false END
          ORDER BY l.position, l.log_index LIMIT 200)) AS f ORDER BY f.position, f.log_index LIMIT 200
    ) AS u) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.distinct
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT count(*) AS count
    FROM (
      SELECT position FROM entries WHERE list = ANY ($1::bigint[])
      UNION
      SELECT position FROM contract_calls WHERE contract_id = ANY ($2::text[])
    ) AS found
  ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.distinct.of_types
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT count(*) AS count
    FROM (
      SELECT position FROM entries WHERE list = ANY ($1::bigint[])
      UNION
      SELECT position FROM contract_calls WHERE contract_id = ANY ($2::text[])
    ) AS found
    JOIN transactions AS t ON t.position = found.position WHERE t.type IN (SELECT code FROM types WHERE name = ANY ($3::text[]))) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.end_of_micro_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT position + 65536 AS position FROM micro_blocks WHERE hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.expiries
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT auction_end_height AS active_from, expires_at AS expired_at
    FROM names WHERE name_hash = $1 AND NOT active AND NOT running AND revoked_at IS NULL) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.generation_changes.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT p.height, c.auctions_started::text AS auctions_started,
    c.auctions_ended::text AS auctions_ended,
    c.names_activated::text AS names_activated,
    c.names_expired::text AS names_expired,
    c.names_revoked::text AS names_revoked,
    c.oracles_registered::text AS oracles_registered,
    c.oracles_expired::text AS oracles_expired,
    c.contracts_created::text AS contracts_created,
    c.channels_opened::text AS channels_opened,
    c.accounts::text AS accounts,
    c.block_reward::text AS block_reward,
    c.dev_reward::text AS dev_reward,
    c.locked_in_auctions::text AS locked_in_auctions,
    c.burned_in_auctions::text AS burned_in_auctions,
    c.open_channels::text AS open_channels,
    c.locked_in_channels::text AS locked_in_channels, (SELECT t.hash FROM transactions AS t WHERE t.position < (p.height + 1) << 33 ORDER BY t.position DESC LIMIT 1) AS last_hash,
    l.position >= (p.height + 1) << 33 AND (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = p.height) IS NULL AS has_ledger,
    NOT EXISTS (SELECT FROM ledger_gaps AS g WHERE g.position = p.height << 33 AND g.position & 8589934591 = 0 AND g.gaps & ~16 <> 0) AS has_rewards
    FROM (
      SELECT k.height FROM key_blocks AS k
      WHERE k.height >= GREATEST($1::bigint, 1) AND k.height <= $2::bigint
      AND k.height < (SELECT top.height FROM key_blocks AS top ORDER BY top.height DESC LIMIT 1)
      ORDER BY k.height  LIMIT $3::bigint) AS p
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels FROM generation_changes AS g WHERE g.span = 0 AND g.height = p.height
    ) AS c
    CROSS JOIN (SELECT COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1) AS position) AS l) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.generation_changes.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT p.height, c.auctions_started::text AS auctions_started,
    c.auctions_ended::text AS auctions_ended,
    c.names_activated::text AS names_activated,
    c.names_expired::text AS names_expired,
    c.names_revoked::text AS names_revoked,
    c.oracles_registered::text AS oracles_registered,
    c.oracles_expired::text AS oracles_expired,
    c.contracts_created::text AS contracts_created,
    c.channels_opened::text AS channels_opened,
    c.accounts::text AS accounts,
    c.block_reward::text AS block_reward,
    c.dev_reward::text AS dev_reward,
    c.locked_in_auctions::text AS locked_in_auctions,
    c.burned_in_auctions::text AS burned_in_auctions,
    c.open_channels::text AS open_channels,
    c.locked_in_channels::text AS locked_in_channels, (SELECT t.hash FROM transactions AS t WHERE t.position < (p.height + 1) << 33 ORDER BY t.position DESC LIMIT 1) AS last_hash,
    l.position >= (p.height + 1) << 33 AND (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = p.height) IS NULL AS has_ledger,
    NOT EXISTS (SELECT FROM ledger_gaps AS g WHERE g.position = p.height << 33 AND g.position & 8589934591 = 0 AND g.gaps & ~16 <> 0) AS has_rewards
    FROM (
      SELECT k.height FROM key_blocks AS k
      WHERE k.height >= GREATEST($1::bigint, 1) AND k.height <= $2::bigint
      AND k.height < (SELECT top.height FROM key_blocks AS top ORDER BY top.height DESC LIMIT 1)
      ORDER BY k.height DESC LIMIT $3::bigint) AS p
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels FROM generation_changes AS g WHERE g.span = 0 AND g.height = p.height
    ) AS c
    CROSS JOIN (SELECT COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1) AS position) AS l) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.generation_totals.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH page AS (
      SELECT k.height FROM key_blocks AS k
      WHERE k.height >= GREATEST($1::bigint, 1) AND k.height <= $2::bigint
      AND k.height < (SELECT top.height FROM key_blocks AS top ORDER BY top.height DESC LIMIT 1)
      ORDER BY k.height  LIMIT $3::bigint),
    ends AS (SELECT min(p.height) AS low, max(p.height) AS high FROM page AS p),
    before AS (
      SELECT COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels FROM ends AS e CROSS JOIN LATERAL (SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 16  AND g.height < e.low >> 16 << 16 UNION ALL SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 8 AND g.height >= e.low >> 16 << 16 AND g.height < e.low >> 8 << 8 UNION ALL SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 0 AND g.height >= e.low >> 8 << 8 AND g.height < e.low >> 0 << 0) AS g
    ), changes AS (
      SELECT g.height, COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels
      FROM ends AS e CROSS JOIN LATERAL (
        SELECT g.height, g.member, g.amount FROM generation_changes AS g WHERE g.span = 0 AND g.height >= e.low AND g.height < e.high
      ) AS g
      GROUP BY g.height
    ), sums AS (
      SELECT h.height, sum(COALESCE(c.auctions_started, 0)) OVER below AS auctions_started,
      sum(COALESCE(c.auctions_ended, 0)) OVER below AS auctions_ended,
      sum(COALESCE(c.names_activated, 0)) OVER below AS names_activated,
      sum(COALESCE(c.names_expired, 0)) OVER below AS names_expired,
      sum(COALESCE(c.names_revoked, 0)) OVER below AS names_revoked,
      sum(COALESCE(c.oracles_registered, 0)) OVER below AS oracles_registered,
      sum(COALESCE(c.oracles_expired, 0)) OVER below AS oracles_expired,
      sum(COALESCE(c.contracts_created, 0)) OVER below AS contracts_created,
      sum(COALESCE(c.channels_opened, 0)) OVER below AS channels_opened,
      sum(COALESCE(c.accounts, 0)) OVER below AS accounts,
      sum(COALESCE(c.block_reward, 0)) OVER below AS block_reward,
      sum(COALESCE(c.dev_reward, 0)) OVER below AS dev_reward,
      sum(COALESCE(c.locked_in_auctions, 0)) OVER below AS locked_in_auctions,
      sum(COALESCE(c.burned_in_auctions, 0)) OVER below AS burned_in_auctions,
      sum(COALESCE(c.open_channels, 0)) OVER below AS open_channels,
      sum(COALESCE(c.locked_in_channels, 0)) OVER below AS locked_in_channels
      FROM (SELECT p.height FROM page AS p UNION SELECT c.height FROM changes AS c) AS h
      LEFT JOIN changes AS c ON c.height = h.height
      WINDOW below AS (ORDER BY h.height ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT p.height, (b.auctions_started + COALESCE(s.auctions_started, 0))::text AS auctions_started,
    (b.auctions_ended + COALESCE(s.auctions_ended, 0))::text AS auctions_ended,
    (b.names_activated + COALESCE(s.names_activated, 0))::text AS names_activated,
    (b.names_expired + COALESCE(s.names_expired, 0))::text AS names_expired,
    (b.names_revoked + COALESCE(s.names_revoked, 0))::text AS names_revoked,
    (b.oracles_registered + COALESCE(s.oracles_registered, 0))::text AS oracles_registered,
    (b.oracles_expired + COALESCE(s.oracles_expired, 0))::text AS oracles_expired,
    (b.contracts_created + COALESCE(s.contracts_created, 0))::text AS contracts_created,
    (b.channels_opened + COALESCE(s.channels_opened, 0))::text AS channels_opened,
    (b.accounts + COALESCE(s.accounts, 0))::text AS accounts,
    (b.block_reward + COALESCE(s.block_reward, 0))::text AS block_reward,
    (b.dev_reward + COALESCE(s.dev_reward, 0))::text AS dev_reward,
    (b.locked_in_auctions + COALESCE(s.locked_in_auctions, 0))::text AS locked_in_auctions,
    (b.burned_in_auctions + COALESCE(s.burned_in_auctions, 0))::text AS burned_in_auctions,
    (b.open_channels + COALESCE(s.open_channels, 0))::text AS open_channels,
    (b.locked_in_channels + COALESCE(s.locked_in_channels, 0))::text AS locked_in_channels,
    (SELECT t.hash FROM transactions AS t WHERE t.position < (p.height + 1) << 33 ORDER BY t.position DESC LIMIT 1) AS last_hash,
    l.position >= p.height << 33 AND COALESCE(l.rewrite >= p.height, true) AS has_ledger,
    COALESCE(l.gap >= p.height << 33, true) AS has_rewards
    FROM page AS p
    JOIN sums AS s ON s.height = p.height
    CROSS JOIN before AS b
    CROSS JOIN (
      SELECT COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1) AS position, (SELECT min(w.height) FROM ledger_rewrites AS w) AS rewrite,
      (SELECT min(g.position) FROM ledger_gaps AS g WHERE g.position & 8589934591 = 0 AND g.gaps & ~16 <> 0) AS gap
    ) AS l) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.generation_totals.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH page AS (
      SELECT k.height FROM key_blocks AS k
      WHERE k.height >= GREATEST($1::bigint, 1) AND k.height <= $2::bigint
      AND k.height < (SELECT top.height FROM key_blocks AS top ORDER BY top.height DESC LIMIT 1)
      ORDER BY k.height DESC LIMIT $3::bigint),
    ends AS (SELECT min(p.height) AS low, max(p.height) AS high FROM page AS p),
    before AS (
      SELECT COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels FROM ends AS e CROSS JOIN LATERAL (SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 16  AND g.height < e.low >> 16 << 16 UNION ALL SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 8 AND g.height >= e.low >> 16 << 16 AND g.height < e.low >> 8 << 8 UNION ALL SELECT g.member, g.amount FROM generation_changes AS g WHERE g.span = 0 AND g.height >= e.low >> 8 << 8 AND g.height < e.low >> 0 << 0) AS g
    ), changes AS (
      SELECT g.height, COALESCE(sum(g.amount) FILTER (WHERE g.member = 1), 0) AS auctions_started,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 2), 0) AS auctions_ended,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 3), 0) AS names_activated,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 4), 0) AS names_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 5), 0) AS names_revoked,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 6), 0) AS oracles_registered,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 7), 0) AS oracles_expired,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 8), 0) AS contracts_created,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 9), 0) AS channels_opened,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 10), 0) AS accounts,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 20), 0) AS block_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 21), 0) AS dev_reward,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 22), 0) AS locked_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 23), 0) AS burned_in_auctions,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 24), 0) AS open_channels,
      COALESCE(sum(g.amount) FILTER (WHERE g.member = 25), 0) AS locked_in_channels
      FROM ends AS e CROSS JOIN LATERAL (
        SELECT g.height, g.member, g.amount FROM generation_changes AS g WHERE g.span = 0 AND g.height >= e.low AND g.height < e.high
      ) AS g
      GROUP BY g.height
    ), sums AS (
      SELECT h.height, sum(COALESCE(c.auctions_started, 0)) OVER below AS auctions_started,
      sum(COALESCE(c.auctions_ended, 0)) OVER below AS auctions_ended,
      sum(COALESCE(c.names_activated, 0)) OVER below AS names_activated,
      sum(COALESCE(c.names_expired, 0)) OVER below AS names_expired,
      sum(COALESCE(c.names_revoked, 0)) OVER below AS names_revoked,
      sum(COALESCE(c.oracles_registered, 0)) OVER below AS oracles_registered,
      sum(COALESCE(c.oracles_expired, 0)) OVER below AS oracles_expired,
      sum(COALESCE(c.contracts_created, 0)) OVER below AS contracts_created,
      sum(COALESCE(c.channels_opened, 0)) OVER below AS channels_opened,
      sum(COALESCE(c.accounts, 0)) OVER below AS accounts,
      sum(COALESCE(c.block_reward, 0)) OVER below AS block_reward,
      sum(COALESCE(c.dev_reward, 0)) OVER below AS dev_reward,
      sum(COALESCE(c.locked_in_auctions, 0)) OVER below AS locked_in_auctions,
      sum(COALESCE(c.burned_in_auctions, 0)) OVER below AS burned_in_auctions,
      sum(COALESCE(c.open_channels, 0)) OVER below AS open_channels,
      sum(COALESCE(c.locked_in_channels, 0)) OVER below AS locked_in_channels
      FROM (SELECT p.height FROM page AS p UNION SELECT c.height FROM changes AS c) AS h
      LEFT JOIN changes AS c ON c.height = h.height
      WINDOW below AS (ORDER BY h.height ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT p.height, (b.auctions_started + COALESCE(s.auctions_started, 0))::text AS auctions_started,
    (b.auctions_ended + COALESCE(s.auctions_ended, 0))::text AS auctions_ended,
    (b.names_activated + COALESCE(s.names_activated, 0))::text AS names_activated,
    (b.names_expired + COALESCE(s.names_expired, 0))::text AS names_expired,
    (b.names_revoked + COALESCE(s.names_revoked, 0))::text AS names_revoked,
    (b.oracles_registered + COALESCE(s.oracles_registered, 0))::text AS oracles_registered,
    (b.oracles_expired + COALESCE(s.oracles_expired, 0))::text AS oracles_expired,
    (b.contracts_created + COALESCE(s.contracts_created, 0))::text AS contracts_created,
    (b.channels_opened + COALESCE(s.channels_opened, 0))::text AS channels_opened,
    (b.accounts + COALESCE(s.accounts, 0))::text AS accounts,
    (b.block_reward + COALESCE(s.block_reward, 0))::text AS block_reward,
    (b.dev_reward + COALESCE(s.dev_reward, 0))::text AS dev_reward,
    (b.locked_in_auctions + COALESCE(s.locked_in_auctions, 0))::text AS locked_in_auctions,
    (b.burned_in_auctions + COALESCE(s.burned_in_auctions, 0))::text AS burned_in_auctions,
    (b.open_channels + COALESCE(s.open_channels, 0))::text AS open_channels,
    (b.locked_in_channels + COALESCE(s.locked_in_channels, 0))::text AS locked_in_channels,
    (SELECT t.hash FROM transactions AS t WHERE t.position < (p.height + 1) << 33 ORDER BY t.position DESC LIMIT 1) AS last_hash,
    l.position >= p.height << 33 AND COALESCE(l.rewrite >= p.height, true) AS has_ledger,
    COALESCE(l.gap >= p.height << 33, true) AS has_rewards
    FROM page AS p
    JOIN sums AS s ON s.height = p.height
    CROSS JOIN before AS b
    CROSS JOIN (
      SELECT COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1) AS position, (SELECT min(w.height) FROM ledger_rewrites AS w) AS rewrite,
      (SELECT min(g.position) FROM ledger_gaps AS g WHERE g.position & 8589934591 = 0 AND g.gaps & ~16 <> 0) AS gap
    ) AS l) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.key_block.hash
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    k.height, k.body, micro.count AS micro_blocks,
    COALESCE((SELECT g.tx_count FROM generations AS g WHERE g.height = k.height), 0) AS transactions,
    (
      CASE
      WHEN k.height << 33 > COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)
      THEN CASE WHEN k.height <= 180 THEN 0 END
      WHEN (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = k.height) IS NULL
      AND COALESCE((SELECT g.gaps & ~16 FROM ledger_gaps AS g WHERE g.position = k.height << 33), 0) = 0
      THEN COALESCE((
          SELECT sum(m.amount) FROM movement_rows AS m WHERE abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = k.height << 33
        ), 0)
      END)::text AS reward FROM key_block_texts AS k
    CROSS JOIN LATERAL (SELECT count(*) AS count FROM micro_blocks AS m WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591) AS micro WHERE k.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.key_block.height
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    k.height, k.body, micro.count AS micro_blocks,
    COALESCE((SELECT g.tx_count FROM generations AS g WHERE g.height = k.height), 0) AS transactions,
    (
      CASE
      WHEN k.height << 33 > COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)
      THEN CASE WHEN k.height <= 180 THEN 0 END
      WHEN (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = k.height) IS NULL
      AND COALESCE((SELECT g.gaps & ~16 FROM ledger_gaps AS g WHERE g.position = k.height << 33), 0) = 0
      THEN COALESCE((
          SELECT sum(m.amount) FROM movement_rows AS m WHERE abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = k.height << 33
        ), 0)
      END)::text AS reward FROM key_block_texts AS k
    CROSS JOIN LATERAL (SELECT count(*) AS count FROM micro_blocks AS m WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591) AS micro WHERE k.height = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.key_blocks.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    k.height, k.body, micro.count AS micro_blocks,
    COALESCE((SELECT g.tx_count FROM generations AS g WHERE g.height = k.height), 0) AS transactions,
    (
      CASE
      WHEN k.height << 33 > COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)
      THEN CASE WHEN k.height <= 180 THEN 0 END
      WHEN (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = k.height) IS NULL
      AND COALESCE((SELECT g.gaps & ~16 FROM ledger_gaps AS g WHERE g.position = k.height << 33), 0) = 0
      THEN COALESCE((
          SELECT sum(m.amount) FROM movement_rows AS m WHERE abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = k.height << 33
        ), 0)
      END)::text AS reward
    FROM (
      SELECT height, body FROM key_block_texts
      WHERE height >= $1::bigint AND height <= $2::bigint
      ORDER BY height
      LIMIT $3::bigint
    ) AS k
    CROSS JOIN LATERAL (SELECT count(*) AS count FROM micro_blocks AS m WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591) AS micro) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.key_blocks.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    k.height, k.body, micro.count AS micro_blocks,
    COALESCE((SELECT g.tx_count FROM generations AS g WHERE g.height = k.height), 0) AS transactions,
    (
      CASE
      WHEN k.height << 33 > COALESCE((SELECT l.position FROM ledger AS l WHERE l.one), -1)
      THEN CASE WHEN k.height <= 180 THEN 0 END
      WHEN (SELECT w.height FROM ledger_rewrites AS w WHERE w.height = k.height) IS NULL
      AND COALESCE((SELECT g.gaps & ~16 FROM ledger_gaps AS g WHERE g.position = k.height << 33), 0) = 0
      THEN COALESCE((
          SELECT sum(m.amount) FROM movement_rows AS m WHERE abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = k.height << 33
        ), 0)
      END)::text AS reward
    FROM (
      SELECT height, body FROM key_block_texts
      WHERE height >= $1::bigint AND height <= $2::bigint
      ORDER BY height DESC
      LIMIT $3::bigint
    ) AS k
    CROSS JOIN LATERAL (SELECT count(*) AS count FROM micro_blocks AS m WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591) AS micro) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.list_keys
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT r.mention, l.key, (SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1) AS length
    FROM unnest($1::int[], $2::smallint[], $3::text[]) AS r (mention, kind, id)
    CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = r.kind AND id = r.id LIMIT 1) AS l) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.micro_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT m.position, m.body, m.tx_count AS transactions FROM micro_blocks AS m WHERE m.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.micro_blocks.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.body, m.tx_count AS transactions
    FROM micro_blocks AS m
    WHERE m.position >= $1::bigint AND m.position <= $2::bigint
    ORDER BY m.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.micro_blocks.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.body, m.tx_count AS transactions
    FROM micro_blocks AS m
    WHERE m.position >= $1::bigint AND m.position <= $2::bigint
    ORDER BY m.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners
      ORDER BY id COLLATE "C"  LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners WHERE (id COLLATE "C") > ($2::text)
      ORDER BY id COLLATE "C"  LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners WHERE (id COLLATE "C") >= ($2::text)
      ORDER BY id COLLATE "C"  LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners
      ORDER BY id COLLATE "C" DESC LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners WHERE (id COLLATE "C") < ($2::text)
      ORDER BY id COLLATE "C" DESC LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.miners.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.id AS miner, COALESCE((
        SELECT sum(m.amount) FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = k.id) AND abs(m.kind) = 19 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
      ), 0)::text AS total
    FROM (
      SELECT id FROM miners WHERE (id COLLATE "C") <= ($2::text)
      ORDER BY id COLLATE "C" DESC LIMIT $1::bigint
    ) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.name_count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT COALESCE(
      (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
      (SELECT sum(s.count) FROM milestones AS s WHERE s.ranking = k.key),
      0
    ) AS count
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.name_positions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    (SELECT position FROM names WHERE name_hash = $1 AND NOT running ORDER BY position DESC LIMIT 1) AS name_position,
    (SELECT position FROM names WHERE name_hash = $1 AND running ORDER BY position DESC LIMIT 1) AS auction_position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.activation.ascending.active.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.auction_end_height AS height, n.name, n.position
    FROM names AS n
    WHERE n.active AND n.active AND n.auction_end_height >= $1::bigint AND n.auction_end_height <= $2::bigint AND n.auction_end_height >= $4::bigint AND (n.auction_end_height > $4::bigint OR n.name < $3::text)
    ORDER BY n.auction_end_height ASC, n.name DESC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.activation.descending.active
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.auction_end_height AS height, n.name, n.position
    FROM names AS n
    WHERE n.active AND n.active AND n.auction_end_height >= $1::bigint AND n.auction_end_height <= $2::bigint
    ORDER BY n.auction_end_height DESC, n.name ASC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.activation.descending.active.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.auction_end_height AS height, n.name, n.position
    FROM names AS n
    WHERE n.active AND n.active AND n.auction_end_height >= $1::bigint AND n.auction_end_height <= $2::bigint AND n.auction_end_height <= $4::bigint AND (n.auction_end_height < $4::bigint OR n.name >= $3::text)
    ORDER BY n.auction_end_height DESC, n.name ASC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_end.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.auction_end_height AS height, n.name, n.position
    FROM names AS n
    WHERE n.running AND n.auction_end_height >= $1::bigint AND n.auction_end_height <= $2::bigint
    ORDER BY n.auction_end_height ASC, n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_end.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.auction_end_height AS height, n.name, n.position
    FROM names AS n
    WHERE n.running AND n.auction_end_height >= $1::bigint AND n.auction_end_height <= $2::bigint
    ORDER BY n.auction_end_height DESC, n.name ASC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_name.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE n.running
    ORDER BY n.name ASC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_name.ascending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE n.running AND n.name >= $1::text
    ORDER BY n.name ASC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_name.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE n.running
    ORDER BY n.name DESC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_name.descending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE n.running AND n.name <= $1::text
    ORDER BY n.name DESC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.auction_name.descending.prefix
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE n.running AND n.name >= $1::text AND n.name < $1::text || $2::text
    ORDER BY n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.active
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.active.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint AND n.expires_at >= $4::bigint AND (n.expires_at > $4::bigint OR n.name <= $3::text)
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint AND n.expires_at >= $4::bigint AND (n.expires_at > $4::bigint OR n.name < $3::text)
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint AND n.expires_at >= $4::bigint AND (n.expires_at > $4::bigint OR n.name <= $3::text)
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.inactive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND NOT n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.ascending.owner.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.owner = $1::text AND n.expires_at >= $2::bigint AND n.expires_at <= $3::bigint AND n.expires_at >= $5::bigint AND (n.expires_at > $5::bigint OR n.name < $4::text)
    ORDER BY n.expires_at ASC, n.name DESC
    LIMIT $6::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.active
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.active.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint AND n.expires_at <= $4::bigint AND (n.expires_at < $4::bigint OR n.name > $3::text)
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.active.owner
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.owner = $1::text AND n.expires_at >= $2::bigint AND n.expires_at <= $3::bigint
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $4::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint AND n.expires_at <= $4::bigint AND (n.expires_at < $4::bigint OR n.name >= $3::text)
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.inactive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND NOT n.active AND n.expires_at >= $1::bigint AND n.expires_at <= $2::bigint
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.owner
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.owner = $1::text AND n.expires_at >= $2::bigint AND n.expires_at <= $3::bigint
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $4::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.expiration.descending.owner.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.expires_at AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.owner = $1::text AND n.expires_at >= $2::bigint AND n.expires_at <= $3::bigint AND n.expires_at <= $5::bigint AND (n.expires_at < $5::bigint OR n.name >= $4::text)
    ORDER BY n.expires_at DESC, n.name ASC
    LIMIT $6::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    )
    ORDER BY n.name ASC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending.active
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active
    ORDER BY n.name ASC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending.active.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.name >= $1::text
    ORDER BY n.name ASC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending.active.owner
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.owner = $1::text
    ORDER BY n.name ASC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.name > $1::text
    ORDER BY n.name ASC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.ascending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.name >= $1::text
    ORDER BY n.name ASC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    )
    ORDER BY n.name DESC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.active
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active
    ORDER BY n.name DESC
    LIMIT $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.active.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.name <= $1::text
    ORDER BY n.name DESC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.active.owner
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.owner = $1::text
    ORDER BY n.name DESC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.active.prefix
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.active AND n.name >= $1::text AND n.name < $1::text || $2::text
    ORDER BY n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.name < $1::text
    ORDER BY n.name DESC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.from.inclusive
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.name <= $1::text
    ORDER BY n.name DESC
    LIMIT $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names.name.descending.prefix
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT 0 AS height, n.name, n.position
    FROM names AS n
    WHERE
    NOT n.running AND NOT EXISTS (
      SELECT FROM names AS later WHERE later.name_hash = n.name_hash AND later.position > n.position AND NOT later.running
    ) AND n.name >= $1::text AND n.name < $1::text || $2::text
    ORDER BY n.name DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.names_at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    n.position, n.name, n.name_hash, n.active, n.running,
    (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) AS active_from,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END)),
      top.time + ((CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) - top.height) * 180000
    ) AS activation_time,
    (
      CASE
      WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
      WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
      THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
      ELSE n.expires_at
      END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END)),
      top.time + ((
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) - top.height) * 180000
    ) AS expire_time,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END)),
      top.time + ((CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) - top.height) * 180000
    ) AS auction_end_time,
    n.auction_end_height > n.created_at_height AS auctioned,
    (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) AS owner,
    (
      SELECT substring(t.body FROM '"account_id"\s*:\s*"(ak_\w+)"') FROM transactions AS t WHERE t.position = n.bid_position
    ) AS claimer,
    (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END) AS pointers, n.bid_position,
    (SELECT m.time FROM micro_blocks AS m WHERE m.position = (n.bid_position & (-65536)::bigint)) AS bid_time,
    (SELECT e.ordinal FROM entries AS e WHERE e.position = n.bid_position AND e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 6 AND l.id = n.name_hash) LIMIT 1) - (SELECT e.ordinal FROM entries AS e WHERE e.position = n.position AND e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 6 AND l.id = n.name_hash) LIMIT 1) + 1 AS claims,
    CASE WHEN n.revoked_at IS NOT NULL THEN (
      SELECT max(e.position) FROM entries AS e
      WHERE e.position > (n.revoked_at << 33) AND e.position <= (n.revoked_at << 33) + 8589934591 AND e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 6 AND l.id = n.name_hash)
    ) END AS revoke_position,
    (
      SELECT a.position FROM names AS a WHERE a.name_hash = n.name_hash AND a.running ORDER BY a.position DESC LIMIT 1
    ) AS running_position
    FROM unnest($1::bigint[]) AS p (position)
    JOIN names AS n ON n.position = p.position
    LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.newest_key_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracle
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends FROM oracles AS o LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle' CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top WHERE o.id = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.active.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at , found.id  LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.active.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at DESC, found.id DESC LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at , found.id  LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at >= $4::bigint AND (s.expires_at > $4::bigint OR s.id > $5)
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at >= $4::bigint AND (s.expires_at > $4::bigint OR s.id > $5)
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at , found.id  LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at >= $4::bigint AND (s.expires_at > $4::bigint OR s.id >= $5)
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at >= $4::bigint AND (s.expires_at > $4::bigint OR s.id >= $5)
          ORDER BY s.expires_at , s.id  LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at , found.id  LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at DESC, found.id DESC LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at <= $4::bigint AND (s.expires_at < $4::bigint OR s.id < $5)
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at <= $4::bigint AND (s.expires_at < $4::bigint OR s.id < $5)
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at DESC, found.id DESC LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.oracles.all.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    o.id, o.position, o.active, o.expires_at, (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) AS expire_height,
    COALESCE(
      (SELECT stored.time FROM key_blocks AS stored WHERE stored.height = (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END)),
      top.time + ((CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) - top.height) * 180000
    ) AS expire_time,
    (
      SELECT array_agg(e.position ORDER BY e.position)
      FROM entries AS e JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = o.id)
      AND e.position > o.position AND t.body ~ '"type"\s*:\s*"OracleExtendTx"'
    ) AS extends
    FROM (
      SELECT found.id FROM (
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at <= $4::bigint AND (s.expires_at < $4::bigint OR s.id <= $5)
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint) UNION ALL
        (SELECT s.id, s.expires_at FROM oracles AS s
          WHERE NOT s.active AND s.expires_at >= $1::bigint AND s.expires_at <= $2::bigint AND s.expires_at <= $4::bigint AND (s.expires_at < $4::bigint OR s.id <= $5)
          ORDER BY s.expires_at DESC, s.id DESC LIMIT $3::bigint)) AS found
      ORDER BY found.expires_at DESC, found.id DESC LIMIT $3::bigint
    ) AS listed
    JOIN oracles AS o ON o.id = listed.id
    LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle'
    CROSS JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS top) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric
      ORDER BY o.contract_id , o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id , w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric  AND (o.contract_id, o.token_id) > ($3::text, $4::numeric)
      ORDER BY o.contract_id , o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id , w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.contract.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric AND o.contract_id = $3::text
      ORDER BY o.contract_id , o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id , w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.contract.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric AND o.contract_id = $3::text
      ORDER BY o.contract_id DESC, o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id DESC, w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric
      ORDER BY o.contract_id DESC, o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id DESC, w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.owned_tokens.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o WHERE o.owner = $1::numeric  AND (o.contract_id, o.token_id) <= ($3::text, $4::numeric)
      ORDER BY o.contract_id DESC, o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.contract_id DESC, w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.position_of_index
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position + ($1::bigint - (m.upto - m.tx_count)) AS position
    FROM (
      SELECT g.height, g.tx_total - g.tx_count AS before
      FROM generations AS g
      WHERE g.tx_total > $1::bigint AND g.tx_count > 0
      ORDER BY g.tx_total
      LIMIT 1
    ) AS g
    CROSS JOIN LATERAL (
      SELECT b.position, b.tx_count, g.before + sum(b.tx_count) OVER (ORDER BY b.position) AS upto
      FROM micro_blocks AS b
      WHERE b.position > g.height << 33 AND b.position <= (g.height << 33) + 8589934591
    ) AS m
    WHERE m.upto > $1::bigint
    ORDER BY m.position
    LIMIT 1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.all.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT p.position FROM transactions AS p
        WHERE p.position >= $1::bigint AND p.position <= $2::bigint
        ORDER BY p.position  LIMIT $3::bigint)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.all.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT p.position FROM transactions AS p
        WHERE p.position >= $1::bigint AND p.position <= $2::bigint
        ORDER BY p.position DESC LIMIT $3::bigint)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.all.entrypoint.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT p.position FROM transactions AS p
        WHERE p.position >= $1::bigint AND p.position <= $2::bigint  AND
        EXISTS (
          SELECT FROM contract_calls AS c
          WHERE c.position = p.position AND c.state = 'done' AND starts_with(c.arguments, $4::text)
        )
        ORDER BY p.position DESC LIMIT $3::bigint)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.all_of_types.typed.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT of_type.position
        FROM (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT p.position FROM transactions AS p
          WHERE p.type = y.code AND p.position >= $1::bigint AND p.position <= $2::bigint
          ORDER BY p.position  LIMIT $3::bigint
        ) AS of_type)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.all_of_types.typed.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT of_type.position
        FROM (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT p.position FROM transactions AS p
          WHERE p.type = y.code AND p.position >= $1::bigint AND p.position <= $2::bigint
          ORDER BY p.position DESC LIMIT $3::bigint
        ) AS of_type)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($4::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count
          ORDER BY p.ordinal  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($4::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count
          ORDER BY p.ordinal DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($4::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count
          ORDER BY p.ordinal  LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($5::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint
          ORDER BY p.position  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($4::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count
          ORDER BY p.ordinal DESC LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($5::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint
          ORDER BY p.position DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.text.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.ordinal  LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($6::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.position  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.text.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.ordinal DESC LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($6::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.position DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.text.typed.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($6::bigint[]) AS l (key)
        CROSS JOIN (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key AND p.type = y.code
          AND p.type_ordinal > below.count AND p.type_ordinal <= upto.count  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($5::text[])
          ORDER BY p.type_ordinal  LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($7::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($5::text[])
          AND (SELECT t.type FROM transactions AS t WHERE t.position = p.position) IN (SELECT code FROM types WHERE name = ANY ($4::text[]))
          ORDER BY p.position  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.typed.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key AND p.type = y.code
          AND p.type_ordinal > below.count AND p.type_ordinal <= upto.count
          ORDER BY p.type_ordinal  LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($6::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint
          AND (SELECT t.type FROM transactions AS t WHERE t.position = p.position) IN (SELECT code FROM types WHERE name = ANY ($4::text[]))
          ORDER BY p.position  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.calls.typed.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key AND p.type = y.code
          AND p.type_ordinal > below.count AND p.type_ordinal <= upto.count
          ORDER BY p.type_ordinal DESC LIMIT $3::bigint
        ) AS part) UNION ALL (
        SELECT part.position
        FROM unnest($6::text[]) AS l (id)
        CROSS JOIN LATERAL (
          SELECT p.position FROM contract_calls AS p
          WHERE p.contract_id = l.id AND p.position >= $1::bigint AND p.position <= $2::bigint
          AND (SELECT t.type FROM transactions AS t WHERE t.position = p.position) IN (SELECT code FROM types WHERE name = ANY ($4::text[]))
          ORDER BY p.position DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.text.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.ordinal  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.text.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key
          AND p.ordinal > below.count AND p.ordinal <= upto.count  AND (SELECT t.body FROM transactions AS t WHERE t.position = p.position) ~ ALL ($4::text[])
          ORDER BY p.ordinal DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.typed.ASC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key AND p.type = y.code
          AND p.type_ordinal > below.count AND p.type_ordinal <= upto.count
          ORDER BY p.type_ordinal  LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions.lists.typed.DESC
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT DISTINCT found.position
    FROM ((
        SELECT part.position
        FROM unnest($5::bigint[]) AS l (key)
        CROSS JOIN (SELECT code FROM types WHERE name = ANY ($4::text[])) AS y (code)
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = y.code ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $1::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $1::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position <= $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position <= $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = y.code AND e.type_ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS upto
        CROSS JOIN LATERAL (
          SELECT p.position
          FROM entries AS p
          WHERE p.list = l.key AND p.type = y.code
          AND p.type_ordinal > below.count AND p.type_ordinal <= upto.count
          ORDER BY p.type_ordinal DESC LIMIT $3::bigint
        ) AS part)) AS found
    ORDER BY found.position DESC
    LIMIT $3::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.positions_between_times
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    (SELECT position FROM micro_blocks WHERE time >= $1::bigint ORDER BY time, position LIMIT 1) AS low,
    (SELECT position + 65535 FROM micro_blocks WHERE time <= $2::bigint ORDER BY time DESC, position DESC LIMIT 1) AS high) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.queries_at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT id, position, response_position FROM oracle_queries WHERE position = ANY ($1::bigint[])) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.records
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT best.rate, best.hash AS fastest, CASE WHEN NOT f.is_filling THEN (SELECT count(*) FROM miners) END AS producers,
    CASE WHEN NOT EXISTS (SELECT FROM backfills WHERE projection = 'holders') AND EXISTS (SELECT FROM ledger)
    THEN (SELECT count(*) FROM holders) END AS holders
    FROM (SELECT EXISTS (SELECT FROM backfills WHERE projection = 'statistics') AS is_filling) AS f
    LEFT JOIN LATERAL (
      SELECT r.rate, k.hash
      FROM (SELECT height, rate FROM generation_rates ORDER BY rate DESC, height LIMIT 1) AS r
      JOIN key_blocks AS k ON k.height = r.height
      WHERE NOT f.is_filling
    ) AS best ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.responses.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT q.id, q.position, q.response_position
    FROM entries AS e
    JOIN oracle_queries AS q ON q.position = e.position
    WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 5 AND l.id = $1)
    AND q.response_position >= $2::bigint AND q.response_position <= $3::bigint
    ORDER BY q.response_position
    LIMIT $4::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.responses.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT q.id, q.position, q.response_position
    FROM entries AS e
    JOIN oracle_queries AS q ON q.position = e.position
    WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 5 AND l.id = $1)
    AND q.response_position >= $2::bigint AND q.response_position <= $3::bigint
    ORDER BY q.response_position DESC
    LIMIT $4::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.accounts
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, ((SELECT count(*) FROM seen_accounts AS a WHERE a.position >= s.low AND a.position < s.high))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.aex9_transfers
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (
      COALESCE((
          SELECT sum(e.events) FROM (
            SELECT l.contract_id, count(*) AS events FROM contract_logs AS l
            WHERE hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended(15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric, 0)
            AND l.position >= s.low AND l.position < s.high
            AND l.topics[1] = 15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric AND cardinality(l.topics) = 4
            GROUP BY l.contract_id UNION ALL
            SELECT l.contract_id, count(*) AS events FROM contract_logs AS l
            WHERE hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended(97248968993606906149864095761415446114204891017168990930824289305879066770211::numeric, 0)
            AND l.position >= s.low AND l.position < s.high
            AND l.topics[1] = 97248968993606906149864095761415446114204891017168990930824289305879066770211::numeric AND cardinality(l.topics) = 3
            GROUP BY l.contract_id) AS e
          WHERE (SELECT t.kind FROM tokens AS t WHERE t.contract_id = e.contract_id) = 9
        ), 0))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.blocks
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (s.next - s.first + (SELECT count(*) FROM micro_blocks AS m WHERE m.position >= s.low AND m.position < s.high))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.contracts
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (
      (SELECT count(*) FROM contracts AS c WHERE c.position >= s.low AND c.position < s.high AND NOT c.failed))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.difficulty
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (COALESCE((
          SELECT round(avg(
              CASE
              WHEN k.target & 8388607 = 0 THEN 0
              WHEN k.target >> 24 = 33 THEN div(1099494850560, k.target & 8388607)
              WHEN k.target >> 24 = 32 THEN div(281470681743360, k.target & 8388607)
              WHEN k.target >> 24 = 31 THEN div(72056494526300160, k.target & 8388607)
              WHEN k.target >> 24 = 30 THEN div(18446462598732840960, k.target & 8388607)
              WHEN k.target >> 24 = 29 THEN div(4722294425275607285760, k.target & 8388607)
              WHEN k.target >> 24 = 28 THEN div(1208907372870555465154560, k.target & 8388607)
              WHEN k.target >> 24 = 27 THEN div(309480287454862199079567360, k.target & 8388607)
              WHEN k.target >> 24 = 26 THEN div(79226953588444722964369244160, k.target & 8388607)
              WHEN k.target >> 24 = 25 THEN div(20282100118641849078878526504960, k.target & 8388607)
              WHEN k.target >> 24 = 24 THEN div(5192217630372313364192902785269760, k.target & 8388607)
              WHEN k.target >> 24 = 23 THEN div(1329207713375312221233383113029058560, k.target & 8388607)
              WHEN k.target >> 24 = 22 THEN div(340277174624079928635746076935438991360, k.target & 8388607)
              WHEN k.target >> 24 < 3 THEN COALESCE(
                div(1942639249450884317973433472651356682537996401936065117267418308597398259444020674560, NULLIF((k.target & 8388607) >> (8 * (3 - (k.target >> 24)))::int, 0)), 0
              )
              ELSE div(1942639249450884317973433472651356682537996401936065117267418308597398259444020674560, (k.target & 8388607) * power(256::numeric, (k.target >> 24) - 3))
              END)) FROM key_blocks AS k WHERE k.height >= s.first AND k.height < s.next
        ), 0))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.fees
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (
      COALESCE((
          SELECT g.tx_total FROM generations AS g WHERE g.height < s.high >> 33 ORDER BY g.height DESC LIMIT 1
        ), 0) + COALESCE((
          SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (s.high >> 33) << 33 AND m.position < s.high
        ), 0) - (
        COALESCE((
            SELECT g.tx_total FROM generations AS g WHERE g.height < s.low >> 33 ORDER BY g.height DESC LIMIT 1
          ), 0) + COALESCE((
            SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (s.low >> 33) << 33 AND m.position < s.low
          ), 0)))::text AS transactions, (
      COALESCE((SELECT sum(g.fees) FROM generations AS g WHERE g.height >= s.low >> 33 AND g.height < s.high >> 33), 0)
      - COALESCE((SELECT sum(t.fee) FROM transactions AS t WHERE t.position > (s.low >> 33) << 33 AND t.position < s.low), 0)
      + COALESCE((SELECT sum(t.fee) FROM transactions AS t WHERE t.position > (s.high >> 33) << 33 AND t.position < s.high), 0))::text AS fees FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.key_blocks
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (s.next - s.first)::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.micro_blocks
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, ((SELECT count(*) FROM micro_blocks AS m WHERE m.position >= s.low AND m.position < s.high))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.miners
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    )
    SELECT s.number, mined.miner, mined.blocks
    FROM steps AS s
    CROSS JOIN LATERAL (
      SELECT k.beneficiary AS miner, count(*) AS blocks
      FROM key_blocks AS k WHERE k.height >= GREATEST(s.first, 1) AND k.height < s.next GROUP BY k.beneficiary
    ) AS mined) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.names
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (
      (
        SELECT count(*) FROM names AS n
        WHERE NOT n.running AND n.winning_bid IS NOT NULL AND n.auction_end_height >= s.first AND n.auction_end_height < s.next
      ) + (
        SELECT count(*) FROM names AS n
        WHERE n.winning_bid IS NULL AND n.position >= s.first << 33 AND n.position < s.next << 33
    ))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.transactions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    ) SELECT s.number, (
      COALESCE((
          SELECT g.tx_total FROM generations AS g WHERE g.height < s.high >> 33 ORDER BY g.height DESC LIMIT 1
        ), 0) + COALESCE((
          SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (s.high >> 33) << 33 AND m.position < s.high
        ), 0) - (
        COALESCE((
            SELECT g.tx_total FROM generations AS g WHERE g.height < s.low >> 33 ORDER BY g.height DESC LIMIT 1
          ), 0) + COALESCE((
            SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (s.low >> 33) << 33 AND m.position < s.low
          ), 0)))::text AS count FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.series.transactions_of_types
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    )
    SELECT s.number, COALESCE((
        SELECT sum(
          COALESCE((
              SELECT g.total FROM generation_types AS g WHERE g.type = y.code AND g.height < s.high >> 33 ORDER BY g.height DESC LIMIT 1
            ), 0) + (SELECT count(*) FROM transactions AS t WHERE t.position > (s.high >> 33) << 33 AND t.position < s.high AND t.type = y.code) - (
            COALESCE((
                SELECT g.total FROM generation_types AS g WHERE g.type = y.code AND g.height < s.low >> 33 ORDER BY g.height DESC LIMIT 1
              ), 0) + (SELECT count(*) FROM transactions AS t WHERE t.position > (s.low >> 33) << 33 AND t.position < s.low AND t.type = y.code))) FROM types AS y WHERE y.name = ANY ($3::text[])
      ), 0)::text AS count
    FROM steps AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_token
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT t.meta AS collection_meta, o.owner::text AS owner, m.state, m.metadata
    FROM tokens AS t
    LEFT JOIN token_owners AS o ON o.contract_id = t.contract_id AND o.token_id = $2::numeric
    LEFT JOIN token_metadata AS m ON m.contract_id = o.contract_id AND m.token_id = o.token_id
    WHERE t.contract_id = $1 AND
    t.kind = 141 AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL
      ORDER BY o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL AND (o.token_id) > ($3::numeric)
      ORDER BY o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL AND (o.token_id) >= ($3::numeric)
      ORDER BY o.token_id  LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL
      ORDER BY o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL AND (o.token_id) < ($3::numeric)
      ORDER BY o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.single_tokens.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    w.contract_id, w.token_id::text AS token_id, w.owner::text AS owner, x.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time FROM (
      SELECT * FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL AND (o.token_id) <= ($3::numeric)
      ORDER BY o.token_id DESC LIMIT $2::bigint
    ) AS w
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = w.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((w.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY w.token_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.status
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    COALESCE((SELECT tx_total FROM generations ORDER BY height DESC LIMIT 1), 0) AS transactions,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
    (c.seen_at > now() - interval '60 seconds') IS TRUE AS populating,
    newest.elapsed, newest.blocks
    FROM chain AS c
    CROSS JOIN (
      SELECT max(time) - min(time) AS elapsed, count(*) - 1 AS blocks
      FROM (SELECT time FROM key_blocks ORDER BY height DESC LIMIT 21) AS k
    ) AS newest) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.template_tokens
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT o.token_id::text AS token_id, o.owner::text AS owner, x.hash, m.log_index, m.data
    FROM (
      SELECT DISTINCT ON (l.topics[4]) l.topics[4] AS token, l.position, l.log_index, l.data
      FROM
      contract_logs AS l
      WHERE
      (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
      = (hashtextextended($1::text, 0) # hash_numeric_extended(82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric, 1))
      AND l.contract_id = $1::text AND l.topics[1] = 82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric AND cardinality(l.topics) = 4 AND l.topics[3] = $2::numeric
      ORDER BY l.topics[4], l.position DESC, l.log_index DESC
    ) AS m
    JOIN token_owners AS o ON o.contract_id = $1 AND o.token_id = m.token AND o.owner IS NOT NULL
    JOIN transactions AS x ON x.position = m.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.templates
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.template::text AS template_id, x.hash, c.log_index,
    e.value::text AS edition_limit, (SELECT t.hash FROM transactions AS t WHERE t.position = e.position) AS limit_hash, e.log_index AS limit_index,
    s.supply, (SELECT t.hash FROM transactions AS t WHERE t.position = n.position) AS supply_hash, n.log_index AS supply_index
    FROM (
      SELECT DISTINCT ON (l.topics[2]) l.topics[2] AS template, l.position, l.log_index
      FROM
      contract_logs AS l
      WHERE
      (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
      = (hashtextextended($1::text, 0) # hash_numeric_extended(49787149782218545284625087527898069524911487100068869368396209150346302383503::numeric, 1))
      AND l.contract_id = $1::text AND l.topics[1] = 49787149782218545284625087527898069524911487100068869368396209150346302383503::numeric AND cardinality(l.topics) = 2
      AND NOT EXISTS (
        SELECT FROM
        contract_logs AS d
        WHERE
        (hashtextextended(d.contract_id, 0) # hash_numeric_extended(d.topics[1], 1))
        = (hashtextextended($1::text, 0) # hash_numeric_extended(86998796422735156774693250027477244605277605979027003755517494314842510056304::numeric, 1))
        AND d.contract_id = $1::text AND d.topics[1] = 86998796422735156774693250027477244605277605979027003755517494314842510056304::numeric AND cardinality(d.topics) = 2
        AND d.topics[2] = l.topics[2] AND (d.position, d.log_index) > (l.position, l.log_index)
      )
      ORDER BY l.topics[2], l.position, l.log_index
    ) AS c
    JOIN transactions AS x ON x.position = c.position
    LEFT JOIN LATERAL (
      SELECT u.value, u.position, u.log_index FROM (
        SELECT l.topics[3] AS value, l.position, l.log_index FROM
        contract_logs AS l
        WHERE
        (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
        = (hashtextextended($1::text, 0) # hash_numeric_extended(51537919766083908715948283523411412826381405782611532561026985777787535762066::numeric, 1))
        AND l.contract_id = $1::text AND l.topics[1] = 51537919766083908715948283523411412826381405782611532561026985777787535762066::numeric AND cardinality(l.topics) = 3 AND l.topics[2] = c.template
        UNION ALL
        SELECT l.topics[4], l.position, l.log_index FROM
        contract_logs AS l
        WHERE
        (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
        = (hashtextextended($1::text, 0) # hash_numeric_extended(93082878851854228975889653075969523419679696700656920792030076979347342545219::numeric, 1))
        AND l.contract_id = $1::text AND l.topics[1] = 93082878851854228975889653075969523419679696700656920792030076979347342545219::numeric AND cardinality(l.topics) = 4 AND l.topics[2] = c.template
      ) AS u
      WHERE u.position >= c.position ORDER BY u.position DESC, u.log_index DESC LIMIT 1
    ) AS e ON true
    LEFT JOIN LATERAL (
      SELECT l.position, l.log_index FROM
      contract_logs AS l
      WHERE
      (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
      = (hashtextextended($1::text, 0) # hash_numeric_extended(82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric, 1))
      AND l.contract_id = $1::text AND l.topics[1] = 82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric AND cardinality(l.topics) = 4 AND l.topics[3] = c.template
      ORDER BY l.position DESC, l.log_index DESC LIMIT 1
    ) AS n ON true
    CROSS JOIN LATERAL (
      SELECT count(*) AS supply FROM token_owners AS o
      WHERE o.contract_id = $1 AND o.owner IS NOT NULL
      AND o.token_id IN (SELECT l.topics[4] FROM
        contract_logs AS l
        WHERE
        (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
        = (hashtextextended($1::text, 0) # hash_numeric_extended(82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric, 1))
        AND l.contract_id = $1::text AND l.topics[1] = 82163412834881319337366190831357199303892930614758279450416270264877577639369::numeric AND cardinality(l.topics) = 4 AND l.topics[3] = c.template)
    ) AS s) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.times_of_heights
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT (
      SELECT g.max_time FROM generations AS g WHERE g.height <= h.height ORDER BY g.height DESC LIMIT 1
    ) AS time
    FROM unnest($1::bigint[]) AS h (height)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, '' AS sort_key FROM tokens AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m WHERE t.contract_id = $2 AND
    t.kind = ANY ($1::smallint[]) AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT amount::text AS amount FROM token_balances WHERE contract_id = $1 AND account = $2::numeric) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance_history.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT h.height, h.amount::text AS amount
    FROM (
      SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
      FROM (
        SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
        FROM (
          SELECT e.height, e.delta, NULL::numeric AS told FROM (
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[2] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric UNION ALL
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[3] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric AND l.topics[2] <> $2::numeric) AS e
          UNION ALL
          SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
          UNION ALL
          SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND CASE WHEN t.told_position IS NOT NULL THEN true ELSE false END
        ) AS s GROUP BY s.height
      ) AS a
    ) AS h
    WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint
    ORDER BY h.height  LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance_history.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT h.height, h.amount::text AS amount
    FROM (
      SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
      FROM (
        SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
        FROM (
          SELECT e.height, e.delta, NULL::numeric AS told FROM (
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[2] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric UNION ALL
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[3] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric AND l.topics[2] <> $2::numeric) AS e
          UNION ALL
          SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
          UNION ALL
          SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND CASE WHEN t.told_position IS NOT NULL THEN true ELSE false END
        ) AS s GROUP BY s.height
      ) AS a
    ) AS h
    WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint AND (h.height) > ($6::bigint)
    ORDER BY h.height  LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance_history.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT h.height, h.amount::text AS amount
    FROM (
      SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
      FROM (
        SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
        FROM (
          SELECT e.height, e.delta, NULL::numeric AS told FROM (
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[2] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric UNION ALL
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[3] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric AND l.topics[2] <> $2::numeric) AS e
          UNION ALL
          SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
          UNION ALL
          SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND CASE WHEN t.told_position IS NOT NULL THEN true ELSE false END
        ) AS s GROUP BY s.height
      ) AS a
    ) AS h
    WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint AND (h.height) >= ($6::bigint)
    ORDER BY h.height  LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance_history.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT h.height, h.amount::text AS amount
    FROM (
      SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
      FROM (
        SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
        FROM (
          SELECT e.height, e.delta, NULL::numeric AS told FROM (
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[2] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric UNION ALL
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[3] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric AND l.topics[2] <> $2::numeric) AS e
          UNION ALL
          SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
          UNION ALL
          SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND CASE WHEN t.told_position IS NOT NULL THEN true ELSE false END
        ) AS s GROUP BY s.height
      ) AS a
    ) AS h
    WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint
    ORDER BY h.height DESC LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balance_history.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT h.height, h.amount::text AS amount
    FROM (
      SELECT a.height, a.amount, lag(a.amount, 1, 0::numeric) OVER (ORDER BY a.height) AS before
      FROM (
        SELECT s.height, CASE WHEN bool_or(s.told IS NOT NULL) THEN max(s.told) ELSE sum(sum(s.delta)) OVER (ORDER BY s.height) END AS amount
        FROM (
          SELECT e.height, e.delta, NULL::numeric AS told FROM (
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[2] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric UNION ALL
            SELECT l.position >> 33 AS height, d.delta
            FROM tokens AS t
            JOIN contract_logs AS l ON l.contract_id = $1 AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($2::numeric, 0) AND l.topics[3] = $2::numeric
            AND l.position >= COALESCE(t.base_position, 0) AND l.position < COALESCE(t.told_position, 9223372036854775807)
            CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = $1 AND d.account = $2::numeric AND l.topics[2] <> $2::numeric) AS e
          UNION ALL
          SELECT (t.base_position - 1) >> 33, b.base, NULL FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND b.base IS NOT NULL
          UNION ALL
          SELECT (t.told_position - 1) >> 33, 0, b.amount FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
          WHERE t.contract_id = $1 AND b.account = $2::numeric AND CASE WHEN t.told_position IS NOT NULL THEN true ELSE false END
        ) AS s GROUP BY s.height
      ) AS a
    ) AS h
    WHERE h.amount <> h.before AND h.height BETWEEN $3::bigint AND $4::bigint AND (h.height) <= ($6::bigint)
    ORDER BY h.height DESC LIMIT $5::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0  ORDER BY b.amount , b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount , b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.amount, b.account) > ($3::numeric, $4::numeric) ORDER BY b.amount , b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount , b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.amount, b.account) >= ($3::numeric, $4::numeric) ORDER BY b.amount , b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount , b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0  ORDER BY b.amount DESC, b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount DESC, b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.amount, b.account) < ($3::numeric, $4::numeric) ORDER BY b.amount DESC, b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount DESC, b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.amount.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.amount, b.account) <= ($3::numeric, $4::numeric) ORDER BY b.amount DESC, b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.amount DESC, b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0  ORDER BY b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.account) > ($3::numeric) ORDER BY b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.account) >= ($3::numeric) ORDER BY b.account  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0  ORDER BY b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.account) < ($3::numeric) ORDER BY b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances.pubkey.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (
      SELECT * FROM token_balances AS b WHERE b.contract_id = $1 AND b.amount <> 0 AND (b.account) <= ($3::numeric) ORDER BY b.account DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY b.account DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_balances_at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT s.account::text AS account, sum(s.delta)::text AS amount
    FROM (
      SELECT d.account, d.delta
      FROM tokens AS t
      JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended($1::text, 0) AND l.contract_id = $1::text
      AND l.position < $2::bigint AND l.position >= COALESCE(t.base_position, 0)
      CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
      WHERE t.contract_id = $1 AND t.kind = 9 AND COALESCE(t.told_position, $2 + 1) > $2
      UNION ALL
      SELECT b.account, b.told
      FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
      WHERE t.contract_id = $1 AND t.kind = 9 AND b.told IS NOT NULL AND t.told_position <= $2::bigint
      UNION ALL
      SELECT b.account, b.base
      FROM tokens AS t JOIN token_balances AS b ON b.contract_id = t.contract_id
      WHERE t.contract_id = $1 AND t.kind = 9 AND b.base IS NOT NULL AND t.base_position <= $2::bigint
      AND COALESCE(t.told_position, $2 + 1) > $2
    ) AS s
    GROUP BY s.account HAVING sum(s.delta) <> 0) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT count(*) AS count FROM tokens AS t WHERE
    t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_holdings.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9
      ORDER BY b.contract_id  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_holdings.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9
      AND (b.contract_id) > ($3::text)
      ORDER BY b.contract_id  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_holdings.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9
      ORDER BY b.contract_id DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_holdings.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9
      AND (b.contract_id) <= ($3::text)
      ORDER BY b.contract_id DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_kinds
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT contract_id, kind FROM tokens WHERE contract_id = ANY ($1::text[]) AND kind > 0) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_metas
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT contract_id, meta, meta_state FROM tokens WHERE contract_id = ANY ($1::text[]) AND kind = 9) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position , l.log_index  LIMIT $5::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] = $1::numeric AND l.topics[2] <> $1::numeric AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position , l.log_index  LIMIT $5::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) >= ($6::bigint, $7::int)
          ORDER BY l.position , l.log_index  LIMIT $5::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] = $1::numeric AND l.topics[2] <> $1::numeric AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) >= ($6::bigint, $7::int)
          ORDER BY l.position , l.log_index  LIMIT $5::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] = $1::numeric AND l.topics[2] <> $1::numeric AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) <= ($6::bigint, $7::int)
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] = $1::numeric AND l.topics[2] <> $1::numeric AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric  LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) <= ($6::bigint, $7::int)
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.sent.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric AND d.delta <= 0 LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position , l.log_index  LIMIT $5::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.sent.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric AND d.delta <= 0 LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) >= ($6::bigint, $7::int)
          ORDER BY l.position , l.log_index  LIMIT $5::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.sent.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric AND d.delta <= 0 LIMIT 1
          ) THEN true ELSE false END
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_moves.sent.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time,
    t.kind, t.meta_state, t.meta
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] = $1::numeric AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($1::numeric, 0) AND l.position BETWEEN $3::bigint AND $4::bigint AND CASE WHEN l.topics[1] IN (15485047184846566156736396069994907050875216973023180189891727495730853981167,97248968993606906149864095761415446114204891017168990930824289305879066770211,59519329313588602299792785325724171247065768738621522936987157301332531057158,87152034236714252806392310986442524876185493856990839672979346500071310270671,41351702065710532483578406672343054931429779004654879061244444772998706402323,21551373694814533467334163970656514191399831838095241105854918675556585912443,82163412834881319337366190831357199303892930614758279450416270264877577639369) AND (
            SELECT true FROM tokens AS t CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
            WHERE t.contract_id = l.contract_id AND t.kind = ANY ($2::smallint[]) AND d.account = $1::numeric AND d.delta <= 0 LIMIT 1
          ) THEN true ELSE false END AND (l.position, l.log_index) <= ($6::bigint, $7::int)
          ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-account.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[2] <> $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-account.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) >= ($5::bigint, $6::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[2] <> $4::numeric THEN true ELSE false END AND (l.position, l.log_index) >= ($5::bigint, $6::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-account.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[2] <> $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-account.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) < ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[2] <> $4::numeric THEN true ELSE false END AND (l.position, l.log_index) < ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-account.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) UNION ALL
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[2] <> $4::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-recipient.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-recipient.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-recipient.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-sender.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-sender.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) >= ($5::bigint, $6::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-sender.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract-sender.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND (l.position, l.log_index) > ($4::bigint, $5::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND (l.position, l.log_index) >= ($4::bigint, $5::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND (l.position, l.log_index) < ($4::bigint, $5::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.contract.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($3::text, 0) # hash_numeric_extended($2::numeric, 1)) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN l.contract_id = $3::text THEN true ELSE false END AND (l.position, l.log_index) <= ($4::bigint, $5::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.recipient.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.recipient.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[3] = $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender-recipient.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[3] = $5::numeric THEN true ELSE false END AND (l.position, l.log_index) > ($6::bigint, $7::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender-recipient.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[3] = $5::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender-recipient.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND CASE WHEN l.topics[3] = $5::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($6::bigint, $7::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) > ($5::bigint, $6::int) ORDER BY l.position , l.log_index  LIMIT $1::bigint)) AS l ORDER BY l.position , l.log_index  LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position , l.log_index ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END  ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.token_transfers.sender.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT l.position, l.log_index, l.contract_id, l.topics::text[] AS topics, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time
    FROM (SELECT * FROM (
        (SELECT l.position, l.log_index, l.contract_id, l.topics FROM contract_logs AS l
          WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($4::numeric, 0) AND CASE WHEN l.topics[1] = $2::numeric THEN true ELSE false END AND CASE WHEN cardinality(l.topics) = 4 THEN true ELSE false END AND CASE WHEN (SELECT t.kind FROM tokens AS t WHERE t.contract_id = l.contract_id) = $3::smallint THEN true ELSE false END AND CASE WHEN l.topics[2] = $4::numeric THEN true ELSE false END AND (l.position, l.log_index) <= ($5::bigint, $6::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $1::bigint) AS l
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = l.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((l.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY l.position DESC, l.log_index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.creation.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.position::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.position , t.contract_id  LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.position , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.creation.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.position::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.position, t.contract_id) >= ($2::bigint, $3::text)
      ORDER BY t.position , t.contract_id  LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.position , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.creation.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.position::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.position DESC, t.contract_id DESC LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.position DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.creation.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.position::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.position, t.contract_id) < ($2::bigint, $3::text)
      ORDER BY t.position DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.position DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.creation.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.position::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.position, t.contract_id) <= ($2::bigint, $3::text)
      ORDER BY t.position DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.position DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.name_key , t.contract_id  LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.name_key, t.contract_id) > ($2::text, $3::text)
      ORDER BY t.name_key , t.contract_id  LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.name_key, t.contract_id) >= ($2::text, $3::text)
      ORDER BY t.name_key , t.contract_id  LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.name_key DESC, t.contract_id DESC LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.name_key, t.contract_id) < ($2::text, $3::text)
      ORDER BY t.name_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.name_key, t.contract_id) <= ($2::text, $3::text)
      ORDER BY t.name_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.exact.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.name_key = $2::text AND strpos(t.meta, $3::text) > 0
      ORDER BY t.name_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.prefix.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.name_key >= $2::text AND t.name_key < $2::text || chr(1114111)
      ORDER BY t.name_key , t.contract_id  LIMIT $3::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.prefix.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.name_key >= $2::text AND t.name_key < $2::text || chr(1114111) AND (t.name_key, t.contract_id) > ($3::text, $4::text)
      ORDER BY t.name_key , t.contract_id  LIMIT $5::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.name.prefix.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.name_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.name_key >= $2::text AND t.name_key < $2::text || chr(1114111)
      ORDER BY t.name_key DESC, t.contract_id DESC LIMIT $3::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.name_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.symbol_key , t.contract_id  LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.ascending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.symbol_key, t.contract_id) >= ($2::text, $3::text)
      ORDER BY t.symbol_key , t.contract_id  LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
      ORDER BY t.symbol_key DESC, t.contract_id DESC LIMIT $2::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.descending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.symbol_key, t.contract_id) < ($2::text, $3::text)
      ORDER BY t.symbol_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.descending.from
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND (t.symbol_key, t.contract_id) <= ($2::text, $3::text)
      ORDER BY t.symbol_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.exact.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.symbol_key = $2::text AND strpos(t.meta, $3::text) > 0
      ORDER BY t.symbol_key , t.contract_id  LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.exact.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.symbol_key = $2::text AND strpos(t.meta, $3::text) > 0
      ORDER BY t.symbol_key DESC, t.contract_id DESC LIMIT $4::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.prefix.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.symbol_key >= $2::text AND t.symbol_key < $2::text || chr(1114111)
      ORDER BY t.symbol_key , t.contract_id  LIMIT $3::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key , t.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.tokens.symbol.prefix.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.contract_id, t.kind, t.position, x.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, t.initial_supply, t.supply, t.holders, t.logs,
    COALESCE(t.invalid, CASE WHEN EXISTS (
        SELECT FROM token_balances AS b WHERE b.contract_id = t.contract_id AND b.amount < 0
      ) THEN 'negative' END) AS invalid, t.symbol_key::text AS sort_key FROM (
      SELECT * FROM tokens AS t WHERE
      t.kind = $1::smallint AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed) AND t.symbol_key >= $2::text AND t.symbol_key < $2::text || chr(1114111)
      ORDER BY t.symbol_key DESC, t.contract_id DESC LIMIT $3::bigint
    ) AS t
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = t.position LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((t.position) & (-65536)::bigint) LIMIT 1
    ) AS m
    ORDER BY t.symbol_key DESC, t.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transaction
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info,
    (SELECT c.arguments FROM contract_calls AS c WHERE c.position = t.position AND c.state = 'done') AS call,
    (SELECT k.failed FROM contracts AS k WHERE k.position = t.position AND k.outcome_known LIMIT 1) AS creation_failed,
    COALESCE(
      (
        SELECT o.kind FROM contract_calls AS c JOIN tokens AS o ON o.contract_id = c.contract_id
        WHERE c.position = t.position AND o.kind > 0 LIMIT 1
      ),
      (
        SELECT o.kind FROM contracts AS k JOIN tokens AS o ON o.contract_id = k.id
        WHERE k.position = t.position AND NOT k.failed AND o.kind > 0 LIMIT 1
      )
    ) AS token_kind,
    (
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\s*:\s*"(nm_\w+)"') ORDER BY n.position DESC LIMIT 1
    ) AS name,
    CASE WHEN t.body ~ '"recipient_id"\s*:\s*"nm_' THEN (
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = 1 AND l.id LIKE 'ak\_%'
      ORDER BY strpos(t.body, l.id) LIMIT 1
    ) END AS paid,
    (
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\s*:\s*"(ch_\w+)"')
    ) AS channel_creation,
    NULL AS tx_index FROM transactions_by_hash AS t
    JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)
    LEFT JOIN infos AS i ON i.position = t.position WHERE t.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transaction.with_index
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info,
    (SELECT c.arguments FROM contract_calls AS c WHERE c.position = t.position AND c.state = 'done') AS call,
    (SELECT k.failed FROM contracts AS k WHERE k.position = t.position AND k.outcome_known LIMIT 1) AS creation_failed,
    COALESCE(
      (
        SELECT o.kind FROM contract_calls AS c JOIN tokens AS o ON o.contract_id = c.contract_id
        WHERE c.position = t.position AND o.kind > 0 LIMIT 1
      ),
      (
        SELECT o.kind FROM contracts AS k JOIN tokens AS o ON o.contract_id = k.id
        WHERE k.position = t.position AND NOT k.failed AND o.kind > 0 LIMIT 1
      )
    ) AS token_kind,
    (
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\s*:\s*"(nm_\w+)"') ORDER BY n.position DESC LIMIT 1
    ) AS name,
    CASE WHEN t.body ~ '"recipient_id"\s*:\s*"nm_' THEN (
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = 1 AND l.id LIKE 'ak\_%'
      ORDER BY strpos(t.body, l.id) LIMIT 1
    ) END AS paid,
    (
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\s*:\s*"(ch_\w+)"')
    ) AS channel_creation,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = t.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (t.position >> 33) << 33 AND b.position < (t.position & (-65536)::bigint)
      ), 0) + (t.position & 65535) AS tx_index FROM transactions_by_hash AS t
    JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)
    LEFT JOIN infos AS i ON i.position = t.position WHERE t.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transactions_at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info,
    (SELECT c.arguments FROM contract_calls AS c WHERE c.position = t.position AND c.state = 'done') AS call,
    (SELECT k.failed FROM contracts AS k WHERE k.position = t.position AND k.outcome_known LIMIT 1) AS creation_failed,
    COALESCE(
      (
        SELECT o.kind FROM contract_calls AS c JOIN tokens AS o ON o.contract_id = c.contract_id
        WHERE c.position = t.position AND o.kind > 0 LIMIT 1
      ),
      (
        SELECT o.kind FROM contracts AS k JOIN tokens AS o ON o.contract_id = k.id
        WHERE k.position = t.position AND NOT k.failed AND o.kind > 0 LIMIT 1
      )
    ) AS token_kind,
    (
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\s*:\s*"(nm_\w+)"') ORDER BY n.position DESC LIMIT 1
    ) AS name,
    CASE WHEN t.body ~ '"recipient_id"\s*:\s*"nm_' THEN (
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = 1 AND l.id LIKE 'ak\_%'
      ORDER BY strpos(t.body, l.id) LIMIT 1
    ) END AS paid,
    (
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\s*:\s*"(ch_\w+)"')
    ) AS channel_creation,
    NULL AS tx_index
    FROM unnest($1::bigint[]) AS p (position)
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)
    LEFT JOIN infos AS i ON i.position = t.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transactions_at.with_index
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    t.position, t.body, m.time AS micro_time, ((t.position >> 16) & 131071)::int - 1 AS micro_index, i.body AS info,
    (SELECT c.arguments FROM contract_calls AS c WHERE c.position = t.position AND c.state = 'done') AS call,
    (SELECT k.failed FROM contracts AS k WHERE k.position = t.position AND k.outcome_known LIMIT 1) AS creation_failed,
    COALESCE(
      (
        SELECT o.kind FROM contract_calls AS c JOIN tokens AS o ON o.contract_id = c.contract_id
        WHERE c.position = t.position AND o.kind > 0 LIMIT 1
      ),
      (
        SELECT o.kind FROM contracts AS k JOIN tokens AS o ON o.contract_id = k.id
        WHERE k.position = t.position AND NOT k.failed AND o.kind > 0 LIMIT 1
      )
    ) AS token_kind,
    (
      SELECT n.name FROM names AS n WHERE n.name_hash = substring(t.body FROM '"(?:name_id|recipient_id)"\s*:\s*"(nm_\w+)"') ORDER BY n.position DESC LIMIT 1
    ) AS name,
    CASE WHEN t.body ~ '"recipient_id"\s*:\s*"nm_' THEN (
      SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
      WHERE e.position = t.position AND l.kind = 1 AND l.id LIKE 'ak\_%'
      ORDER BY strpos(t.body, l.id) LIMIT 1
    ) END AS paid,
    (
      SELECT o.body FROM channels AS h JOIN transactions AS o ON o.position = h.position
      WHERE h.id = substring(t.body FROM '"channel_id"\s*:\s*"(ch_\w+)"')
    ) AS channel_creation,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = t.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (t.position >> 33) << 33 AND b.position < (t.position & (-65536)::bigint)
      ), 0) + (t.position & 65535) AS tx_index
    FROM unnest($1::bigint[]) AS p (position)
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)
    LEFT JOIN infos AS i ON i.position = t.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transactions_between
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    )
    SELECT CASE WHEN w.high <= w.low THEN 0 ELSE (
      COALESCE((
          SELECT g.tx_total FROM generations AS g WHERE g.height < w.high >> 33 ORDER BY g.height DESC LIMIT 1
        ), 0) + COALESCE((
          SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (w.high >> 33) << 33 AND m.position < w.high
        ), 0) - (
        COALESCE((
            SELECT g.tx_total FROM generations AS g WHERE g.height < w.low >> 33 ORDER BY g.height DESC LIMIT 1
          ), 0) + COALESCE((
            SELECT sum(m.tx_count) FROM micro_blocks AS m WHERE m.position > (w.low >> 33) << 33 AND m.position < w.low
          ), 0))) END AS count
    FROM (SELECT GREATEST(s.low, $3::bigint) AS low, LEAST(s.high, $4::bigint) AS high FROM steps AS s) AS w) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transactions_between.of_types
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    bounds AS (
      SELECT b.number, b.at, CASE WHEN $2::boolean AND b.number = 1 THEN 0 ELSE COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) END AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number)
    ), places AS (
      -- OFFSET 0 computes each position once; PostgreSQL 11 has no AS MATERIALIZED.
      SELECT b.number, b.height, COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ) AS position
      FROM bounds AS b OFFSET 0
    ), steps AS (
      SELECT * FROM (
        SELECT number, height AS first, lead(height) OVER w AS next, position AS low, lead(position) OVER w AS high
        FROM places WINDOW w AS (ORDER BY number)
      ) AS pairs
      WHERE high IS NOT NULL
    )
    SELECT CASE WHEN w.high <= w.low THEN 0 ELSE COALESCE((SELECT sum(
          COALESCE((
              SELECT g.total FROM generation_types AS g WHERE g.type = y.code AND g.height < w.high >> 33 ORDER BY g.height DESC LIMIT 1
            ), 0) + (SELECT count(*) FROM transactions AS t WHERE t.position > (w.high >> 33) << 33 AND t.position < w.high AND t.type = y.code) - (
            COALESCE((
                SELECT g.total FROM generation_types AS g WHERE g.type = y.code AND g.height < w.low >> 33 ORDER BY g.height DESC LIMIT 1
              ), 0) + (SELECT count(*) FROM transactions AS t WHERE t.position > (w.low >> 33) << 33 AND t.position < w.low AND t.type = y.code))) FROM types AS y WHERE y.name = ANY ($5::text[])), 0) END AS count
    FROM (SELECT GREATEST(s.low, $3::bigint) AS low, LEAST(s.high, $4::bigint) AS high FROM steps AS s) AS w) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transfers.account.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.index, m.position >> 33 AS height, CASE abs(m.kind) WHEN 7 THEN 'fee_lock_name' WHEN 8 THEN 'fee_spend_name' WHEN 9 THEN 'fee_refund_name' WHEN 10 THEN 'fee_lock_name' WHEN 12 THEN 'reward_oracle' WHEN 13 THEN 'fee_refund_oracle' WHEN 19 THEN 'reward_block' WHEN 20 THEN 'reward_dev' END AS kind, abs(m.amount)::text AS amount,
    CASE WHEN abs(m.kind) = 10 THEN COALESCE(auction.account, a.id) ELSE a.id END AS account,
    COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS block_time,
    t.hash AS ref_hash, y.name AS ref_type, r.hash AS ref_block
    FROM (SELECT m.* FROM (
        SELECT m.* FROM unnest($1::smallint[]) AS s (kind)
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $7::text) AND abs(m.kind) = s.kind AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND $2::bigint <= $3::bigint AND (m.position, m.index) >= ($4::bigint, $5::bigint) AND m.position <= $3::bigint ORDER BY m.position, m.index LIMIT $6::bigint
        ) AS m
        WHERE abs(m.kind) <> 10 UNION ALL
        SELECT m.*
        FROM movement_rows AS o
        CROSS JOIN LATERAL (
          SELECT h.id, h.released FROM held AS h
          WHERE h.position = o.position AND h.kind = 1 AND h.account = $7::text AND h.released & 8589934591 = 0 LIMIT 1
        ) AS h
        CROSS JOIN LATERAL (SELECT c.key FROM ledger_ids AS c WHERE c.id = h.id LIMIT 1) AS c
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE abs(m.kind) = 10 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = h.released AND m.counterparty = c.key LIMIT 1
        ) AS m
        WHERE 10 = ANY ($1::smallint[]) AND $2::bigint <= $3::bigint AND (m.position, m.index) >= ($4::bigint, $5::bigint) AND m.position <= $3::bigint
        AND o.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $7::text) AND abs(o.kind) = 8 AND (abs(o.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(o.kind) = 10 AND o.position & 8589934591 = 0))) AS m ORDER BY m.position, m.index LIMIT $6::bigint) AS m
    CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.account LIMIT 1) AS a
    LEFT JOIN LATERAL (
      SELECT h.position, h.account FROM held AS h JOIN ledger_ids AS c ON c.id = h.id
      WHERE abs(m.kind) IN (10, 9) AND h.released = m.position AND h.kind = 1 AND c.key = m.counterparty
      LIMIT 1
    ) AS auction ON true
    LEFT JOIN LATERAL (SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (
      SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (SELECT t.position, t.hash, t.type FROM transactions AS t WHERE t.position =
      CASE abs(m.kind)
      WHEN 7 THEN m.position
      WHEN 8 THEN m.position
      WHEN 12 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 ORDER BY h.position LIMIT 1
      )
      WHEN 13 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 AND h.amount > 0 ORDER BY h.id COLLATE "C"
        LIMIT 1 OFFSET m.index - (
          SELECT min(f.index) FROM movement_rows AS f WHERE abs(f.kind) = 13 AND f.position = m.position AND (abs(f.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(f.kind) = 10 AND f.position & 8589934591 = 0))
        )
      )
      ELSE auction.position
      END LIMIT 1) AS t ON true
    LEFT JOIN types AS y ON y.code = t.type
    LEFT JOIN LATERAL (SELECT r.hash FROM micro_blocks AS r WHERE r.position = (t.position & (-65536)::bigint) LIMIT 1) AS r ON true
    ORDER BY m.position, m.index) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transfers.account.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.index, m.position >> 33 AS height, CASE abs(m.kind) WHEN 7 THEN 'fee_lock_name' WHEN 8 THEN 'fee_spend_name' WHEN 9 THEN 'fee_refund_name' WHEN 10 THEN 'fee_lock_name' WHEN 12 THEN 'reward_oracle' WHEN 13 THEN 'fee_refund_oracle' WHEN 19 THEN 'reward_block' WHEN 20 THEN 'reward_dev' END AS kind, abs(m.amount)::text AS amount,
    CASE WHEN abs(m.kind) = 10 THEN COALESCE(auction.account, a.id) ELSE a.id END AS account,
    COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS block_time,
    t.hash AS ref_hash, y.name AS ref_type, r.hash AS ref_block
    FROM (SELECT m.* FROM (
        SELECT m.* FROM unnest($1::smallint[]) AS s (kind)
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $7::text) AND abs(m.kind) = s.kind AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND $2::bigint <= $3::bigint AND (m.position, m.index) <= ($4::bigint, $5::bigint) AND m.position >= $2::bigint ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint
        ) AS m
        WHERE abs(m.kind) <> 10 UNION ALL
        SELECT m.*
        FROM movement_rows AS o
        CROSS JOIN LATERAL (
          SELECT h.id, h.released FROM held AS h
          WHERE h.position = o.position AND h.kind = 1 AND h.account = $7::text AND h.released & 8589934591 = 0 LIMIT 1
        ) AS h
        CROSS JOIN LATERAL (SELECT c.key FROM ledger_ids AS c WHERE c.id = h.id LIMIT 1) AS c
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE abs(m.kind) = 10 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND m.position = h.released AND m.counterparty = c.key LIMIT 1
        ) AS m
        WHERE 10 = ANY ($1::smallint[]) AND $2::bigint <= $3::bigint AND (m.position, m.index) <= ($4::bigint, $5::bigint) AND m.position >= $2::bigint
        AND o.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $7::text) AND abs(o.kind) = 8 AND (abs(o.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(o.kind) = 10 AND o.position & 8589934591 = 0))) AS m ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint) AS m
    CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.account LIMIT 1) AS a
    LEFT JOIN LATERAL (
      SELECT h.position, h.account FROM held AS h JOIN ledger_ids AS c ON c.id = h.id
      WHERE abs(m.kind) IN (10, 9) AND h.released = m.position AND h.kind = 1 AND c.key = m.counterparty
      LIMIT 1
    ) AS auction ON true
    LEFT JOIN LATERAL (SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (
      SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (SELECT t.position, t.hash, t.type FROM transactions AS t WHERE t.position =
      CASE abs(m.kind)
      WHEN 7 THEN m.position
      WHEN 8 THEN m.position
      WHEN 12 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 ORDER BY h.position LIMIT 1
      )
      WHEN 13 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 AND h.amount > 0 ORDER BY h.id COLLATE "C"
        LIMIT 1 OFFSET m.index - (
          SELECT min(f.index) FROM movement_rows AS f WHERE abs(f.kind) = 13 AND f.position = m.position AND (abs(f.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(f.kind) = 10 AND f.position & 8589934591 = 0))
        )
      )
      ELSE auction.position
      END LIMIT 1) AS t ON true
    LEFT JOIN types AS y ON y.code = t.type
    LEFT JOIN LATERAL (SELECT r.hash FROM micro_blocks AS r WHERE r.position = (t.position & (-65536)::bigint) LIMIT 1) AS r ON true
    ORDER BY m.position DESC, m.index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transfers.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.index, m.position >> 33 AS height, CASE abs(m.kind) WHEN 7 THEN 'fee_lock_name' WHEN 8 THEN 'fee_spend_name' WHEN 9 THEN 'fee_refund_name' WHEN 10 THEN 'fee_lock_name' WHEN 12 THEN 'reward_oracle' WHEN 13 THEN 'fee_refund_oracle' WHEN 19 THEN 'reward_block' WHEN 20 THEN 'reward_dev' END AS kind, abs(m.amount)::text AS amount,
    CASE WHEN abs(m.kind) = 10 THEN COALESCE(auction.account, a.id) ELSE a.id END AS account,
    COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS block_time,
    t.hash AS ref_hash, y.name AS ref_type, r.hash AS ref_block
    FROM (SELECT m.* FROM (
        SELECT m.* FROM unnest($1::smallint[]) AS s (kind)
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE  abs(m.kind) = s.kind AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND $2::bigint <= $3::bigint AND (m.position, m.index) >= ($4::bigint, $5::bigint) AND m.position <= $3::bigint ORDER BY m.position, m.index LIMIT $6::bigint
        ) AS m
      ) AS m ORDER BY m.position, m.index LIMIT $6::bigint) AS m
    CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.account LIMIT 1) AS a
    LEFT JOIN LATERAL (
      SELECT h.position, h.account FROM held AS h JOIN ledger_ids AS c ON c.id = h.id
      WHERE abs(m.kind) IN (10, 9) AND h.released = m.position AND h.kind = 1 AND c.key = m.counterparty
      LIMIT 1
    ) AS auction ON true
    LEFT JOIN LATERAL (SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (
      SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (SELECT t.position, t.hash, t.type FROM transactions AS t WHERE t.position =
      CASE abs(m.kind)
      WHEN 7 THEN m.position
      WHEN 8 THEN m.position
      WHEN 12 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 ORDER BY h.position LIMIT 1
      )
      WHEN 13 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 AND h.amount > 0 ORDER BY h.id COLLATE "C"
        LIMIT 1 OFFSET m.index - (
          SELECT min(f.index) FROM movement_rows AS f WHERE abs(f.kind) = 13 AND f.position = m.position AND (abs(f.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(f.kind) = 10 AND f.position & 8589934591 = 0))
        )
      )
      ELSE auction.position
      END LIMIT 1) AS t ON true
    LEFT JOIN types AS y ON y.code = t.type
    LEFT JOIN LATERAL (SELECT r.hash FROM micro_blocks AS r WHERE r.position = (t.position & (-65536)::bigint) LIMIT 1) AS r ON true
    ORDER BY m.position, m.index) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.transfers.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position, m.index, m.position >> 33 AS height, CASE abs(m.kind) WHEN 7 THEN 'fee_lock_name' WHEN 8 THEN 'fee_spend_name' WHEN 9 THEN 'fee_refund_name' WHEN 10 THEN 'fee_lock_name' WHEN 12 THEN 'reward_oracle' WHEN 13 THEN 'fee_refund_oracle' WHEN 19 THEN 'reward_block' WHEN 20 THEN 'reward_dev' END AS kind, abs(m.amount)::text AS amount,
    CASE WHEN abs(m.kind) = 10 THEN COALESCE(auction.account, a.id) ELSE a.id END AS account,
    COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS block_time,
    t.hash AS ref_hash, y.name AS ref_type, r.hash AS ref_block
    FROM (SELECT m.* FROM (
        SELECT m.* FROM unnest($1::smallint[]) AS s (kind)
        CROSS JOIN LATERAL (
          SELECT m.* FROM movement_rows AS m
          WHERE  abs(m.kind) = s.kind AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0)) AND $2::bigint <= $3::bigint AND (m.position, m.index) <= ($4::bigint, $5::bigint) AND m.position >= $2::bigint ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint
        ) AS m
      ) AS m ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint) AS m
    CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.account LIMIT 1) AS a
    LEFT JOIN LATERAL (
      SELECT h.position, h.account FROM held AS h JOIN ledger_ids AS c ON c.id = h.id
      WHERE abs(m.kind) IN (10, 9) AND h.released = m.position AND h.kind = 1 AND c.key = m.counterparty
      LIMIT 1
    ) AS auction ON true
    LEFT JOIN LATERAL (SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1) AS b ON true
    LEFT JOIN LATERAL (
      SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (SELECT t.position, t.hash, t.type FROM transactions AS t WHERE t.position =
      CASE abs(m.kind)
      WHEN 7 THEN m.position
      WHEN 8 THEN m.position
      WHEN 12 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 ORDER BY h.position LIMIT 1
      )
      WHEN 13 THEN (
        SELECT h.position FROM held AS h WHERE h.released = m.position AND h.kind = 2 AND h.amount > 0 ORDER BY h.id COLLATE "C"
        LIMIT 1 OFFSET m.index - (
          SELECT min(f.index) FROM movement_rows AS f WHERE abs(f.kind) = 13 AND f.position = m.position AND (abs(f.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(f.kind) = 10 AND f.position & 8589934591 = 0))
        )
      )
      ELSE auction.position
      END LIMIT 1) AS t ON true
    LEFT JOIN types AS y ON y.code = t.type
    LEFT JOIN LATERAL (SELECT r.hash FROM micro_blocks AS r WHERE r.position = (t.position & (-65536)::bigint) LIMIT 1) AS r ON true
    ORDER BY m.position DESC, m.index DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: compat.updated
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT n.name_hash AS hash, n.name, n.active, (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END) AS pointers, (
      SELECT e.position
      FROM entries AS e
      JOIN transactions AS t ON t.position = e.position
      WHERE e.list = (SELECT l.key FROM lists AS l WHERE l.kind = 6 AND l.id = n.name_hash) AND e.position >= n.position AND t.body ~ '"type"\s*:\s*"NameUpdateTx"'
      ORDER BY e.ordinal DESC LIMIT 1
    ) AS update_position
    FROM (SELECT DISTINCT hash FROM unnest($1::text[]) AS h (hash)) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM names AS own WHERE own.name_hash = asked.hash AND NOT own.running ORDER BY own.position DESC LIMIT 1
    ) AS n
    LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction') AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_calls.again
UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = 'infinity'
WHERE position = ANY ($1::bigint[]) AND state <> 'unknown'

-- name: contract_calls.await-infos
UPDATE contract_calls AS c SET due_at = 'infinity'
FROM due_infos AS d
WHERE d.position >= $1 AND d.position < $2 AND c.position = d.position AND c.state = 'pending'

-- name: contract_calls.backfill
SELECT c.position, t.body, i.body AS info
FROM (SELECT position FROM contract_calls WHERE position > $1 ORDER BY position LIMIT $2) AS c
JOIN transactions AS t ON t.position = c.position
LEFT JOIN infos AS i ON i.position = c.position
ORDER BY c.position

-- name: contract_calls.callers
UPDATE contract_calls AS c SET caller_id = w.caller_id
FROM unnest($1::bigint[], $2::text[]) AS w (position, caller_id)
WHERE c.position = w.position AND c.caller_id IS DISTINCT FROM w.caller_id

-- name: contract_calls.decoded
UPDATE contract_calls c
SET state = CASE WHEN d.arguments IS NULL THEN 'failed' ELSE 'done' END, arguments = d.arguments, result = d.result
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) AS d (position, hash, code_id, arguments, result)
CROSS JOIN LATERAL (
  SELECT c.position,
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
      WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  ) AS code_id
  FROM contract_calls c JOIN transactions t ON t.position = c.position
  WHERE c.position = d.position AND t.hash = d.hash
  OFFSET 0
) AS now
WHERE c.position = now.position AND now.code_id = d.code_id

-- name: contract_calls.due
SELECT c.position, t.hash, t.body, c.contract_id AS "contractId", c.due_at::text AS "dueAt", c.attempts,
COALESCE(
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
      WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  ), '') AS "codeId", i.body AS info
FROM (
  SELECT position, contract_id, due_at, attempts FROM contract_calls
  WHERE state = 'pending' AND due_at <= now() AND (due_at, position) > ($2::timestamptz, $3::bigint)
  ORDER BY due_at, position LIMIT $1
) c
JOIN transactions t ON t.position = c.position
LEFT JOIN infos AS i ON i.position = c.position
ORDER BY c.due_at, c.position

-- name: contract_calls.insert
INSERT INTO contract_calls (position, contract_id, caller_id, state, due_at)
SELECT c.position, c.contract_id, c.caller_id, CASE
WHEN (SELECT k.id FROM contracts k WHERE k.id = c.contract_id) IS NULL
AND (SELECT o.code FROM contract_codes o WHERE o.contract_id = c.contract_id) IS NULL THEN 'unknown'
ELSE 'pending'
END, CASE WHEN EXISTS (SELECT FROM due_infos AS d WHERE d.position = c.position) THEN 'infinity' ELSE now() END
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS c (position, contract_id, caller_id)
ON CONFLICT (position) DO UPDATE SET caller_id = EXCLUDED.caller_id
WHERE contract_calls.caller_id IS DISTINCT FROM EXCLUDED.caller_id

-- name: contract_calls.known
UPDATE contract_calls SET state = 'pending', due_at = now()
WHERE position = ANY (ARRAY(
    SELECT c.position FROM unnest($1::text[]) AS w (id)
    CROSS JOIN LATERAL (SELECT position, state FROM contract_calls WHERE contract_id = w.id OFFSET 0) AS c
    WHERE c.state = 'unknown'
))

-- name: contract_calls.pending
SELECT (SELECT count(*) FROM contract_calls WHERE state = 'pending') + (
  SELECT count(*) FROM due_infos AS d
  WHERE NOT EXISTS (SELECT FROM contract_calls AS c WHERE c.position = d.position AND c.state = 'pending')
) AS count

-- name: contract_calls.postpone
UPDATE contract_calls
SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(3600, 2 ^ LEAST(attempts, 12)))
WHERE position = ANY ($1::bigint[]) AND due_at < 'infinity'

-- name: contract_calls.redecode
UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
WHERE position >= $1 AND position < $2 AND state <> 'unknown'

-- name: contract_calls.strays
DELETE FROM contract_calls AS s WHERE
position >= $1 AND position < $2
AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.contract_id AND r.position = s.position)

-- name: contract_calls.undo
DELETE FROM contract_calls WHERE position >= $1 AND position < $2

-- name: contract_calls.undo-code
UPDATE contract_calls SET state = 'unknown', arguments = NULL, result = NULL
WHERE position = ANY (ARRAY(
    SELECT c.position FROM contracts k
    CROSS JOIN LATERAL (SELECT position FROM contract_calls WHERE contract_id = k.id OFFSET 0) AS c
    WHERE k.position >= $1 AND k.position < $2
))

-- name: contract_codes.created
DELETE FROM contract_codes WHERE contract_id = ANY ($1::text[])

-- name: contract_codes.due
SELECT contract_id AS "contractId", due_at::text AS since FROM contract_codes
WHERE code IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1

-- name: contract_codes.insert
INSERT INTO contract_codes (contract_id)
SELECT DISTINCT c.id FROM unnest($1::text[]) AS c (id)
WHERE (SELECT k.id FROM contracts k WHERE k.id = c.id) IS NULL
ON CONFLICT (contract_id) DO NOTHING

-- name: contract_codes.postpone
UPDATE contract_codes SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 2 ^ LEAST(attempts, 17))) WHERE contract_id = ANY ($1::text[])

-- name: contract_codes.redecode
UPDATE contract_codes SET code = NULL, code_at = NULL, attempts = 0, due_at = now()
WHERE contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)

-- name: contract_codes.save
WITH saved AS (
  UPDATE contract_codes o SET code = d.code, code_at = clock_timestamp()
  FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS d (id, since, code)
  WHERE o.contract_id = d.id AND o.due_at = d.since AND o.code IS NULL
  RETURNING o.contract_id
)
UPDATE contract_calls SET state = 'pending', attempts = 0, due_at = now()
WHERE state = 'unknown' AND contract_id IN (SELECT contract_id FROM saved)

-- name: contract_codes.undo
DELETE FROM contract_codes AS o
WHERE o.contract_id IN (SELECT contract_id FROM contract_calls WHERE position >= $1 AND position < $2)
AND NOT EXISTS (
  SELECT FROM contract_calls AS c WHERE c.contract_id = o.contract_id AND (c.position < $1 OR c.position >= $2)
)

-- name: contract_logs.all
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.all.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position, p.log_index) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.backfill
SELECT t.position, t.hash, t.body, i.body AS info,
u.position IS NOT NULL OR EXISTS (SELECT FROM due_infos AS d WHERE d.position = t.position) AS asked
FROM types AS y
CROSS JOIN LATERAL (
  SELECT position, hash, body FROM transactions WHERE type = y.code AND position > $1 ORDER BY position LIMIT $3
) AS t
LEFT JOIN infos AS i ON i.position = t.position
LEFT JOIN unknown_infos AS u ON u.position = t.position
WHERE y.name = ANY ($2::text[])
ORDER BY t.position LIMIT $3

-- name: contract_logs.called-contract.contract-contract-itself
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND CASE WHEN l.contract_id = $7::text THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $8::text THEN true ELSE false END AND CASE WHEN l.contract_id = $9::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($8::text, 0) AND l.called_id IS NULL ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.called.contract-itself
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $7::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($7::text, 0) AND l.called_id IS NULL ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.called.contract.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position, p.log_index) AS number FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $7::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($7::text, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint)) AS l ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.clear
DELETE FROM contract_logs WHERE position = ANY (ARRAY(
    SELECT r.position FROM unnest($1::bigint[], $2::text[]) AS r (position, hash)
    CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = r.position AND t.hash = r.hash LIMIT 1) AS t
))

-- name: contract_logs.contract
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $6::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.contract-event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $6::text THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($6::text, 0) # hash_numeric_extended($7::numeric, 1)) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.creations
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.id, t.hash FROM unnest($1::text[]) AS w (id)
    JOIN contracts AS c ON c.id = w.id JOIN transactions AS t ON t.position = c.position) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[1] = $6::numeric THEN true ELSE false END AND l.topics[1] IS NOT NULL AND hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.insert
INSERT INTO contract_logs (position, log_index, contract_id, called_id, topics, data)
SELECT l.position, l.log_index, l.contract_id, l.called_id, l.topics::numeric[], l.data
FROM unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
AS l (position, hash, log_index, contract_id, called_id, topics, data)
CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = l.position AND t.hash = l.hash LIMIT 1) AS t
ON CONFLICT (position, log_index) DO UPDATE
SET contract_id = EXCLUDED.contract_id, called_id = EXCLUDED.called_id, topics = EXCLUDED.topics, data = EXCLUDED.data

-- name: contract_logs.known
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT EXISTS (SELECT FROM contracts AS c WHERE c.id = $1) OR EXISTS (SELECT FROM contract_calls AS c WHERE c.contract_id = $1)
    OR EXISTS (
      SELECT FROM contract_logs AS l
      WHERE hashtextextended(l.contract_id, 0) = hashtextextended($1::text, 0) AND l.contract_id = $1::text
    ) AS known) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.positions
SELECT position FROM contract_logs WHERE position >= $1 AND position < $2
UNION SELECT t.position FROM unnest($3::bigint[]) AS p (position)
CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = p.position LIMIT 1) AS t
CROSS JOIN LATERAL (
  SELECT FROM events AS e WHERE e.hash = t.hash AND e.position = t.position AND e.kind IN ('transaction', 'tx_update') LIMIT 1
) AS e
ORDER BY position

-- name: contract_logs.rows.all
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.all.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.called-event.contract-event.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $8::text THEN true ELSE false END AND CASE WHEN l.topics[1] = $9::numeric THEN true ELSE false END AND
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended($8::text, 0) # hash_numeric_extended($9::numeric, 1)) ORDER BY l.position, l.log_index LIMIT $5::bigint)) AS l ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.called.contract
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $7::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($7::text, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint)) AS l ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.called.contract.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT * FROM ((SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.called_id = $6::text THEN true ELSE false END AND l.called_id IS NOT NULL AND hashtextextended(l.called_id, 0) = hashtextextended($6::text, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint) UNION ALL (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $7::text THEN true ELSE false END AND l.contract_id IS NOT NULL AND hashtextextended(l.contract_id, 0) = hashtextextended($7::text, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint)) AS l ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.contract-event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $6::text THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND
      (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
      = (hashtextextended($6::text, 0) # hash_numeric_extended($7::numeric, 1)) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.contract-event.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.contract_id = $6::text THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND
      (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
      = (hashtextextended($6::text, 0) # hash_numeric_extended($7::numeric, 1)) ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.data
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN (length(decode(substr(l.data, 4), 'base64')) - 4 >= length($6::bytea) AND substring(decode(substr(l.data, 4), 'base64') FROM 1 FOR length($6::bytea)) = $6::bytea) THEN true ELSE false END ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[1] = $6::numeric THEN true ELSE false END AND l.topics[1] IS NOT NULL AND hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.event.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.topics[1] = $6::numeric THEN true ELSE false END AND l.topics[1] IS NOT NULL AND hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.function
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN starts_with((SELECT c.arguments FROM contract_calls AS c WHERE c.position = l.position), $6::text) THEN true ELSE false END ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.topic1-event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[2] = $6::numeric THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.rows.topic1-event.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
    l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) > ($1::bigint, $2::int) AND CASE WHEN l.topics[2] = $6::numeric THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position, l.log_index LIMIT $5::bigint) AS p
    JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
    JOIN transactions AS t ON t.position = p.position
    JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.topic1
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[2] = $6::numeric THEN true ELSE false END AND l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.topic2
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[3] = $6::numeric THEN true ELSE false END AND l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.topic3-event
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"complete":' || (
      NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position BETWEEN $3::bigint AND $4::bigint)
      AND NOT EXISTS (
        SELECT FROM unknown_infos AS u JOIN transactions AS t ON t.position = u.position WHERE u.position BETWEEN $3::bigint AND $4::bigint
      )
      AND NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'contract-logs' AND b.position < $4::bigint)) || ',"logs":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $5::bigint), '') || ']}' AS body,
    CASE WHEN count(*) = $5::bigint THEN max(page.place) FILTER (WHERE page.number = $5::bigint - 1) END AS next
    FROM (
      SELECT p.number, p.position || '.' || p.log_index AS place,
      '{"transaction_hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (p.position & (-65536)::bigint)) || ',' ||
      '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
      '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
      ',"data":"' || l.data || '"' || '}' AS body
      FROM (SELECT p.*, row_number() OVER (ORDER BY p.position DESC, p.log_index DESC) AS number FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[4] = $6::numeric THEN true ELSE false END AND CASE WHEN l.topics[1] = $7::numeric THEN true ELSE false END AND l.topics[4] IS NOT NULL AND hash_numeric_extended(l.topics[4], 0) = hash_numeric_extended($6::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p) AS p
      JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
      JOIN transactions AS t ON t.position = p.position
      ORDER BY p.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contract_logs.undo
DELETE FROM contract_logs WHERE position >= $1 AND position < $2

-- name: contracts.all.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > $3::bigint + $4::bigint AND $4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      GREATEST(c.total - $3::bigint - $4::bigint, 0) AS skip,
      GREATEST(LEAST($4::bigint, c.total - $3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number DESC)  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = 1) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"contract_id":"' || c.id || '","transaction_hash":"' ||
        (SELECT t.hash FROM transactions AS t WHERE t.position = c.position) ||
        '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (c.position & (-65536)::bigint)) || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN contracts AS c ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.all.reversed.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN listed.count > $3::bigint AND $3::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number ) FILTER (WHERE item.number <= $3::bigint) AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $3::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"contract_id":"' || c.id || '","transaction_hash":"' ||
        (SELECT t.hash FROM transactions AS t WHERE t.position = c.position) ||
        '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (c.position & (-65536)::bigint)) || '}' AS body
        FROM (
          SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key DESC, r.label DESC, r.position DESC) AS number
          FROM ranks AS r
          WHERE
          r.ranking = k.key
          AND (r.key, r.label, r.position) < ($4::bigint, $5, $6::bigint)
          ORDER BY r.key DESC, r.label DESC, r.position DESC
          LIMIT $3::bigint + 1) AS picked
        JOIN contracts AS c ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.all.reversed.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > asked.p3::bigint + asked.p4::bigint AND asked.p4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = asked.p1::smallint AND id = asked.p2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      GREATEST(c.total - asked.p3::bigint - asked.p4::bigint, 0) AS skip,
      GREATEST(LEAST(asked.p4::bigint, c.total - asked.p3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number DESC)  AS body,
      max(item.cursor) FILTER (WHERE item.number = 1) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.cursor,
        '{"contract_id":"' || c.id || '","transaction_hash":"' ||
        (SELECT t.hash FROM transactions AS t WHERE t.position = c.position) ||
        '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (c.position & (-65536)::bigint)) || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.position, r.key || '.' || r.position || '.' || encode(convert_to(r.label, 'UTF8'), 'hex') AS cursor
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN contracts AS c ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.call_of_transaction
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
    '","caller_id":' || COALESCE('"' || c.caller_id || '"', ((
          CASE
          WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
          WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
          COALESCE(
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
          )::text
          ELSE replace(replace(
              COALESCE(
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
              )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
          END)::json -> 'caller_id')::text) || ',"arguments":' || c.arguments ||
    ',"callinfo":' || COALESCE((COALESCE(
          i.body::json -> 'call_info',
          i.body::json #> '{ga_info,inner_object,call_info}',
          i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
          i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}'))::text, 'null') ||
    ',"result":' || COALESCE(c.result, 'null') || '}' AS body
    FROM
    contract_calls AS c
    JOIN transactions_by_hash AS t ON t.position = c.position
    LEFT JOIN infos AS i ON i.position = c.position
    WHERE t.hash = $1 AND c.state = 'done') AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.calls
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > $3::bigint + $4::bigint AND $4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      $3::bigint AS skip,
      GREATEST(LEAST($4::bigint, c.total - $3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number )  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $4::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
        '","caller_id":' || COALESCE('"' || c.caller_id || '"', ((
              CASE
              WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
              WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
              COALESCE(
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
              )::text
              ELSE replace(replace(
                  COALESCE(
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                  )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
              END)::json -> 'caller_id')::text) || ',"arguments":' || c.arguments ||
        ',"callinfo":' || COALESCE((COALESCE(
              i.body::json -> 'call_info',
              i.body::json #> '{ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}'))::text, 'null') ||
        ',"result":' || COALESCE(c.result, 'null') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN
        contract_calls AS c
        JOIN transactions AS t ON t.position = c.position
        LEFT JOIN infos AS i ON i.position = c.position ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.calls.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN listed.count > $3::bigint AND $3::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number ) FILTER (WHERE item.number <= $3::bigint) AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $3::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
        '","caller_id":' || COALESCE('"' || c.caller_id || '"', ((
              CASE
              WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
              WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
              COALESCE(
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
                (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
              )::text
              ELSE replace(replace(
                  COALESCE(
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                    (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                  )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
              END)::json -> 'caller_id')::text) || ',"arguments":' || c.arguments ||
        ',"callinfo":' || COALESCE((COALESCE(
              i.body::json -> 'call_info',
              i.body::json #> '{ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}'))::text, 'null') ||
        ',"result":' || COALESCE(c.result, 'null') || '}' AS body
        FROM (
          SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key , r.label , r.position ) AS number
          FROM ranks AS r
          WHERE
          r.ranking = k.key
          AND (r.key, r.label, r.position) > ($4::bigint, $5, $6::bigint)
          ORDER BY r.key , r.label , r.position
          LIMIT $3::bigint + 1) AS picked
        JOIN
        contract_calls AS c
        JOIN transactions AS t ON t.position = c.position
        LEFT JOIN infos AS i ON i.position = c.position ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.calls.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > asked.p3::bigint + asked.p4::bigint AND asked.p4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = asked.p1::smallint AND id = asked.p2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::bigint AS skip,
      GREATEST(LEAST(asked.p4::bigint, c.total - asked.p3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number )  AS body,
      max(item.cursor) FILTER (WHERE item.number = asked.p4::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.cursor,
        '{"transaction_id":"' || t.hash || '","contract_id":"' || c.contract_id ||
        '","caller_id":' || ((
            CASE
            WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
            WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
            COALESCE(
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
            )::text
            ELSE replace(replace(
                COALESCE(
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
            END)::json -> 'caller_id')::text || ',"arguments":' || c.arguments ||
        ',"callinfo":' || COALESCE((COALESCE(
              i.body::json -> 'call_info',
              i.body::json #> '{ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
              i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}'))::text, 'null') ||
        ',"result":' || COALESCE(c.result, 'null') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.position, r.key || '.' || r.position || '.' || encode(convert_to(r.label, 'UTF8'), 'hex') AS cursor
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN
        contract_calls AS c
        JOIN transactions AS t ON t.position = c.position
        LEFT JOIN infos AS i ON i.position = c.position ON c.position = picked.position
      ) AS item
    ) AS listed) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.codes
SELECT
COALESCE(
  (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
    WHERE k.id = c.contract_id),
  (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
) AS "codeId", t.body AS creation, o.code
FROM unnest($1::text[]) AS c (contract_id)
LEFT JOIN contracts k ON k.id = c.contract_id
LEFT JOIN transactions t ON t.position = k.position
LEFT JOIN contract_codes o ON o.contract_id = c.contract_id
WHERE t.body IS NOT NULL OR o.code IS NOT NULL

-- name: contracts.creation
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    (
      SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
      FROM micro_blocks AS m
      WHERE m.position = (t.position & (-65536)::bigint)
    ) ||
    '","hash":"' || t.hash || '","signatures":' || COALESCE((
        SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
        FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
        CROSS JOIN LATERAL json_array_elements_text(
          CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
        ) WITH ORDINALITY AS s (signature, number)
      ), 'null') ||
    ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
    ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}' AS body
    FROM contracts AS c
    JOIN transactions AS t ON t.position = c.position
    WHERE c.id = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.creation_text
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT t.body
    FROM contracts AS c
    JOIN transactions AS t ON t.position = c.position
    WHERE c.id = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: contracts.due
SELECT c.id AS "contractId", t.hash
FROM (
  SELECT id, position FROM contracts AS k
  WHERE NOT outcome_known AND due_at <= now() AND NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position = k.position)
  ORDER BY due_at, position LIMIT $1
) c
JOIN transactions t ON t.position = c.position

-- name: contracts.insert
INSERT INTO contracts (id, position) SELECT * FROM unnest($1::text[], $2::bigint[])
ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, outcome_known = false, attempts = 0, due_at = now(),
failed = contracts.failed AND contracts.position = EXCLUDED.position

-- name: contracts.outcomes
UPDATE contracts c SET outcome_known = true, failed = d.failed
FROM unnest($1::text[], $2::text[], $3::boolean[]) AS d (id, hash, failed)
JOIN transactions_by_hash t ON t.hash = d.hash
WHERE c.id = d.id AND c.position = t.position

-- name: contracts.postpone
UPDATE contracts SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 2 ^ LEAST(attempts, 17))) WHERE id = ANY ($1::text[])

-- name: contracts.strays
DELETE FROM contracts AS s WHERE
position >= $1 AND position < $2
AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.id AND r.position = s.position)

-- name: contracts.undo
DELETE FROM contracts WHERE position >= $1 AND position < $2

-- name: currency.read
SELECT name, symbol, subunit, digits FROM currency

-- name: currency.write
INSERT INTO currency (name, symbol, subunit, digits) VALUES ($1, $2, $3, $4::integer)
ON CONFLICT (one) DO UPDATE SET name = excluded.name, symbol = excluded.symbol, subunit = excluded.subunit,
digits = excluded.digits

-- name: days.clear
DELETE FROM days WHERE day IN (SELECT date '1970-01-01' + n FROM unnest($1::int[]) AS d (n))

-- name: days.numbers
SELECT d.date - date '1970-01-01' AS day FROM unnest($1::date[]) AS d (date)

-- name: days.of
SELECT DISTINCT time / 86400000 AS day FROM micro_blocks WHERE position >= $1 AND position < $2

-- name: days.rebuild
INSERT INTO days (day, count, amount)
SELECT date '1970-01-01' + n, SUM(m.spend_count), SUM(m.spend_amount)
FROM unnest($1::int[]) AS d (n)
JOIN micro_blocks m ON m.time >= n::bigint * 86400000 AND m.time < (n::bigint + 1) * 86400000
GROUP BY n
HAVING SUM(m.spend_count) > 0

-- name: differing_opinions.count
SELECT count(*) FROM differing_opinions

-- name: differing_opinions.due
SELECT hash, position, node, reason FROM differing_opinions
WHERE due_at <= now() ORDER BY due_at, hash LIMIT $1

-- name: differing_opinions.forget
DELETE FROM differing_opinions WHERE hash = $1

-- name: differing_opinions.forget-all
DELETE FROM differing_opinions

-- name: differing_opinions.outcome
SELECT t.position, i.body AS info, CASE WHEN k.outcome_known THEN k.failed END AS "hasFailed"
FROM transactions_by_hash AS t
LEFT JOIN infos AS i ON i.position = t.position
LEFT JOIN contracts AS k ON k.position = t.position
WHERE t.hash = $1

-- name: differing_opinions.postpone
UPDATE differing_opinions
SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(3600, 60 * 2 ^ LEAST(attempts, 6)))
WHERE hash = $1

-- name: differing_opinions.record
INSERT INTO differing_opinions (hash, position, node, reason, due_at)
SELECT $1, $2, $3, $4, now() + interval '1 minute' WHERE (SELECT count(*) FROM differing_opinions) < $5
ON CONFLICT (hash) DO UPDATE SET
position = EXCLUDED.position, node = EXCLUDED.node, reason = EXCLUDED.reason

-- name: drop.chain
SELECT to_regclass('chain') IS NOT NULL AS found

-- name: drop.holder
SELECT holder FROM writer WHERE ends_at > clock_timestamp() FOR UPDATE

-- name: drop.marked
SELECT FROM marker WHERE product = 'chain-middleware'

-- name: drop.marker
SELECT to_regclass('marker') IS NOT NULL AS found

-- name: drop.share
SELECT FROM chain FOR SHARE

-- name: due_infos.answered
WITH answers AS (
  SELECT d.position, d.info, d.contract, d.failed
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[]) AS d (position, hash, info, contract, failed)
  CROSS JOIN LATERAL (SELECT FROM transactions AS t WHERE t.position = d.position AND t.hash = d.hash LIMIT 1) AS t
),
done AS (DELETE FROM due_infos AS d USING answers AS s WHERE d.position = s.position),
marked AS (
  INSERT INTO unknown_infos (position, due_at)
  SELECT s.position, now() + interval '1 minute' FROM answers AS s
  WHERE s.info IS NULL AND NOT EXISTS (SELECT FROM infos AS i WHERE i.position = s.position)
  ON CONFLICT (position) DO NOTHING
),
known AS (DELETE FROM unknown_infos AS u USING answers AS s WHERE u.position = s.position AND s.info IS NOT NULL),
outcomes AS (
  UPDATE contracts AS c SET outcome_known = true, failed = s.failed
  FROM answers AS s WHERE c.id = s.contract AND c.position = s.position
),
decodable AS (
  UPDATE contract_calls AS c SET due_at = now()
  FROM answers AS s WHERE c.position = s.position AND c.state = 'pending' AND c.due_at = 'infinity'
)
INSERT INTO infos (position, body)
SELECT position, info FROM answers WHERE info IS NOT NULL
ON CONFLICT (position) DO UPDATE SET body = EXCLUDED.body

-- name: due_infos.delete
DELETE FROM due_infos WHERE position >= $1 AND position < $2

-- name: due_infos.due
SELECT d.position, t.hash, t.body, c.contract_id AS "contractId", d.due_at::text AS "dueAt", d.attempts,
COALESCE(
  COALESCE(
    (SELECT creation.hash FROM contracts k JOIN transactions creation ON creation.position = k.position
      WHERE k.id = c.contract_id),
    (SELECT o.contract_id || ' ' || extract(epoch FROM o.code_at) FROM contract_codes o WHERE o.contract_id = c.contract_id)
  ), '') AS "codeId", NULL AS info
FROM (
  SELECT position, due_at, attempts FROM due_infos
  WHERE due_at <= CASE WHEN $2::boolean THEN '-infinity' ELSE now() END AND (due_at, position) > ($3::timestamptz, $4::bigint)
  ORDER BY due_at, position LIMIT $1
) AS d
JOIN transactions AS t ON t.position = d.position
LEFT JOIN contract_calls AS c ON c.position = d.position AND c.state <> 'unknown'
ORDER BY d.due_at, d.position

-- name: due_infos.first
SELECT min(position) AS position FROM due_infos WHERE position >= $1

-- name: due_infos.insert
INSERT INTO due_infos (position, due_at)
SELECT p.position, CASE WHEN c.live THEN '-infinity' ELSE now() END
FROM unnest($1::bigint[]) AS p (position) CROSS JOIN (SELECT live FROM chain) AS c
ON CONFLICT (position) DO UPDATE SET attempts = 0, due_at = EXCLUDED.due_at

-- name: due_infos.postpone
UPDATE due_infos
SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(3600, 2 ^ LEAST(attempts, 12)))
WHERE position = ANY ($1::bigint[])

-- name: earnings.before
SELECT k.height, k.beneficiary, k.version, COALESCE(sum(e.fees), 0) AS fees, COALESCE(bool_and(e.is_known), true) AS known,
COALESCE(bool_or(e.is_report), false) AS report
FROM key_blocks AS k
LEFT JOIN earnings AS e ON e.position >= k.height << 33 AND e.position < (k.height + 1) << 33 AND e.position < $3
WHERE k.height BETWEEN $1 AND $2 AND k.height << 33 < $3
GROUP BY k.height, k.beneficiary, k.version ORDER BY k.height

-- name: earnings.insert
INSERT INTO earnings (position, fees, is_known, is_report)
SELECT * FROM unnest($1::bigint[], $2::numeric[], $3::boolean[], $4::boolean[])

-- name: earnings.undo
DELETE FROM earnings WHERE position >= $1 AND position < $2

-- name: earnings.unstored
DELETE FROM earnings WHERE position >= $1 AND position < $2

-- name: entries.backfill
WITH missing AS (
  SELECT w.*, COALESCE(last.ordinal, 0) AS ordinal, COALESCE(of_type.type_ordinal, 0) AS type_ordinal,
  COALESCE(last.position > w.position, false) AS is_before
  FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS w (list, position, type)
  LEFT JOIN LATERAL (
    SELECT e.ordinal, e.position FROM entries AS e WHERE e.list = w.list ORDER BY e.ordinal DESC LIMIT 1
  ) AS last ON true
  LEFT JOIN LATERAL (
    SELECT e.type_ordinal FROM entries AS e WHERE e.list = w.list AND e.type = w.type ORDER BY e.type_ordinal DESC LIMIT 1
  ) AS of_type ON true
  WHERE NOT EXISTS (SELECT FROM entries AS e WHERE e.position = w.position AND e.list = w.list)
), inserted AS (
  INSERT INTO entries (list, position, ordinal, type_ordinal, type)
  SELECT list, position, ordinal + row_number() OVER (PARTITION BY list ORDER BY position),
  type_ordinal + row_number() OVER (PARTITION BY list, type ORDER BY position), type
  FROM missing
)
SELECT DISTINCT list FROM missing WHERE is_before

-- name: entries.backfill-transactions
SELECT t.position, t.type, t.body, i.body AS info
FROM types AS y
CROSS JOIN LATERAL (
  SELECT position, type, body FROM transactions WHERE type = y.code AND position > $1 ORDER BY position LIMIT $3
) AS t
LEFT JOIN infos AS i ON i.position = t.position
WHERE y.name = ANY ($2::text[])
ORDER BY t.position LIMIT $3

-- name: entries.in
SELECT l.kind, l.id, e.position, e.type
FROM entries e CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = e.list LIMIT 1) AS l
WHERE e.position >= $1 AND e.position < $2
ORDER BY e.position

-- name: entries.last-of-type
SELECT w.number, last.type_ordinal
FROM unnest($1::bigint[], $2::smallint[]) WITH ORDINALITY AS w (list, type, number)
CROSS JOIN LATERAL (
  SELECT e.type_ordinal FROM entries e WHERE e.list = w.list AND e.type = w.type ORDER BY e.type_ordinal DESC LIMIT 1
) last

-- name: entries.make-room
WITH places AS (
  SELECT list, ordinal, count, types::smallint[] AS types, counts::int[] AS counts
  FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::text[]) AS p (list, ordinal, count, types, counts)
  OFFSET 0
), tail AS (
  DELETE FROM entries AS e USING places AS p WHERE e.list = p.list AND e.ordinal > p.ordinal
  RETURNING e.list, e.position, e.ordinal + p.count AS ordinal, e.type_ordinal, e.type,
  COALESCE(p.counts[array_position(p.types, e.type)], 0) AS of_type
), moved AS (
  INSERT INTO entries (list, position, ordinal, type_ordinal, type)
  SELECT list, position, ordinal, type_ordinal + of_type, type FROM tail ORDER BY list, ordinal
)
SELECT list, type, min(type_ordinal) - 1 AS before FROM tail GROUP BY list, type

-- name: entries.mend-doubles
DELETE FROM entries AS e
USING (SELECT ordinal, row_number() OVER (PARTITION BY position ORDER BY ordinal) AS copy FROM entries WHERE list = $1) AS d
WHERE e.list = $1 AND e.ordinal = d.ordinal AND d.copy > 1

-- name: entries.of-lists
SELECT DISTINCT e.position
FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
CROSS JOIN LATERAL (
  SELECT key, ordinal_from(key, $3) AS first, ordinal_from(key, $4) AS past FROM lists
  WHERE kind = w.kind AND id = w.id LIMIT 1
) AS l
CROSS JOIN LATERAL (
  SELECT position FROM entries WHERE list = l.key AND ordinal >= l.first AND ordinal < l.past OFFSET 0
) AS e
ORDER BY e.position

-- name: entries.renumber
UPDATE entries AS e SET ordinal = n.number, type_ordinal = n.type_number
FROM (
  SELECT ordinal, type_ordinal, row_number() OVER (ORDER BY position) AS number,
  row_number() OVER (PARTITION BY type ORDER BY position) AS type_number
  FROM entries WHERE list = $1::bigint) AS n
WHERE e.list = $1::bigint AND e.ordinal = n.ordinal AND n.ordinal < -1073741824

-- name: entries.renumber-aside
UPDATE entries AS e SET ordinal = -2147483648 + n.number::int
FROM (
  SELECT ordinal, type_ordinal, row_number() OVER (ORDER BY position) AS number,
  row_number() OVER (PARTITION BY type ORDER BY position) AS type_number
  FROM entries WHERE list = $1::bigint) AS n
WHERE e.list = $1::bigint AND e.ordinal = n.ordinal AND (n.ordinal <> n.number OR n.type_ordinal <> n.type_number)

-- name: entries.replace
WITH moved AS (
  SELECT k.old_list, k.new_list, e.type, e.position
  FROM
  (
    SELECT m.number, m.old_id, m.new_id, u.key, ordinal_from(u.key, m.from) AS first, ordinal_from(u.key, m.to) AS past,
    ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.types, ','))) AS types,
    ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.wrapping, ','))) AS wrapping
    FROM unnest($7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::text[],
      $12::text[], $13::text[]) WITH ORDINALITY
    AS m (name, "from", "to", old_id, new_id, types, wrapping, number)
    CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = 8 AND id = m.name LIMIT 1) AS u
    OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT e.type, e.position FROM entries AS e
    WHERE e.list = m.key AND e.ordinal >= m.first AND e.ordinal < m.past AND e.type = ANY (m.types)
    OFFSET 0
  ) AS e JOIN unnest($14::bigint[], $15::bigint[]) WITH ORDINALITY AS k (old_list, new_list, number) USING (number)
  WHERE (m.number, e.position) NOT IN (SELECT * FROM unnest($16::bigint[], $17::bigint[]))
), changed AS (
  SELECT list, type, position, 1 AS action FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS g (list, type, position)
  UNION ALL
  SELECT list, type, position, 2 FROM unnest($4::bigint[], $5::smallint[], $6::bigint[]) AS c (list, type, position)
  UNION ALL SELECT old_list, type, position, 1 FROM moved WHERE old_list IS NOT NULL
  UNION ALL SELECT new_list, type, position, 2 FROM moved WHERE new_list IS NOT NULL
), starts AS (
  SELECT list, ordinal_from(list, min(position)) AS ordinal FROM changed GROUP BY list OFFSET 0
), tail AS (
  DELETE FROM entries AS e USING starts AS s WHERE e.list = s.list AND e.ordinal >= s.ordinal
  RETURNING e.list, e.type, e.position, e.ordinal, e.type_ordinal
), placed AS (
  SELECT list, type, position, ordinal, type_ordinal, action <> 1
  AND lead(position) OVER (PARTITION BY list, type ORDER BY position, action) IS DISTINCT FROM position AS stays
  FROM (
    SELECT list, type, position, ordinal, type_ordinal, 0 AS action FROM tail
    UNION ALL SELECT list, type, position, NULL, NULL, action FROM changed
  ) AS p
), groups AS (
  SELECT p.list, p.type, array_agg(p.position ORDER BY p.position) FILTER (WHERE p.stays) AS positions,
  COALESCE(
    min(min(p.ordinal)) OVER (PARTITION BY p.list) - 1,
    (SELECT e.ordinal FROM entries e WHERE e.list = p.list ORDER BY e.ordinal DESC LIMIT 1),
    0
  ) AS ordinal,
  COALESCE(
    min(p.type_ordinal) - 1,
    (
      SELECT e.type_ordinal FROM entries e WHERE e.list = p.list AND e.type = p.type
      ORDER BY e.type_ordinal DESC LIMIT 1
    ),
    0
  ) AS type_ordinal
  FROM placed AS p
  GROUP BY p.list, p.type
)
INSERT INTO entries (list, position, ordinal, type_ordinal, type)
SELECT g.list, p.position, g.ordinal + row_number() OVER (PARTITION BY g.list ORDER BY p.position),
g.type_ordinal + p.number, g.type
FROM groups AS g CROSS JOIN LATERAL unnest(g.positions) WITH ORDINALITY AS p (position, number)

-- name: entries.strays
DELETE FROM entries AS e WHERE e.position >= $1 AND e.position < $2
AND NOT EXISTS (SELECT FROM lists AS l WHERE l.key = e.list)

-- name: entries.truncate
DELETE FROM entries WHERE position >= $1

-- name: entries.unstored
DELETE FROM entries WHERE position >= $1 AND position < $2

-- name: events.after
SELECT c.event_seq AS head, (SELECT mark FROM events WHERE seq = $1) AS mark_before, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, e.*
FROM chain AS c
LEFT JOIN LATERAL (SELECT seq, COALESCE(events.later_kind, events.kind) AS kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) AS e ON true
ORDER BY e.seq

-- name: events.announce
INSERT INTO events (seq, kind, position, hash, body)
SELECT w.seq, 'key_block', b.height << 33, b.hash, b.body
FROM unnest($1::bigint[], $2::bigint[]) AS w (height, seq)
CROSS JOIN LATERAL (SELECT height, hash, body FROM key_block_texts WHERE height = w.height LIMIT 1) AS b
UNION ALL
SELECT w.seq, 'micro_block', b.position, b.hash, b.body
FROM unnest($3::bigint[], $5::bigint[]) AS w (position, seq)
CROSS JOIN LATERAL (SELECT position, hash, body FROM micro_blocks WHERE position = w.position LIMIT 1) AS b
UNION ALL
SELECT w.seq + 1 + t.position - w.position, CASE WHEN (
  SELECT true FROM events AS e WHERE e.hash = t.hash AND e.kind IN ('transaction', 'tx_update', 'left') LIMIT 1
) THEN 'tx_update' ELSE 'transaction' END,
t.position, t.hash, t.body
FROM unnest($3::bigint[], $4::int[], $5::bigint[]) AS w (position, count, seq)
CROSS JOIN LATERAL (
  SELECT position, hash, body FROM transactions WHERE position >= w.position AND position < w.position + w.count
  ORDER BY position
) AS t

-- name: events.announced
SELECT a."end", NULLIF(a.hash, '') AS hash
FROM chain AS c
LEFT JOIN LATERAL (
  SELECT CASE WHEN kind IN ('rollback') THEN position ELSE position + 65536 END AS "end", hash
  FROM events WHERE kind IN ('key_block', 'micro_block', 'rollback') ORDER BY seq DESC LIMIT 1) AS a ON true
WHERE c.live

-- name: events.at
SELECT seq, COALESCE(events.later_kind, events.kind) AS kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark FROM events WHERE seq = $1

-- name: events.below-gaps
WITH last AS (
  SELECT MAX(height) AS height
  FROM (SELECT height, row_number() OVER (ORDER BY height) - 1 AS number FROM key_blocks) AS k WHERE height = number
)
SELECT position + 65536 AS "end", hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM last CROSS JOIN LATERAL (
  SELECT k.height << 33 AS position, hash FROM key_blocks AS k WHERE k.height = last.height
  UNION ALL
  SELECT position, hash FROM micro_blocks WHERE position >= last.height << 33 AND position < (last.height + 1) << 33
) AS b ORDER BY position DESC LIMIT 1

-- name: events.block-before
SELECT hash FROM events
WHERE seq < $1 AND kind IN ('key_block', 'micro_block', 'rollback') ORDER BY seq DESC LIMIT 1

-- name: events.contract-logs
INSERT INTO events (seq, kind, later_kind, position, hash, body)
SELECT $1::bigint - 1 + p.number, 'load_left', $2, t.position, t.hash,
'{"hash":"' || t.hash || '",' ||
(SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
  FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"logs":[' || (
  SELECT string_agg('{' ||
    '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
    '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
    ',"data":"' || l.data || '"' || '}', ',' ORDER BY l.log_index) FROM contract_logs AS l WHERE l.position = t.position
) || ']}'
FROM unnest($3::bigint[]) WITH ORDINALITY AS p (position, number)
CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = p.position LIMIT 1) AS t

-- name: events.facts-after
SELECT c.event_seq AS head, c.live, a."end" IS NOT NULL AS has_announced, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, r.seq AS taken_back, r.kind AS taken_back_kind, w."end" IS NOT NULL AS waits, 0 AS seq, 0 AS at, NULL AS mark, f.kind, f.position, f.hash, f.body
FROM chain AS c
LEFT JOIN LATERAL (
  SELECT seq, kind FROM events
  WHERE seq > $1 AND kind IN ('rollback', 'load_rollback') AND position <= $2 ORDER BY seq LIMIT 1
) AS r ON true
LEFT JOIN LATERAL (
  SELECT CASE WHEN kind IN ('rollback') THEN position ELSE position + 65536 END AS "end", hash
  FROM events WHERE kind IN ('key_block', 'micro_block', 'rollback') ORDER BY seq DESC LIMIT 1) AS a ON c.live
LEFT JOIN LATERAL (
  SELECT min(position) AS "end" FROM (
    SELECT min(position) AS position FROM due_infos
    WHERE position >= $11::bigint AND position < COALESCE((SELECT position FROM announced_logs), 9223372036854775807)
    UNION ALL SELECT GREATEST(position + 1, $11::bigint) FROM backfills WHERE projection = 'contract-logs'
  ) AS unknown HAVING min(position) IS NOT NULL) AS w ON $10::boolean
LEFT JOIN LATERAL (
  SELECT * FROM (
    (SELECT 0 AS rank, 'key_block' AS kind, height << 33 AS position, hash, body FROM key_block_texts
      WHERE $5::boolean AND height > $3::bigint >> 33 ORDER BY height LIMIT $8)
    UNION ALL
    (SELECT 1, 'micro_block', position, hash, body FROM micro_blocks
      WHERE $6::boolean AND position > $3::bigint ORDER BY position LIMIT $8)
    UNION ALL
    (SELECT 2, 'transaction', position, hash, body FROM transactions
      WHERE $7::boolean AND position >= $4::bigint ORDER BY position LIMIT $8)
    UNION ALL
    (SELECT 3, 'contract_logs', t.position, t.hash,
      '{"hash":"' || t.hash || '",' ||
      (SELECT '"block_hash":"' || m.hash || '","block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"time":' || m.time
        FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"logs":[' || (
        SELECT string_agg('{' ||
          '"log_index":' || l.log_index || ',"contract_id":"' || l.contract_id || '","called_id":"' || COALESCE(l.called_id, l.contract_id) ||
          '","event":' || COALESCE('"' || (CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END) || '"', 'null') || ',"topics":' || array_to_json(l.topics) ||
          ',"data":"' || l.data || '"' || '}', ',' ORDER BY l.log_index) FROM contract_logs AS l WHERE l.position = t.position
      ) || ']}'
      FROM (SELECT DISTINCT position FROM contract_logs WHERE $10::boolean AND position >= $11::bigint ORDER BY position LIMIT $8) AS l
      CROSS JOIN LATERAL (SELECT position, hash FROM transactions WHERE position = l.position LIMIT 1) AS t
      WHERE t.position < COALESCE((SELECT position FROM announced_logs), 9223372036854775807))
  ) AS u WHERE position < LEAST(COALESCE(a."end", $9::bigint, 9223372036854775807), w."end") ORDER BY position, rank LIMIT $8
) AS f ON true
ORDER BY f.position, f.rank

-- name: events.head
SELECT event_seq AS seq, (
  SELECT hash FROM (
    (SELECT height << 33 AS position, hash FROM key_blocks ORDER BY height DESC LIMIT 1)
    UNION ALL
    (SELECT position, hash FROM micro_blocks ORDER BY position DESC LIMIT 1)
  ) AS b ORDER BY position DESC LIMIT 1
) AS last_block, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM chain

-- name: events.last-announced
SELECT e.seq, COALESCE(
  (SELECT n.seq - 1 FROM events AS n
    WHERE n.seq > e.seq AND n.kind NOT IN ('transaction', 'tx_update') ORDER BY n.seq LIMIT 1),
  (SELECT event_seq FROM chain)) AS end
FROM events AS e
WHERE e.hash = $1 AND e.kind NOT IN ('rollback', 'load_rollback', 'load_left') ORDER BY e.seq DESC LIMIT 1

-- name: events.left
INSERT INTO events (seq, kind, position, hash, body)
SELECT $1::bigint - 1 + row_number() OVER (ORDER BY position), $2, position, hash, body FROM removed_transactions

-- name: events.live
SELECT live FROM chain

-- name: events.load-left
INSERT INTO events (seq, kind, position, hash, body)
SELECT $2::bigint - 1 + row_number() OVER (ORDER BY position), $3, position, hash, body
FROM transactions WHERE position >= $1

-- name: events.load-rollback
SELECT seq, COALESCE(events.later_kind, events.kind) AS kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark FROM events
WHERE seq >= $1 AND (seq = $1 OR COALESCE(events.later_kind, events.kind) = 'load_left' AND position < $2) AND seq < COALESCE(
  (SELECT n.seq FROM events AS n WHERE n.seq > $1 AND n.kind <> 'load_left' ORDER BY n.seq LIMIT 1),
  9223372036854775807)
ORDER BY seq

-- name: events.next
UPDATE chain SET event_seq = event_seq + $1 RETURNING event_seq - $1 + 1 AS first

-- name: events.oldest
SELECT seq, COALESCE(events.later_kind, events.kind) AS kind, position, hash, body, (extract(epoch FROM at) * 1000)::bigint AS at, mark FROM events WHERE kind NOT IN ('load_rollback', 'load_left') ORDER BY seq LIMIT 1

-- name: events.prune
DELETE FROM events WHERE at < now() - make_interval(hours => $1)

-- name: events.removed-count
SELECT COUNT(*) AS count FROM transactions WHERE position >= $1

-- name: events.rollback
WITH removed AS (
  SELECT height << 33 AS position, hash FROM key_blocks
  WHERE height > ($2::bigint - 1) >> 33 AND height <= ($6::bigint - 1) >> 33
  UNION ALL SELECT position, hash FROM micro_blocks WHERE position >= $2 AND position < $6
)
INSERT INTO events (seq, kind, position, hash, body)
SELECT $1::bigint, $5::text, $2, $3::text, json_build_object(
  'removed_count', (SELECT COUNT(*) FROM removed),
  'removed', ARRAY(SELECT hash FROM removed ORDER BY position LIMIT $4))

-- name: events.stored-from
(SELECT height << 33 AS position, hash, prev_hash, 0 AS transactions FROM key_blocks
  WHERE height > ($1::bigint - 1) >> 33 ORDER BY height LIMIT $2)
UNION ALL
(SELECT position, hash, prev_hash, tx_count FROM micro_blocks WHERE position >= $1 ORDER BY position LIMIT $2)
ORDER BY position LIMIT $2

-- name: events.stored-position
SELECT p.kind, p.position, c.event_seq AS head FROM chain AS c, (
  SELECT 'key_block' AS kind, height << 33 AS position FROM key_blocks WHERE hash = $1
  UNION ALL SELECT 'micro_block', position FROM micro_blocks WHERE hash = $1
  UNION ALL SELECT 'transaction', position FROM transactions_by_hash WHERE hash = $1
) AS p LIMIT 1

-- name: export.account.inner
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  CASE WHEN t.body LIKE '%"recipient_id":"nm\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = 1
  ) END AS payees, w.moved, w.paid, w.moved_with,
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT DISTINCT found.position FROM ((
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 10 AND l.id = $1::text LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT DISTINCT m.position FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < $2::bigint AND m.position & 8589934591 <> 0
        ORDER BY m.position DESC LIMIT 200
    )) AS found
    ORDER BY found.position DESC LIMIT 200) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN (2, 3)), 0)::text AS moved,
    (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN (2, 3)), 0))::text AS paid,
    (
      SELECT c.id FROM ledger_ids AS c
      WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN (2, 3)))[1]
    ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
  AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
  AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL
) AS item ON true
ORDER BY item.position DESC

-- name: export.account.inner_signed
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  CASE WHEN t.body LIKE '%"recipient_id":"nm\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = 1
  ) END AS payees, w.moved, w.paid, w.moved_with,
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT DISTINCT found.position FROM ((
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 10 AND l.id = $1::text LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = 'ok_' || substr($1::text, 4) LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT DISTINCT m.position FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < $2::bigint AND m.position & 8589934591 <> 0
        ORDER BY m.position DESC LIMIT 200
    )) AS found
    ORDER BY found.position DESC LIMIT 200) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN (2, 3)), 0)::text AS moved,
    (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN (2, 3)), 0))::text AS paid,
    (
      SELECT c.id FROM ledger_ids AS c
      WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN (2, 3)))[1]
    ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
  AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
  AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL
) AS item ON true
ORDER BY item.position DESC

-- name: export.account.signed
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  CASE WHEN t.body LIKE '%"recipient_id":"nm\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = 1
  ) END AS payees, w.moved, w.paid, w.moved_with,
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT DISTINCT found.position FROM ((
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 1 AND l.id = $1::text LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT part.position
        FROM (SELECT l.key FROM lists AS l WHERE l.kind = 7 AND l.id = 'ok_' || substr($1::text, 4) LIMIT 1) AS l
        CROSS JOIN LATERAL (
          SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total LIMIT 1
        ) AS c
        CROSS JOIN LATERAL (
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS low, c.total AS high
            UNION ALL
            SELECT
            CASE WHEN e.position < $2::bigint THEN half.way ELSE s.low END,
            CASE WHEN e.position < $2::bigint THEN s.high ELSE half.way - 1 END
            FROM search AS s
            CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
            CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
            WHERE s.low < s.high
          )
          SELECT low AS count FROM search WHERE low = high LIMIT 1) AS below
        CROSS JOIN LATERAL (
          SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal <= below.count AND e.ordinal > below.count - 200
          ORDER BY e.ordinal DESC LIMIT 200
        ) AS part
      ) UNION ALL (
        SELECT DISTINCT m.position FROM movement_rows AS m
        WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position < $2::bigint AND m.position & 8589934591 <> 0
        AND (abs(m.kind) IN (2, 12) OR m.fee IS NOT NULL)
        ORDER BY m.position DESC LIMIT 200
    )) AS found
    ORDER BY found.position DESC LIMIT 200) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN (2, 3)), 0)::text AS moved,
    (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN (2, 3)), 0))::text AS paid,
    (
      SELECT c.id FROM ledger_ids AS c
      WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN (2, 3)))[1]
    ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
  AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
  AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL
) AS item ON true
ORDER BY item.position DESC

-- name: export.calls
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  c.position, c.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body, i.body AS info,
  c.contract_id, c.arguments, c.result, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT listed.position
      FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
      CROSS JOIN LATERAL (
        SELECT COALESCE(
          (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
          (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
          0
        ) AS total
        LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
        $5::bigint AS skip,
        GREATEST(LEAST($6::bigint, c.total - $5::bigint), 0) AS take
        LIMIT 1
      ) AS w
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
        ) AS x
        WHERE x.upto > w.skip - 0
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s3 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s3.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s2 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s2.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s1 ON true
      CROSS JOIN LATERAL (
        SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
        COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
        LIMIT 1
      ) AS start CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position
        FROM ranks AS r
        WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
        ORDER BY r.key, r.label, r.position
        LIMIT w.take OFFSET w.skip - start.before) AS listed
    ) AS listed) AS picked
  JOIN contract_calls AS c ON c.position = picked.position
  JOIN transactions AS t ON t.position = picked.position
  JOIN micro_blocks AS m ON m.position = (c.position & (-65536)::bigint)
  LEFT JOIN infos AS i ON i.position = c.position
) AS item ON true
ORDER BY item.number

-- name: export.calls.after
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  c.position, c.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body, i.body AS info,
  c.contract_id, c.arguments, c.result, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT r.position
      FROM (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS k
      CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key , r.label , r.position ) AS number
        FROM ranks AS r
        WHERE
        r.ranking = k.key
        AND (r.key, r.label, r.position) > ($5::bigint, $6, $7::bigint)
        ORDER BY r.key , r.label , r.position
        LIMIT 200) AS r
      ORDER BY r.number) AS listed) AS picked
  JOIN contract_calls AS c ON c.position = picked.position
  JOIN transactions AS t ON t.position = picked.position
  JOIN micro_blocks AS m ON m.position = (c.position & (-65536)::bigint)
  LEFT JOIN infos AS i ON i.position = c.position
) AS item ON true
ORDER BY item.number

-- name: export.contract_logs.all
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $7::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $6::bigint AND t.hash = $7
  ) AS is_valid) AS a
LEFT JOIN LATERAL (SELECT
  l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
  l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
  JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
  JOIN transactions AS t ON t.position = p.position
  JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS item ON true
ORDER BY item.position DESC, item.log_index DESC

-- name: export.contract_logs.event
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $7::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $6::bigint AND t.hash = $7
  ) AS is_valid) AS a
LEFT JOIN LATERAL (SELECT
  l.position, l.log_index, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.hash, l.contract_id, l.called_id, CASE l.topics[1] WHEN 15485047184846566156736396069994907050875216973023180189891727495730853981167 THEN 'Transfer' WHEN 6675387653529534352993899574763440621350730065146058041830673378811230846814 THEN 'Allowance' WHEN 97248968993606906149864095761415446114204891017168990930824289305879066770211 THEN 'Mint' WHEN 59519329313588602299792785325724171247065768738621522936987157301332531057158 THEN 'Burn' WHEN 87152034236714252806392310986442524876185493856990839672979346500071310270671 THEN 'Swap' WHEN 41351702065710532483578406672343054931429779004654879061244444772998706402323 THEN 'Deposit' WHEN 21551373694814533467334163970656514191399831838095241105854918675556585912443 THEN 'Withdrawal' WHEN 98390023806984272479747321749848035844240635876414937313798782212550993009882 THEN 'Approval' WHEN 49046398402630834699326002860806078653345357848466997813878356431721124387467 THEN 'ApprovalForAll' WHEN 51018058310234096115377051572769544143600320915203724174405205935982048636023 THEN 'TokenLimit' WHEN 45448628762843632455737477927708722197464847259594275729635443610041053458776 THEN 'TokenLimitDecrease' WHEN 49787149782218545284625087527898069524911487100068869368396209150346302383503 THEN 'TemplateCreation' WHEN 86998796422735156774693250027477244605277605979027003755517494314842510056304 THEN 'TemplateDeletion' WHEN 82163412834881319337366190831357199303892930614758279450416270264877577639369 THEN 'TemplateMint' WHEN 9807926706135868137323239631973055381082002645173235282136724172459171137900 THEN 'TemplateLimit' WHEN 93394612120815944981908174523963507424810154788158211514972006675496403066068 THEN 'TemplateLimitDecrease' WHEN 51537919766083908715948283523411412826381405782611532561026985777787535762066 THEN 'EditionLimit' WHEN 93082878851854228975889653075969523419679696700656920792030076979347342545219 THEN 'EditionLimitDecrease' WHEN 63474453562671551393431532551013341195121805416535804854140509925801749274590 THEN 'MutableAttributesUpdate' WHEN 74816878954925465632780271535271364819521174407361600946885709997746336505707 THEN 'PairCreated' WHEN 72742236172837736358043391645586411318758140104138559400527506523271326125229 THEN 'SwapTokens' END AS event, l.topics::text[] AS topics,
  l.data FROM (SELECT l.position, l.log_index FROM contract_logs AS l WHERE l.position BETWEEN $3::bigint AND $4::bigint AND (l.position, l.log_index) < ($1::bigint, $2::int) AND CASE WHEN l.topics[1] = $8::numeric THEN true ELSE false END AND l.topics[1] IS NOT NULL AND hash_numeric_extended(l.topics[1], 0) = hash_numeric_extended($8::numeric, 0) ORDER BY l.position DESC, l.log_index DESC LIMIT $5::bigint) AS p
  JOIN contract_logs AS l ON l.position = p.position AND l.log_index = p.log_index
  JOIN transactions AS t ON t.position = p.position
  JOIN micro_blocks AS m ON m.position = (p.position & (-65536)::bigint)) AS item ON true
ORDER BY item.position DESC, item.log_index DESC

-- name: export.interval
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT t.position
    FROM transactions AS t
    WHERE
    t.position >= ($1::bigint << 33) AND t.position < $2::bigint
    ORDER BY t.position DESC
    LIMIT 200
  ) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
) AS item ON true
ORDER BY item.position DESC

-- name: export.interval_by_type
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT t.position
    FROM transactions AS t
    WHERE
    t.type = (SELECT code FROM types WHERE lower(name) = ANY ($5::text[]) ORDER BY code LIMIT 1) AND
    t.position >= ($1::bigint << 33) AND t.position < $2::bigint
    ORDER BY t.position DESC
    LIMIT 200
  ) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
) AS item ON true
ORDER BY item.position DESC

-- name: export.ledger
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $8::text IS NULL
  OR EXISTS (SELECT FROM transactions AS t WHERE t.position = $7::bigint AND t.hash = $8)
  OR EXISTS (SELECT FROM key_blocks AS k WHERE k.height = $7::bigint >> 33 AND k.hash = $8) AS is_valid
) AS a
LEFT JOIN LATERAL (
  SELECT m.position, m.index, CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END AS kind, m.amount::text, m.balance::text, c.id AS counterparty, m.from_node, t.hash AS tx_hash,
  COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS time
  FROM (
    SELECT m.* FROM (
      SELECT r.* FROM movement_rows AS r
      WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position >= $4::bigint AND $4::bigint <= $5::bigint
      AND (r.position, r.index) <= ($2::bigint, $3::int)
      ORDER BY r.position DESC, r.index DESC LIMIT $6::bigint + 1
    ) AS r
    CROSS JOIN LATERAL (
      VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
      (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
    ) AS m (position, index, kind, amount, balance, counterparty, from_node)
    WHERE m.amount IS NOT NULL AND (m.position, m.index) < ($2::bigint, $3::int)
    ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint) AS m
  LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
  LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
  LEFT JOIN LATERAL (
    SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
  ) AS b ON true
  LEFT JOIN LATERAL (
    SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
  ) AS k ON true
) AS item ON true
ORDER BY item.position DESC, item.index DESC

-- name: export.ledger.oldest
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $8::text IS NULL
  OR EXISTS (SELECT FROM transactions AS t WHERE t.position = $7::bigint AND t.hash = $8)
  OR EXISTS (SELECT FROM key_blocks AS k WHERE k.height = $7::bigint >> 33 AND k.hash = $8) AS is_valid
) AS a
LEFT JOIN LATERAL (
  SELECT m.position, m.index, CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END AS kind, m.amount::text, m.balance::text, c.id AS counterparty, m.from_node, t.hash AS tx_hash,
  COALESCE(b.hash, k.hash) AS block_hash, COALESCE(b.time, k.time) AS time
  FROM (
    SELECT m.* FROM (
      SELECT r.* FROM movement_rows AS r
      WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position <= $5::bigint AND $4::bigint <= $5::bigint
      AND (r.position, r.index) >= ($2::bigint, $3::int)
      ORDER BY r.position, r.index LIMIT $6::bigint + 1
    ) AS r
    CROSS JOIN LATERAL (
      VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
      (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
    ) AS m (position, index, kind, amount, balance, counterparty, from_node)
    WHERE m.amount IS NOT NULL AND (m.position, m.index) > ($2::bigint, $3::int)
    ORDER BY m.position, m.index LIMIT $6::bigint) AS m
  LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
  LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
  LEFT JOIN LATERAL (
    SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
  ) AS b ON true
  LEFT JOIN LATERAL (
    SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
  ) AS k ON true
) AS item ON true
ORDER BY item.position, item.index

-- name: export.list
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $5::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $4::bigint AND t.hash = $5
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT picked.ordinal,
  CASE WHEN t.body LIKE '%"recipient_id":"nm\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = 1
  ) END AS payees, w.moved, w.paid, w.moved_with,
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT picked.*
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT LEAST($3::bigint, c.total + 1) AS before LIMIT 1) AS w
    CROSS JOIN LATERAL (
      SELECT e.position, e.ordinal AS ordinal FROM entries AS e WHERE e.list = l.key
      AND e.ordinal < w.before AND e.ordinal >= w.before - 200
    ) AS picked
  ) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN (2, 3)), 0)::text AS moved,
    (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN (2, 3)), 0))::text AS paid,
    (
      SELECT c.id FROM ledger_ids AS c
      WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN (2, 3)))[1]
    ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $2) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
  AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
  AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL
) AS item ON true
ORDER BY item.ordinal DESC

-- name: export.list_by_type
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $6::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $5::bigint AND t.hash = $6
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT picked.ordinal,
  CASE WHEN t.body LIKE '%"recipient_id":"nm\_%' THEN ARRAY(
    SELECT l.id FROM entries AS e JOIN lists AS l ON l.key = e.list
    WHERE e.position = t.position AND l.kind = 1
  ) END AS payees, w.moved, w.paid, w.moved_with,
  t.position, t.position >> 33 AS height, m.time, m.hash AS block_hash, t.hash, t.body,
  (SELECT i.body FROM infos AS i WHERE i.position = t.position) AS info
  FROM (
    SELECT picked.*
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT LEAST($4::bigint, c.total + 1) AS before LIMIT 1) AS w
    CROSS JOIN LATERAL (
      SELECT e.position, e.type_ordinal AS ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type
      AND e.type_ordinal < w.before AND e.type_ordinal >= w.before - 200
    ) AS picked
  ) AS picked
  JOIN transactions AS t ON t.position = picked.position
  CROSS JOIN LATERAL (SELECT m.time, m.hash FROM micro_blocks AS m WHERE m.position = (picked.position & (-65536)::bigint) LIMIT 1) AS m
  LEFT JOIN LATERAL (
    SELECT COALESCE(sum(m.amount) FILTER (WHERE m.kind NOT IN (2, 3)), 0)::text AS moved,
    (-COALESCE(sum(m.amount) FILTER (WHERE m.kind IN (2, 3)), 0))::text AS paid,
    (
      SELECT c.id FROM ledger_ids AS c
      WHERE c.key = (array_agg(m.counterparty ORDER BY m.index) FILTER (WHERE m.kind NOT IN (2, 3)))[1]
    ) AS moved_with
    FROM movements AS m
    WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $2) AND m.position = t.position
  ) AS w ON t.position <= (SELECT l.position | 65535 FROM ledger AS l WHERE l.one)
  AND (SELECT g.position FROM ledger_gaps AS g WHERE g.position = t.position) IS NULL
  AND (SELECT r.height FROM ledger_rewrites AS r WHERE r.height = t.position >> 33) IS NULL
) AS item ON true
ORDER BY item.ordinal DESC

-- name: export.list_start
SELECT before.count, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (
  SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
  LIMIT 1
) AS l
CROSS JOIN LATERAL (
  SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
  LIMIT 1
) AS c
CROSS JOIN LATERAL (
  WITH RECURSIVE search AS (
    SELECT 0::bigint AS low, c.total AS high
    UNION ALL
    SELECT
    CASE WHEN e.position < $3::bigint THEN half.way ELSE s.low END,
    CASE WHEN e.position < $3::bigint THEN s.high ELSE half.way - 1 END
    FROM search AS s
    CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
    CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
    WHERE s.low < s.high
  )
  SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before

-- name: export.list_start_by_type
SELECT before.count, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (
  SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
  LIMIT 1
) AS l
CROSS JOIN LATERAL (
  SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
  LIMIT 1
) AS c
CROSS JOIN LATERAL (
  WITH RECURSIVE search AS (
    SELECT 0::bigint AS low, c.total AS high
    UNION ALL
    SELECT
    CASE WHEN e.position < $4::bigint THEN half.way ELSE s.low END,
    CASE WHEN e.position < $4::bigint THEN s.high ELSE half.way - 1 END
    FROM search AS s
    CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
    CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = l.type AND e.type_ordinal = half.way LIMIT 1) AS e
    WHERE s.low < s.high
  )
  SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before

-- name: export.name_at
SELECT position, name, created_at_height, expires_at AS listed_expires_at, (SELECT (epoch << 32) + commits FROM writer) AS commit_number FROM names WHERE position = $1

-- name: export.names
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END AS owner, n.created_at_height,
  CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END AS auction_end_height,
  CASE
  WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
  WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
  THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
  ELSE n.expires_at
  END AS expires_at, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END AS pointers,
  CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
  OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END AS source, n.expires_at AS listed_expires_at, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT listed.position
      FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
      CROSS JOIN LATERAL (
        SELECT COALESCE(
          (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
          (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
          0
        ) AS total
        LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
        $5::bigint AS skip,
        GREATEST(LEAST($6::bigint, c.total - $5::bigint), 0) AS take
        LIMIT 1
      ) AS w
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
        ) AS x
        WHERE x.upto > w.skip - 0
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s3 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s3.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s2 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s2.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s1 ON true
      CROSS JOIN LATERAL (
        SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
        COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
        LIMIT 1
      ) AS start CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position
        FROM ranks AS r
        WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
        ORDER BY r.key, r.label, r.position
        LIMIT w.take OFFSET w.skip - start.before) AS listed
    ) AS listed) AS picked
  JOIN names AS n ON n.position = picked.position
  LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
  JOIN micro_blocks AS m ON m.position = (n.position & (-65536)::bigint)
) AS item ON true
ORDER BY item.number

-- name: export.names.after
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END AS owner, n.created_at_height,
  CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END AS auction_end_height,
  CASE
  WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
  WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
  THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
  ELSE n.expires_at
  END AS expires_at, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END AS pointers,
  CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
  OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END AS source, n.expires_at AS listed_expires_at, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT r.position
      FROM (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS k
      CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key , r.label , r.position ) AS number
        FROM ranks AS r
        WHERE
        r.ranking = k.key
        AND (r.key, r.label, r.position) > ($5::bigint, $6, $7::bigint)
        ORDER BY r.key , r.label , r.position
        LIMIT 200) AS r
      ORDER BY r.number) AS listed) AS picked
  JOIN names AS n ON n.position = picked.position
  LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
  JOIN micro_blocks AS m ON m.position = (n.position & (-65536)::bigint)
) AS item ON true
ORDER BY item.number

-- name: export.names.reversed
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END AS owner, n.created_at_height,
  CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END AS auction_end_height,
  CASE
  WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
  WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
  THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
  ELSE n.expires_at
  END AS expires_at, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END AS pointers,
  CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
  OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END AS source, n.expires_at AS listed_expires_at, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT listed.position
      FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
      CROSS JOIN LATERAL (
        SELECT COALESCE(
          (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
          (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
          0
        ) AS total
        LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
        GREATEST(c.total - $5::bigint - $6::bigint, 0) AS skip,
        GREATEST(LEAST($6::bigint, c.total - $5::bigint), 0) AS take
        LIMIT 1
      ) AS w
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
        ) AS x
        WHERE x.upto > w.skip - 0
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s3 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s3.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s2 ON true
      LEFT JOIN LATERAL (
        SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
        FROM (
          SELECT s.key, s.label, s.position, s.count,
          sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
          FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
        ) AS x
        WHERE x.upto > w.skip - COALESCE(s2.before, 0)
        ORDER BY x.key, x.label, x.position
        LIMIT 1
      ) AS s1 ON true
      CROSS JOIN LATERAL (
        SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
        COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
        LIMIT 1
      ) AS start CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position
        FROM ranks AS r
        WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
        ORDER BY r.key, r.label, r.position
        LIMIT w.take OFFSET w.skip - start.before) AS listed
      ORDER BY row_number() OVER () DESC) AS listed) AS picked
  JOIN names AS n ON n.position = picked.position
  LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
  JOIN micro_blocks AS m ON m.position = (n.position & (-65536)::bigint)
) AS item ON true
ORDER BY item.number

-- name: export.names.reversed.after
SELECT a.is_valid, (SELECT (epoch << 32) + commits FROM writer) AS commit_number, item.*
FROM (
  SELECT $4::text IS NULL OR EXISTS (
    SELECT FROM transactions AS t WHERE t.position = $3::bigint AND t.hash = $4
  ) AS is_valid) AS a
LEFT JOIN LATERAL (
  SELECT
  n.position, m.time, m.hash AS block_hash, n.tx_hash, n.name, n.name_hash, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END AS owner, n.created_at_height,
  CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END AS auction_end_height,
  CASE
  WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
  WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
  THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
  ELSE n.expires_at
  END AS expires_at, CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END AS pointers,
  CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
  OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END AS source, n.expires_at AS listed_expires_at, picked.number
  FROM (SELECT listed.position, row_number() OVER () AS number FROM (
      SELECT r.position
      FROM (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS k
      CROSS JOIN LATERAL (
        SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key DESC, r.label DESC, r.position DESC) AS number
        FROM ranks AS r
        WHERE
        r.ranking = k.key
        AND (r.key, r.label, r.position) < ($5::bigint, $6, $7::bigint)
        ORDER BY r.key DESC, r.label DESC, r.position DESC
        LIMIT 200) AS r
      ORDER BY r.number) AS listed) AS picked
  JOIN names AS n ON n.position = picked.position
  LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
  JOIN micro_blocks AS m ON m.position = (n.position & (-65536)::bigint)
) AS item ON true
ORDER BY item.number

-- name: export.position
SELECT position, (SELECT (epoch << 32) + commits FROM writer) AS commit_number FROM transactions_by_hash WHERE hash = $1

-- name: facts.in
SELECT 'block' AS of, height << 33 AS position, body, NULL AS info FROM key_block_texts
WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33
UNION ALL SELECT 'block', position, body, NULL FROM micro_blocks WHERE position >= $1 AND position < $2
UNION ALL
SELECT 'transaction', t.position, t.body, (SELECT i.body FROM infos AS i WHERE i.position = t.position)
FROM transactions AS t
WHERE t.position >= $1 AND t.position < $2

-- name: figures.by-time
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
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
    (SELECT body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS newest
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
    ) AS answered) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: figures.of-generations
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
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
          WHERE t.position >= m.position AND t.position < m.position + 65536
          GROUP BY t.type
        ) AS counted
      ) AS sums
      WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591
    ) AS blocks
    WHERE k.height >= $1::bigint AND k.height <= $2::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: first_load.facts
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT live, node_height FROM chain) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: generation_changes.clear
DELETE FROM generation_changes WHERE span IN (0, 8, 16) AND height BETWEEN $1::bigint AND $2::bigint

-- name: generation_changes.is-more
SELECT EXISTS (SELECT FROM key_blocks WHERE height >= $1::bigint) AS is_more

-- name: generation_changes.rebuild
INSERT INTO generation_changes (span, height, member, amount)
SELECT s.span::smallint AS span, c.height >> s.span << s.span AS height, c.member, sum(c.amount) AS amount
FROM (
  SELECT c.height, c.member::smallint AS member, sum(c.amount) AS amount
  FROM (
    SELECT n.position >> 33 AS height, 1 AS member, 1::numeric AS amount FROM names AS n
    WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
    UNION ALL SELECT n.auction_end_height + 1, 2, 1 FROM names AS n
    WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
    UNION ALL SELECT n.position >> 33, 3, 1 FROM names AS n WHERE n.auction_end_height <= n.created_at_height
    UNION ALL SELECT n.auction_end_height + 1, 3, 1 FROM names AS n WHERE n.auction_end_height > n.created_at_height
    UNION ALL SELECT n.expires_at + 1, 4, 1 FROM names AS n WHERE n.revoked_at IS NULL
    UNION ALL SELECT n.revoked_at, 5, 1 FROM names AS n WHERE n.revoked_at IS NOT NULL
    UNION ALL SELECT l.position >> 33, 6, 1 FROM oracle_lives AS l
    UNION ALL SELECT l.expires_at + 1, 7, 1 FROM oracle_lives AS l WHERE l.expires_at < 1073741823
    UNION ALL SELECT c.position >> 33, 8, 1 FROM contracts AS c WHERE NOT c.failed AND c.position >= $1::bigint << 33 AND c.position <= ($2::bigint << 33) + 8589934591
    UNION ALL SELECT c.position >> 33, 9, 1 FROM channels AS c WHERE c.position >= $1::bigint << 33 AND c.position <= ($2::bigint << 33) + 8589934591
    UNION ALL SELECT a.position >> 33, 10, 1 FROM seen_accounts AS a WHERE a.position >= $1::bigint << 33 AND a.position <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT m.position >> 33, 20, abs(m.amount) FROM movement_rows AS m
    WHERE abs(m.kind) = 19  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
    AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT m.position >> 33, 21, abs(m.amount) FROM movement_rows AS m
    WHERE abs(m.kind) = 20  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
    AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT m.position >> 33, 23, abs(m.amount) FROM movement_rows AS m
    WHERE abs(m.kind) = 7  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
    AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT m.position >> 33, 23, abs(m.amount) FROM movement_rows AS m
    WHERE abs(m.kind) = 10 AND m.position & 8589934591 = 0 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
    AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT h.position >> 33, 22, h.amount FROM held AS h WHERE h.kind = 1 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
    UNION ALL SELECT h.released >> 33, 22, -(h.amount) FROM held AS h WHERE h.kind = 1 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT h.position >> 33, 24, 1 FROM held AS h WHERE h.kind = 3 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
    UNION ALL SELECT h.released >> 33, 24, -(1) FROM held AS h WHERE h.kind = 3 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
    UNION ALL
    SELECT h.position >> 33, 25, h.amount FROM held AS h WHERE h.kind = 3 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
    UNION ALL SELECT h.released >> 33, 25, -(h.amount) FROM held AS h WHERE h.kind = 3 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
  ) AS c
  WHERE c.height BETWEEN $1::bigint AND $2::bigint GROUP BY c.height, c.member HAVING sum(c.amount) <> 0) AS c CROSS JOIN (VALUES (0), (8), (16)) AS s (span)
GROUP BY 1, 2, 3 HAVING sum(c.amount) <> 0

-- name: generation_rates.clear
DELETE FROM generation_rates WHERE height BETWEEN $1::bigint AND $2::bigint

-- name: generation_rates.insert
INSERT INTO generation_rates (height, rate)
SELECT height, round(count * 1000::numeric / ms, 2) FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS f (height, count, ms)
ON CONFLICT (height) DO UPDATE SET rate = EXCLUDED.rate

-- name: generation_rates.rebuild
INSERT INTO generation_rates (height, rate)
SELECT g.height, round(g.tx_count * 1000::numeric / (m.time - k.time), 2) AS rate
FROM generations AS g
JOIN key_blocks AS k ON k.height = g.height
CROSS JOIN LATERAL (
  SELECT time FROM micro_blocks AS b
  WHERE b.position > g.height << 33 AND b.position < (g.height + 1) << 33 ORDER BY b.position DESC LIMIT 1
) AS m
WHERE g.height BETWEEN $1::bigint AND $2::bigint AND g.tx_count > 0 AND m.time > k.time
AND EXISTS (SELECT FROM key_blocks AS n WHERE n.height = g.height + 1)

-- name: generation_rates.unstored
DELETE FROM generation_rates WHERE height = $1

-- name: generation_types.append
INSERT INTO generation_types (type, height, count, total)
SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::int[], $4::bigint[])
ON CONFLICT (type, height) DO UPDATE SET count = EXCLUDED.count, total = EXCLUDED.total

-- name: generation_types.base
SELECT base.type, base.height, base.count, base.total
FROM unnest($1::smallint[]) AS wanted (type)
CROSS JOIN LATERAL (
  SELECT g.type, g.height, g.count, g.total FROM generation_types g
  WHERE g.type = wanted.type AND g.height <= $2 ORDER BY g.height DESC LIMIT 1
) base

-- name: generation_types.carry
UPDATE generation_types AS g SET total = g.total + c.count
FROM unnest($1::smallint[], $2::bigint[]) AS c (type, count) WHERE g.type = c.type AND g.height > $3

-- name: generation_types.clear
WITH RECURSIVE stored (type) AS (
  SELECT min(type) FROM generation_types
  UNION ALL
  SELECT (SELECT min(g.type) FROM generation_types AS g WHERE g.type > s.type) FROM stored AS s WHERE s.type IS NOT NULL
)
DELETE FROM generation_types WHERE type = ANY (ARRAY(SELECT type FROM stored)) AND height BETWEEN $1 AND $2

-- name: generation_types.mend-totals
UPDATE generation_types AS g SET total = s.total
FROM (
  SELECT p.type, p.height, COALESCE(b.total, 0) + sum(p.count) OVER (PARTITION BY p.type ORDER BY p.height) AS total
  FROM types AS t
  CROSS JOIN LATERAL (
    SELECT g.type, g.height, g.count FROM generation_types AS g
    WHERE g.type = t.code AND g.height > $1 AND g.height <= $2 OFFSET 0
  ) AS p
  LEFT JOIN LATERAL (
    SELECT g.total FROM generation_types AS g WHERE g.type = t.code AND g.height <= $1 ORDER BY g.height DESC LIMIT 1
  ) AS b ON true
) AS s
WHERE g.type = s.type AND g.height = s.height AND g.total <> s.total

-- name: generation_types.rebuild
INSERT INTO generation_types (type, height, count, total)
SELECT s.type, s.height, s.count,
COALESCE((SELECT g.total FROM generation_types g WHERE g.type = s.type AND g.height < $1 ORDER BY g.height DESC LIMIT 1), 0)
+ SUM(s.count) OVER (PARTITION BY s.type ORDER BY s.height)
FROM (
  SELECT type, position >> 33 AS height, COUNT(*) AS count
  FROM transactions WHERE position >= $1::bigint << 33 AND position < ($2::bigint + 1) << 33
  GROUP BY 1, 2
) s

-- name: generation_types.unstored
DELETE FROM generation_types WHERE height = $1

-- name: generations.append
INSERT INTO generations (height, tx_count, size, fees, tx_total, size_total, max_time)
SELECT * FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::numeric[], $5::bigint[], $6::bigint[], $7::bigint[])
ON CONFLICT (height) DO UPDATE
SET tx_count = EXCLUDED.tx_count, size = EXCLUDED.size, fees = EXCLUDED.fees,
tx_total = EXCLUDED.tx_total, size_total = EXCLUDED.size_total, max_time = EXCLUDED.max_time

-- name: generations.base
SELECT height, tx_count, size, fees, tx_total, size_total, max_time
FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1

-- name: generations.between
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    start AS (
      SELECT LEAST($2::bigint, (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1)) - $3::bigint AS height
    ), first AS (
      SELECT height, (SELECT g.tx_total FROM generations AS g WHERE g.height = key_blocks.height) AS tx_total
      FROM key_blocks
      WHERE height <= (SELECT height FROM start) AND height >= $1::bigint
      ORDER BY height DESC
      LIMIT 1
    ), picked AS (
      SELECT k.height, k.body
      FROM first
      CROSS JOIN LATERAL (
        SELECT height, body
        FROM key_block_texts
        WHERE
        height <= first.height
        AND height >= $1::bigint
        AND height > (SELECT height FROM start) - $4::bigint
        ORDER BY height DESC
        LIMIT $4::bigint
      ) AS k
      WHERE k.height = first.height OR $6::bigint >= first.tx_total -
      (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = k.height)
    ), answered AS (
      SELECT
      '"' || k.height || '":{' || (
        SELECT
        string_agg(
          to_json(member.key)::text || ':' ||
          CASE member.key
          WHEN 'nonce' THEN to_json(member.value #>> '{}')::text
          WHEN 'pow' THEN to_json(replace(regexp_replace(member.value::text, '\s', '', 'g'), ',', ', '))::text
          ELSE member.value::text
          END, ','
        ) ||
        CASE WHEN bool_or(member.key = 'nonce') THEN '' ELSE ',"nonce":"0"' END ||
        CASE WHEN bool_or(member.key = 'pow') THEN '' ELSE ',"pow":"[0]"' END
        FROM json_each(k.body::json) AS member) || ',"micro_blocks":{' || COALESCE(m.body, '') || '}}' AS body,
      m.count,
      m.transactions
      FROM picked AS k
      CROSS JOIN LATERAL (
        SELECT
        string_agg(
          to_json(m.hash)::text || ':{' || (
            SELECT string_agg(to_json(member.key)::text || ':' || member.value::text, ',')
            FROM json_each(m.body::json) AS member
            WHERE member.key <> 'height') ||
          ',"transactions":{' || COALESCE((
              SELECT string_agg(to_json(t.hash)::text || ':' || t.body, ',' ORDER BY t.position)
              FROM transactions AS t
              WHERE t.position >= m.position AND t.position < m.position + 65536), '') || '}}', ',' ORDER BY m.position
        ) AS body,
        count(*) AS count,
        COALESCE(sum(m.tx_count), 0) AS transactions
        FROM micro_blocks AS m
        WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591) AS m
      ORDER BY k.height DESC
    )
    SELECT
    '{"total_transactions":' || COALESCE(sum(answered.transactions), 0) ||
    ',"total_micro_blocks":' || COALESCE(sum(answered.count), 0) ||
    ',"data":{' || COALESCE(string_agg(answered.body, ','), '') || '}}' AS body,
    CASE WHEN EXISTS (
      SELECT 1
      FROM key_blocks
      WHERE
      height < (SELECT min(height) FROM picked)
      AND height >= $1::bigint
      AND height > (SELECT height FROM start) - $5::bigint
    ) THEN CASE WHEN (SELECT count(*) FROM picked) < $4::bigint THEN 'transactions' ELSE 'generations' END END AS cut
    FROM answered) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: generations.carry
UPDATE generations SET tx_total = tx_total + $2, size_total = size_total + $3 WHERE height > $1

-- name: generations.carry-time
UPDATE generations g SET max_time = s.max_time
FROM (
  SELECT height, GREATEST(
    (SELECT max_time FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1),
    MAX(time) OVER (ORDER BY height)
  ) AS max_time
  FROM key_blocks WHERE height > $1
) s
WHERE g.height = s.height AND g.max_time <> s.max_time

-- name: generations.clear
DELETE FROM generations WHERE height BETWEEN $1 AND $2

-- name: generations.mend-totals
WITH batch AS (
  SELECT g.height, g.tx_count, g.size, (SELECT k.time FROM key_blocks AS k WHERE k.height = g.height) AS time
  FROM generations AS g WHERE g.height > $1 ORDER BY g.height LIMIT 5000
), wrong AS (
  UPDATE generations AS g SET tx_total = s.tx_total, size_total = s.size_total, max_time = s.max_time
  FROM (
    SELECT p.height, COALESCE(b.tx_total, 0) + sum(p.tx_count) OVER below AS tx_total,
    COALESCE(b.size_total, 0) + sum(p.size) OVER below AS size_total,
    GREATEST(COALESCE(b.max_time, 0), max(p.time) OVER below) AS max_time
    FROM batch AS p
    LEFT JOIN (
      SELECT tx_total, size_total, max_time FROM generations WHERE height <= $1 ORDER BY height DESC LIMIT 1
    ) AS b ON true
    WINDOW below AS (ORDER BY p.height)
  ) AS s
  WHERE g.height = s.height
  AND (g.tx_total, g.size_total, g.max_time) IS DISTINCT FROM (s.tx_total, s.size_total, s.max_time)
  RETURNING g.height
)
SELECT (SELECT max(height) FROM batch) AS last, (SELECT count(*) FROM wrong) AS wrong

-- name: generations.raw_between
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH
    start AS (
      SELECT LEAST($2::bigint, (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1)) - $3::bigint AS height
    ), first AS (
      SELECT height, (SELECT g.tx_total FROM generations AS g WHERE g.height = key_blocks.height) AS tx_total
      FROM key_blocks
      WHERE height <= (SELECT height FROM start) AND height >= $1::bigint
      ORDER BY height DESC
      LIMIT 1
    ), picked AS (
      SELECT k.height, k.body
      FROM first
      CROSS JOIN LATERAL (
        SELECT height, body
        FROM key_block_texts
        WHERE
        height <= first.height
        AND height >= $1::bigint
        AND height > (SELECT height FROM start) - $4::bigint
        ORDER BY height DESC
        LIMIT $4::bigint
      ) AS k
      WHERE k.height = first.height OR $6::bigint >= first.tx_total -
      (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = k.height)
    ), answered AS (
      SELECT
      '{"key_block":{' || (
        SELECT
        string_agg(
          to_json(member.key)::text || ':' ||
          CASE member.key
          WHEN 'nonce' THEN to_json(member.value #>> '{}')::text
          WHEN 'pow' THEN to_json(replace(regexp_replace(member.value::text, '\s', '', 'g'), ',', ', '))::text
          ELSE member.value::text
          END, ','
        ) ||
        CASE WHEN bool_or(member.key = 'nonce') THEN '' ELSE ',"nonce":"0"' END ||
        CASE WHEN bool_or(member.key = 'pow') THEN '' ELSE ',"pow":"[0]"' END
        FROM json_each(k.body::json) AS member) || '},"micro_blocks":[' || COALESCE((
          SELECT string_agg(
            '{"micro_block":{' || (
              SELECT string_agg(to_json(member.key)::text || ':' || member.value::text, ',')
              FROM json_each(m.body::json) AS member
              WHERE member.key <> 'height') || '},"transactions":[' || COALESCE((
                SELECT string_agg(
                  (
                    SELECT '{"block_height":' || substring(m.body FROM '"height":\s*(\d+)') || ',"block_hash":"' || m.hash
                    FROM micro_blocks AS m
                    WHERE m.position = (t.position & (-65536)::bigint)
                  ) ||
                  '","hash":"' || t.hash || '","signatures":' || COALESCE((
                      SELECT to_json(string_agg(s.signature, ' ' ORDER BY s.number))::text
                      FROM (SELECT (left(t.body, t.tx_start - 1) || 'null' || substr(t.body, t.tx_start + t.tx_length))::json -> 'signatures' AS list) AS signed
                      CROSS JOIN LATERAL json_array_elements_text(
                        CASE json_typeof(signed.list) WHEN 'array' THEN signed.list ELSE '[]' END
                      ) WITH ORDINALITY AS s (signature, number)
                    ), 'null') ||
                  ',"tx_type":' || to_json((SELECT y.name FROM types AS y WHERE y.code = t.type))::text ||
                  ',"tx":' || substr(t.body, t.tx_start, t.tx_length) || ',"fee":"' || t.fee || '","size":' || t.size || '}', ',' ORDER BY t.position)
                FROM transactions AS t
                WHERE t.position >= m.position AND t.position < m.position + 65536), '') || ']}',
            ',' ORDER BY m.position
          )
          FROM micro_blocks AS m
          WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591), '') || ']}' AS body
      FROM picked AS k
      ORDER BY k.height DESC
    )
    SELECT '[' || COALESCE(string_agg(answered.body, ','), '') || ']' AS body,
    CASE WHEN EXISTS (
      SELECT 1
      FROM key_blocks
      WHERE
      height < (SELECT min(height) FROM picked)
      AND height >= $1::bigint
      AND height > (SELECT height FROM start) - $5::bigint
    ) THEN CASE WHEN (SELECT count(*) FROM picked) < $4::bigint THEN 'transactions' ELSE 'generations' END END AS cut
    FROM answered) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: generations.rebuild
INSERT INTO generations (height, tx_count, size, fees, tx_total, size_total, max_time)
SELECT s.height, s.tx_count, s.size, s.fees,
COALESCE(base.tx_total, 0) + SUM(s.tx_count) OVER below,
COALESCE(base.size_total, 0) + SUM(s.size) OVER below,
GREATEST(COALESCE(base.max_time, 0), MAX(s.time) OVER below)
FROM (
  SELECT k.height, k.time, COUNT(t.position) AS tx_count, COALESCE(SUM(t.size), 0) AS size, COALESCE(SUM(t.fee), 0) AS fees
  FROM key_blocks k
  LEFT JOIN transactions t ON t.position >= k.height << 33 AND t.position < (k.height + 1) << 33
  WHERE k.height BETWEEN $1 AND $2
  GROUP BY k.height, k.time
) s
LEFT JOIN (
  SELECT tx_total, size_total, max_time FROM generations WHERE height < $1 ORDER BY height DESC LIMIT 1
) base ON true
WINDOW below AS (ORDER BY s.height)

-- name: generations.unstored
DELETE FROM generations WHERE height = $1

-- name: head
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT '{}' AS body) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: heights.at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"height":' || height || '}' AS body
    FROM generations
    WHERE max_time >= $1::bigint
    ORDER BY max_time, height
    LIMIT 1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: heights.before
SELECT height - 1 AS below
FROM generations
WHERE max_time > (SELECT max_time FROM generations WHERE height = $1::bigint) - $2::bigint
ORDER BY max_time, height
LIMIT 1

-- name: held-reorg.accepted
SELECT FROM held_reorg JOIN staged_blocks AS s ON s.hash = accepted WHERE s.owner = $1 AND s.target IS NOT NULL

-- name: held-reorg.hold
INSERT INTO held_reorg (hash, height, depth) VALUES ($1, $2, $3)
ON CONFLICT (one) DO UPDATE SET hash = EXCLUDED.hash, height = EXCLUDED.height, depth = EXCLUDED.depth

-- name: held-reorg.release
DELETE FROM held_reorg

-- name: held.before
SELECT h.* FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
JOIN held AS h ON h.kind = w.kind AND h.id = w.id AND h.position < $3 AND (h.released IS NULL OR h.released >= $3)
UNION
SELECT h.* FROM held AS h
WHERE h.until >= $4 AND h.until < $5 AND h.position < $3 AND (h.released IS NULL OR h.released >= $3)

-- name: held.end-again
UPDATE held AS h SET released = e.released
FROM unnest($1::smallint[], $2::text[], $3::bigint[], $4::bigint[]) AS e (kind, id, position, released)
WHERE h.kind = e.kind AND h.id = e.id AND h.position = e.position AND h.position >= $5 AND h.position < $6 AND h.released IS NULL

-- name: held.ended-above
SELECT kind, id, position, released FROM held WHERE position >= $1 AND position < $2 AND released >= $2

-- name: held.open-again
UPDATE held SET released = NULL WHERE released >= $1 AND released < $2

-- name: held.save
INSERT INTO held (kind, id, position, amount, account, other, until, released)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::bigint[], $4::numeric[], $5::text[], $6::text[], $7::bigint[], $8::bigint[]
)
ON CONFLICT (kind, id, position) DO UPDATE SET released = EXCLUDED.released

-- name: held.undo
DELETE FROM held WHERE position >= $1 AND position < $2

-- name: held.unstored
DELETE FROM held WHERE position >= $1 AND position < $2

-- name: holders.backfill
WITH part AS (SELECT key FROM ledger_ids WHERE key > $1::bigint ORDER BY key LIMIT 20000)
SELECT max(p.key) AS last, refresh_holders(array_agg(p.key)) FROM part AS p

-- name: holders.mend
SELECT refresh_holders(ARRAY(
    SELECT h.account FROM holders AS h LEFT JOIN ledger_ids AS i ON i.key = h.account
    WHERE COALESCE(i.id, h.account::text) = ANY ($1::text[])
    UNION SELECT i.key FROM ledger_ids AS i WHERE i.id = ANY ($1::text[])
))

-- name: holders.richest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT i.id AS account, h.balance, EXISTS (
      SELECT FROM ledger_checks AS v WHERE v.account = h.account AND v.wrong_at IS NULL AND v.height << 33 >= (
        SELECT m.position FROM movement_rows AS m WHERE m.account = h.account ORDER BY m.position DESC, m.index DESC LIMIT 1
      )
    ) AS verified
    FROM (
      SELECT h.account, h.balance FROM holders AS h
      WHERE NOT EXISTS (SELECT FROM backfills AS b WHERE b.projection = 'holders')
      ORDER BY h.balance DESC, h.account DESC LIMIT $1::bigint
    ) AS h
    CROSS JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = h.account LIMIT 1) AS i) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: identity.copy
SELECT id::text FROM marker WHERE product = 'chain-middleware'

-- name: identity.copy-right
SELECT has_table_privilege(to_regclass('marker'), 'SELECT') AS allowed

-- name: infos.delete
DELETE FROM infos WHERE position >= $1 AND position < $2

-- name: infos.insert
INSERT INTO infos (position, body) SELECT * FROM unnest($1::bigint[], $2::text[])

-- name: infos.stored
SELECT i.body FROM infos AS i JOIN transactions AS t ON t.position = i.position
WHERE i.position = $1 AND t.hash = $2

-- name: interval.transactions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT $1::bigint AS p1, $2::bigint AS p2, $3::boolean AS p3, $4::bigint AS p4, $5::bigint AS p5 LIMIT 1) AS asked
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    GREATEST(b.upto - b.below, 0) AS total,
    r.refused,
    '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE
    WHEN page.count = asked.p4::bigint AND EXISTS (
      SELECT FROM transactions AS t WHERE  t.position >= (asked.p1::bigint << 33) AND t.position < page.last
    ) THEN (SELECT t.hash || '-' || t.position FROM transactions AS t WHERE t.position = page.last)
    END AS next
    FROM (SELECT 1) AS types
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height < asked.p1::bigint ORDER BY g.height DESC LIMIT 1), 0) AS below, COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height <= asked.p2::bigint ORDER BY g.height DESC LIMIT 1), 0) AS upto LIMIT 1) AS b
    LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::boolean AND b.upto - b.below > asked.p4::bigint AND LEAST(asked.p2::bigint, head.height) - asked.p1::bigint >= 1000
      AS refused
    ) AS r
    LEFT JOIN LATERAL (
      SELECT g.height, b.upto - asked.p5::bigint - (g.tx_total - g.count) AS ordinal
      FROM (
        SELECT g.height, g.tx_total, g.tx_count AS count
        FROM generations AS g WHERE true AND g.tx_total >= b.upto - asked.p5::bigint AND b.upto - asked.p5::bigint > b.below AND g.tx_count > 0
        ORDER BY g.tx_total
        LIMIT 1
      ) AS g
    ) AS g ON true
    LEFT JOIN LATERAL (
      SELECT m.position + (g.ordinal - (m.upto - m.tx_count)) - 1 AS position
      FROM (
        SELECT position, tx_count, sum(tx_count) OVER (ORDER BY position) AS upto
        FROM micro_blocks
        WHERE position > (g.height << 33) AND position <= (g.height << 33) + 8589934591
      ) AS m
      WHERE m.upto >= g.ordinal
      ORDER BY m.position
      LIMIT 1) AS start ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.position
        FROM transactions AS t
        WHERE  t.position >= (asked.p1::bigint << 33) AND t.position <= start.position AND NOT r.refused
        ORDER BY t.position DESC
        LIMIT asked.p4::bigint
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: interval.transactions.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT $1::bigint AS p1, $2::bigint AS p2, $3::boolean AS p3, $4::bigint AS p4, $5::text AS p5, $6::bigint AS p6 LIMIT 1) AS asked
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    GREATEST(b.upto - b.below, 0) AS total,
    r.refused,
    '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE
    WHEN page.count = asked.p4::bigint AND EXISTS (
      SELECT FROM transactions AS t WHERE  t.position >= (asked.p1::bigint << 33) AND t.position < page.last
    ) THEN (SELECT t.hash || '-' || t.position FROM transactions AS t WHERE t.position = page.last)
    END AS next
    FROM (SELECT 1) AS types
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height < asked.p1::bigint ORDER BY g.height DESC LIMIT 1), 0) AS below, COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height <= asked.p2::bigint ORDER BY g.height DESC LIMIT 1), 0) AS upto LIMIT 1) AS b
    LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::boolean AND b.upto - b.below > asked.p4::bigint AND LEAST(asked.p2::bigint, head.height) - asked.p1::bigint >= 1000
      AS refused
    ) AS r
    CROSS JOIN LATERAL (
      SELECT LEAST(COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = asked.p5), asked.p6::bigint) - 1, (asked.p2::bigint << 33) + ((1::bigint << 33) - 1)) AS position LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.position
        FROM transactions AS t
        WHERE  t.position >= (asked.p1::bigint << 33) AND t.position <= start.position AND NOT r.refused
        ORDER BY t.position DESC
        LIMIT asked.p4::bigint
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: interval.transactions.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::bigint[]), (SELECT $2::bigint[]), (SELECT $3::boolean[]), (SELECT $4::bigint[]), (SELECT $5::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, p5, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    GREATEST(b.upto - b.below, 0) AS total,
    r.refused,
    '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE
    WHEN page.count = asked.p4::bigint AND EXISTS (
      SELECT FROM transactions AS t WHERE  t.position >= (asked.p1::bigint << 33) AND t.position < page.last
    ) THEN (SELECT t.hash || '-' || t.position FROM transactions AS t WHERE t.position = page.last)
    END AS next
    FROM (SELECT 1) AS types
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height < asked.p1::bigint ORDER BY g.height DESC LIMIT 1), 0) AS below, COALESCE((SELECT g.tx_total FROM generations AS g WHERE true AND g.height <= asked.p2::bigint ORDER BY g.height DESC LIMIT 1), 0) AS upto LIMIT 1) AS b
    LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::boolean AND b.upto - b.below > asked.p4::bigint AND LEAST(asked.p2::bigint, head.height) - asked.p1::bigint >= 1000
      AS refused
    ) AS r
    LEFT JOIN LATERAL (
      SELECT g.height, b.upto - asked.p5::bigint - (g.tx_total - g.count) AS ordinal
      FROM (
        SELECT g.height, g.tx_total, g.tx_count AS count
        FROM generations AS g WHERE true AND g.tx_total >= b.upto - asked.p5::bigint AND b.upto - asked.p5::bigint > b.below AND g.tx_count > 0
        ORDER BY g.tx_total
        LIMIT 1
      ) AS g
    ) AS g ON true
    LEFT JOIN LATERAL (
      SELECT m.position + (g.ordinal - (m.upto - m.tx_count)) - 1 AS position
      FROM (
        SELECT position, tx_count, sum(tx_count) OVER (ORDER BY position) AS upto
        FROM micro_blocks
        WHERE position > (g.height << 33) AND position <= (g.height << 33) + 8589934591
      ) AS m
      WHERE m.upto >= g.ordinal
      ORDER BY m.position
      LIMIT 1) AS start ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.position
        FROM transactions AS t
        WHERE  t.position >= (asked.p1::bigint << 33) AND t.position <= start.position AND NOT r.refused
        ORDER BY t.position DESC
        LIMIT asked.p4::bigint
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: interval.transactions_by_type
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT $1::bigint AS p1, $2::bigint AS p2, $3::boolean AS p3, $4::bigint AS p4, $5::bigint AS p5, $6::text[] AS p6 LIMIT 1) AS asked
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    GREATEST(b.upto - b.below, 0) AS total,
    r.refused,
    '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE
    WHEN page.count = asked.p4::bigint AND EXISTS (
      SELECT FROM transactions AS t WHERE t.type = types.type AND t.position >= (asked.p1::bigint << 33) AND t.position < page.last
    ) THEN (SELECT t.hash || '-' || t.position FROM transactions AS t WHERE t.position = page.last)
    END AS next
    FROM (SELECT (SELECT code FROM types WHERE lower(name) = ANY (asked.p6::text[]) ORDER BY code LIMIT 1) AS type LIMIT 1) AS types
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT g.total FROM generation_types AS g WHERE g.type = types.type AND g.height < asked.p1::bigint ORDER BY g.height DESC LIMIT 1), 0) AS below, COALESCE((SELECT g.total FROM generation_types AS g WHERE g.type = types.type AND g.height <= asked.p2::bigint ORDER BY g.height DESC LIMIT 1), 0) AS upto LIMIT 1) AS b
    LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::boolean AND b.upto - b.below > asked.p4::bigint AND LEAST(asked.p2::bigint, head.height) - asked.p1::bigint >= 1000
      AS refused
    ) AS r
    LEFT JOIN LATERAL (
      SELECT g.height, b.upto - asked.p5::bigint - (g.total - g.count) AS ordinal
      FROM (
        SELECT g.height, g.total, g.count AS count
        FROM generation_types AS g WHERE g.type = types.type AND g.total >= b.upto - asked.p5::bigint AND b.upto - asked.p5::bigint > b.below
        ORDER BY g.total
        LIMIT 1
      ) AS g
    ) AS g ON true
    LEFT JOIN LATERAL (
      SELECT t.position
      FROM (
        SELECT position, row_number() OVER (ORDER BY position) AS ordinal
        FROM transactions
        WHERE type = types.type AND position > (g.height << 33) AND position <= (g.height << 33) + 8589934591
      ) AS t
      WHERE t.ordinal = g.ordinal) AS start ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.position
        FROM transactions AS t
        WHERE t.type = types.type AND t.position >= (asked.p1::bigint << 33) AND t.position <= start.position AND NOT r.refused
        ORDER BY t.position DESC
        LIMIT asked.p4::bigint
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: interval.transactions_by_type.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT $1::bigint AS p1, $2::bigint AS p2, $3::boolean AS p3, $4::bigint AS p4, $5::text AS p5, $6::bigint AS p6, $7::text[] AS p7 LIMIT 1) AS asked
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    GREATEST(b.upto - b.below, 0) AS total,
    r.refused,
    '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE
    WHEN page.count = asked.p4::bigint AND EXISTS (
      SELECT FROM transactions AS t WHERE t.type = types.type AND t.position >= (asked.p1::bigint << 33) AND t.position < page.last
    ) THEN (SELECT t.hash || '-' || t.position FROM transactions AS t WHERE t.position = page.last)
    END AS next
    FROM (SELECT (SELECT code FROM types WHERE lower(name) = ANY (asked.p7::text[]) ORDER BY code LIMIT 1) AS type LIMIT 1) AS types
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT g.total FROM generation_types AS g WHERE g.type = types.type AND g.height < asked.p1::bigint ORDER BY g.height DESC LIMIT 1), 0) AS below, COALESCE((SELECT g.total FROM generation_types AS g WHERE g.type = types.type AND g.height <= asked.p2::bigint ORDER BY g.height DESC LIMIT 1), 0) AS upto LIMIT 1) AS b
    LEFT JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::boolean AND b.upto - b.below > asked.p4::bigint AND LEAST(asked.p2::bigint, head.height) - asked.p1::bigint >= 1000
      AS refused
    ) AS r
    CROSS JOIN LATERAL (
      SELECT LEAST(COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = asked.p5), asked.p6::bigint) - 1, (asked.p2::bigint << 33) + ((1::bigint << 33) - 1)) AS position LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, min(item.position) AS last, count(*) AS count
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.position
        FROM transactions AS t
        WHERE t.type = types.type AND t.position >= (asked.p1::bigint << 33) AND t.position <= start.position AND NOT r.refused
        ORDER BY t.position DESC
        LIMIT asked.p4::bigint
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: key_blocks.delete
DELETE FROM key_blocks WHERE height >= (($1::bigint + 8589934591) >> 33) AND height < (($2::bigint + 8589934591) >> 33)

-- name: key_blocks.insert
INSERT INTO key_blocks (height, hash, prev_hash, prev_key_hash, beneficiary, time, version, target, body)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::int[],
  $8::bigint[], $9::text[])

-- name: key_blocks.unstored
SELECT h.height FROM unnest($1::bigint[]) AS h (height)
WHERE NOT EXISTS (SELECT FROM key_blocks AS k WHERE k.height = h.height)

-- name: lease.fence-beside-writer
SELECT epoch FROM writer FOR UPDATE

-- name: lease.fence-beside-writer-of-lists
UPDATE writer SET revision = revision + 1

-- name: lease.holder
SELECT holder FROM writer

-- name: lease.lock
SELECT pg_try_advisory_lock(hashtextextended('mdw writer ' || current_schema(), 0)) AS locked

-- name: lease.locked
UPDATE writer SET locked = true WHERE epoch = $1

-- name: lease.release
UPDATE writer SET ends_at = '-infinity' WHERE holder = $1 AND epoch = $2

-- name: lease.renew
UPDATE writer SET ends_at = clock_timestamp() + make_interval(secs => $3)
WHERE holder = $1 AND epoch = $2

-- name: lease.take
UPDATE writer
SET holder = $1, epoch = epoch + 1, ends_at = clock_timestamp() + make_interval(secs => $2), locked = $3
WHERE ($3 AND locked) OR ends_at < clock_timestamp()
RETURNING epoch

-- name: ledger.balance
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT b.position >> 33 AS height, b.hash AS block_hash,
    COALESCE((
        SELECT m.balance FROM movement_rows AS m WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position <= b.last
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) AS balance, EXISTS (
      SELECT FROM ledger_checks AS v WHERE v.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND v.height << 33 >= b.last
    ) AS verified,
    '"complete":' || CASE WHEN u.position <= b.last THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END AS rest
    FROM (
      SELECT * FROM (
        (SELECT m.hash, m.time, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.position <= $2::bigint ORDER BY m.position DESC LIMIT 1)
        UNION ALL (
          SELECT k.hash, k.time, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height <= $2::bigint >> 33 ORDER BY k.height DESC LIMIT 1
        )
      ) AS b ORDER BY b.position DESC LIMIT 1
    ) AS b CROSS JOIN (
      SELECT LEAST(
        (SELECT min(g.position) FROM ledger_gaps AS g),
        (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
        (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
        CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
        THEN ((d.position >> 33) + 1) << 33 END
      ) AS position
      FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
      OFFSET 0) AS u) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.balance.block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT b.position >> 33 AS height, b.hash AS block_hash,
    COALESCE((
        SELECT m.balance FROM movement_rows AS m WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position <= b.last
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) AS balance, EXISTS (
      SELECT FROM ledger_checks AS v WHERE v.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND v.height << 33 >= b.last
    ) AS verified,
    '"complete":' || CASE WHEN u.position <= b.last THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END AS rest
    FROM (
      SELECT m.hash, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.hash = $2
      UNION ALL SELECT k.hash, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.hash = $2
    ) AS b CROSS JOIN (
      SELECT LEAST(
        (SELECT min(g.position) FROM ledger_gaps AS g),
        (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
        (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
        CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
        THEN ((d.position >> 33) + 1) << 33 END
      ) AS position
      FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
      OFFSET 0) AS u) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.balance.height
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT b.position >> 33 AS height, b.hash AS block_hash,
    COALESCE((
        SELECT m.balance FROM movement_rows AS m WHERE m.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND m.position <= b.last
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) AS balance, EXISTS (
      SELECT FROM ledger_checks AS v WHERE v.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AND v.height << 33 >= b.last
    ) AS verified,
    '"complete":' || CASE WHEN u.position <= b.last THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END AS rest
    FROM (SELECT k.hash, k.height << 33 AS position, k.height << 33 AS last FROM key_blocks AS k WHERE k.height = $2::bigint) AS b CROSS JOIN (
      SELECT LEAST(
        (SELECT min(g.position) FROM ledger_gaps AS g),
        (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
        (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
        CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
        THEN ((d.position >> 33) + 1) << 33 END
      ) AS position
      FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
      OFFSET 0) AS u) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.begin
INSERT INTO ledger (position, network_id, reward_delay, lists_rewards) VALUES (-1, $1, $2::int, $3)
ON CONFLICT (one) DO UPDATE
SET position = -1, network_id = EXCLUDED.network_id, reward_delay = EXCLUDED.reward_delay, lists_rewards = EXCLUDED.lists_rewards

-- name: ledger.cut
UPDATE ledger SET position = GREATEST(
  (SELECT COALESCE(max(position), -1) FROM micro_blocks WHERE position < $1),
  (SELECT COALESCE(max(height) << 33, -1) FROM key_blocks WHERE height < ($1 + (1::bigint << 33) - 1) >> 33)
)

-- name: ledger.extend
UPDATE ledger SET position = $1

-- name: ledger.first-due
SELECT min(position) AS position FROM due_infos WHERE position > $1

-- name: ledger.is-behind
SELECT l.position < GREATEST((SELECT max(position) FROM micro_blocks), (SELECT max(height) << 33 FROM key_blocks))
OR EXISTS (SELECT FROM ledger_rewrites) AS behind
FROM ledger AS l

-- name: ledger.key-blocks
SELECT height, beneficiary, version FROM key_blocks WHERE height >= $1 AND height < $2 AND height << 33 <= $3 ORDER BY height

-- name: ledger.lock
SELECT position, network_id, reward_delay, lists_rewards FROM ledger FOR UPDATE

-- name: ledger.mend
UPDATE ledger SET position = $1

-- name: ledger.micro-blocks
SELECT position, tx_count, body FROM micro_blocks WHERE position >= $1 AND position < $2 AND position <= $3 ORDER BY position

-- name: ledger.new-info
SELECT m.position FROM ledger_gaps AS g
CROSS JOIN LATERAL (SELECT FROM infos AS i WHERE i.position = g.position LIMIT 1) AS i
CROSS JOIN LATERAL (SELECT position FROM micro_blocks WHERE position <= g.position ORDER BY position DESC LIMIT 1) AS m
WHERE g.gaps & 2 <> 0 ORDER BY g.position LIMIT 1

-- name: ledger.next-heights
SELECT height FROM key_blocks WHERE height >= $1 ORDER BY height LIMIT $2

-- name: ledger.next-micro-blocks
SELECT position, tx_count FROM micro_blocks WHERE position > $1 AND position < $2 ORDER BY position LIMIT $3

-- name: ledger.page
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH looked_at AS (
      SELECT m.* FROM (
        SELECT r.* FROM movement_rows AS r
        WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position >= $4::bigint AND $4::bigint <= $5::bigint
        AND (r.position, r.index) <= ($2::bigint, $3::int)
        ORDER BY r.position DESC, r.index DESC LIMIT $6::bigint + 1
      ) AS r
      CROSS JOIN LATERAL (
        VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
        (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
      ) AS m (position, index, kind, amount, balance, counterparty, from_node)
      WHERE m.amount IS NOT NULL AND (m.position, m.index) < ($2::bigint, $3::int)
      ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint)
    SELECT '"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $6::bigint), '') || '],' ||
    (SELECT
      '"complete":' || CASE WHEN u.position <= $5::bigint THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END FROM (
        SELECT LEAST(
          (SELECT min(g.position) FROM ledger_gaps AS g),
          (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
          (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
          CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
          THEN ((d.position >> 33) + 1) << 33 END
        ) AS position
        FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
        OFFSET 0) AS u) AS body,
    CASE WHEN count(*) = $6::bigint THEN max(page.place) FILTER (WHERE page.number = $6::bigint - 1)
    END AS next
    FROM (
      SELECT m.number, m.position || '.' || m.index AS place,
      '{"height":' || (m.position >> 33) || ',"time":' || COALESCE(b.time, k.time) || ',"block_hash":"' || COALESCE(b.hash, k.hash) ||
      '","transaction_hash":' || COALESCE('"' || t.hash || '"', 'null') || ',"kind":"' || (CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END) || '","amount":' || m.amount ||
      ',"balance":' || m.balance || ',"counterparty":' || COALESCE('"' || c.id || '"', 'null') || ',"source":"' || CASE WHEN m.from_node THEN 'node' ELSE 'chain' END || '"}' AS body
      FROM (SELECT m.*, row_number() OVER (ORDER BY m.position DESC, m.index DESC) AS number FROM (SELECT * FROM looked_at) AS m) AS m
      LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
      LEFT JOIN LATERAL (
        SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
      ) AS b ON true
      LEFT JOIN LATERAL (
        SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
      ) AS k ON true
      ORDER BY m.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.page.kinds
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH looked_at AS (
      SELECT m.* FROM (
        SELECT r.* FROM movement_rows AS r
        WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position >= $4::bigint AND $4::bigint <= $5::bigint
        AND (r.position, r.index) <= ($2::bigint, $3::int)
        ORDER BY r.position DESC, r.index DESC LIMIT $6::bigint + 1
      ) AS r
      CROSS JOIN LATERAL (
        VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
        (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
      ) AS m (position, index, kind, amount, balance, counterparty, from_node)
      WHERE m.amount IS NOT NULL AND (m.position, m.index) < ($2::bigint, $3::int)
      ORDER BY m.position DESC, m.index DESC LIMIT $6::bigint)
    SELECT '"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $7::bigint), '') || '],' ||
    (SELECT
      '"complete":' || CASE WHEN u.position <= $5::bigint THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END FROM (
        SELECT LEAST(
          (SELECT min(g.position) FROM ledger_gaps AS g),
          (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
          (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
          CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
          THEN ((d.position >> 33) + 1) << 33 END
        ) AS position
        FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
        OFFSET 0) AS u) AS body,
    CASE WHEN count(*) = $7::bigint THEN max(page.place) FILTER (WHERE page.number = $7::bigint - 1)
    WHEN (SELECT count(*) FROM looked_at) = $6::bigint THEN (
      SELECT m.position || '.' || m.index FROM looked_at AS m ORDER BY m.position, m.index LIMIT 1) END AS next
    FROM (
      SELECT m.number, m.position || '.' || m.index AS place,
      '{"height":' || (m.position >> 33) || ',"time":' || COALESCE(b.time, k.time) || ',"block_hash":"' || COALESCE(b.hash, k.hash) ||
      '","transaction_hash":' || COALESCE('"' || t.hash || '"', 'null') || ',"kind":"' || (CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END) || '","amount":' || m.amount ||
      ',"balance":' || m.balance || ',"counterparty":' || COALESCE('"' || c.id || '"', 'null') || ',"source":"' || CASE WHEN m.from_node THEN 'node' ELSE 'chain' END || '"}' AS body
      FROM (SELECT m.*, row_number() OVER (ORDER BY m.position DESC, m.index DESC) AS number FROM (SELECT * FROM looked_at AS m WHERE m.kind = ANY($8::int[]) ORDER BY m.position DESC, m.index DESC LIMIT $7::bigint) AS m) AS m
      LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
      LEFT JOIN LATERAL (
        SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
      ) AS b ON true
      LEFT JOIN LATERAL (
        SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
      ) AS k ON true
      ORDER BY m.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.page.kinds.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH looked_at AS (
      SELECT m.* FROM (
        SELECT r.* FROM movement_rows AS r
        WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position <= $5::bigint AND $4::bigint <= $5::bigint
        AND (r.position, r.index) >= ($2::bigint, $3::int)
        ORDER BY r.position, r.index LIMIT $6::bigint + 1
      ) AS r
      CROSS JOIN LATERAL (
        VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
        (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
      ) AS m (position, index, kind, amount, balance, counterparty, from_node)
      WHERE m.amount IS NOT NULL AND (m.position, m.index) > ($2::bigint, $3::int)
      ORDER BY m.position, m.index LIMIT $6::bigint)
    SELECT '"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $7::bigint), '') || '],' ||
    (SELECT
      '"complete":' || CASE WHEN u.position <= $5::bigint THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END FROM (
        SELECT LEAST(
          (SELECT min(g.position) FROM ledger_gaps AS g),
          (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
          (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
          CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
          THEN ((d.position >> 33) + 1) << 33 END
        ) AS position
        FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
        OFFSET 0) AS u) AS body,
    CASE WHEN count(*) = $7::bigint THEN max(page.place) FILTER (WHERE page.number = $7::bigint - 1)
    WHEN (SELECT count(*) FROM looked_at) = $6::bigint THEN (
      SELECT m.position || '.' || m.index FROM looked_at AS m ORDER BY m.position DESC, m.index DESC LIMIT 1) END AS next
    FROM (
      SELECT m.number, m.position || '.' || m.index AS place,
      '{"height":' || (m.position >> 33) || ',"time":' || COALESCE(b.time, k.time) || ',"block_hash":"' || COALESCE(b.hash, k.hash) ||
      '","transaction_hash":' || COALESCE('"' || t.hash || '"', 'null') || ',"kind":"' || (CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END) || '","amount":' || m.amount ||
      ',"balance":' || m.balance || ',"counterparty":' || COALESCE('"' || c.id || '"', 'null') || ',"source":"' || CASE WHEN m.from_node THEN 'node' ELSE 'chain' END || '"}' AS body
      FROM (SELECT m.*, row_number() OVER (ORDER BY m.position, m.index) AS number FROM (SELECT * FROM looked_at AS m WHERE m.kind = ANY($8::int[]) ORDER BY m.position, m.index LIMIT $7::bigint) AS m) AS m
      LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
      LEFT JOIN LATERAL (
        SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
      ) AS b ON true
      LEFT JOIN LATERAL (
        SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
      ) AS k ON true
      ORDER BY m.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.page.oldest
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH looked_at AS (
      SELECT m.* FROM (
        SELECT r.* FROM movement_rows AS r
        WHERE r.account = (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1) AND r.position <= $5::bigint AND $4::bigint <= $5::bigint
        AND (r.position, r.index) >= ($2::bigint, $3::int)
        ORDER BY r.position, r.index LIMIT $6::bigint + 1
      ) AS r
      CROSS JOIN LATERAL (
        VALUES (r.position, r.index::int, abs(r.kind)::int, r.amount, r.balance, r.counterparty, r.kind < 0),
        (r.position, r.index - 1, 2, r.fee, r.balance - r.amount, NULL, false)
      ) AS m (position, index, kind, amount, balance, counterparty, from_node)
      WHERE m.amount IS NOT NULL AND (m.position, m.index) > ($2::bigint, $3::int)
      ORDER BY m.position, m.index LIMIT $6::bigint)
    SELECT '"rows":[' || COALESCE(string_agg(page.body, ',') FILTER (WHERE page.number < $6::bigint), '') || '],' ||
    (SELECT
      '"complete":' || CASE WHEN u.position <= $5::bigint THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END FROM (
        SELECT LEAST(
          (SELECT min(g.position) FROM ledger_gaps AS g),
          (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
          (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
          CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
          THEN ((d.position >> 33) + 1) << 33 END
        ) AS position
        FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
        OFFSET 0) AS u) AS body,
    CASE WHEN count(*) = $6::bigint THEN max(page.place) FILTER (WHERE page.number = $6::bigint - 1)
    END AS next
    FROM (
      SELECT m.number, m.position || '.' || m.index AS place,
      '{"height":' || (m.position >> 33) || ',"time":' || COALESCE(b.time, k.time) || ',"block_hash":"' || COALESCE(b.hash, k.hash) ||
      '","transaction_hash":' || COALESCE('"' || t.hash || '"', 'null') || ',"kind":"' || (CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END) || '","amount":' || m.amount ||
      ',"balance":' || m.balance || ',"counterparty":' || COALESCE('"' || c.id || '"', 'null') || ',"source":"' || CASE WHEN m.from_node THEN 'node' ELSE 'chain' END || '"}' AS body
      FROM (SELECT m.*, row_number() OVER (ORDER BY m.position, m.index) AS number FROM (SELECT * FROM looked_at) AS m) AS m
      LEFT JOIN LATERAL (SELECT i.id FROM ledger_ids AS i WHERE i.key = m.counterparty LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (SELECT t.hash FROM transactions AS t WHERE t.position = m.position LIMIT 1) AS t ON true
      LEFT JOIN LATERAL (
        SELECT b.hash, b.time FROM micro_blocks AS b WHERE b.position = (m.position & (-65536)::bigint) LIMIT 1
      ) AS b ON true
      LEFT JOIN LATERAL (
        SELECT k.hash, k.time FROM key_blocks AS k WHERE k.height = m.position >> 33 AND k.height << 33 = m.position LIMIT 1
      ) AS k ON true
      ORDER BY m.number
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.place
WITH micro AS (
  SELECT position, position + GREATEST(tx_count, 1) AS after FROM micro_blocks WHERE position <= $1 ORDER BY position DESC LIMIT 1
), key AS (
  SELECT height << 33 AS position, (height << 33) + 1 AS after FROM key_blocks WHERE height <= $1 >> 33 ORDER BY height DESC LIMIT 1
), blocks AS (SELECT * FROM micro UNION ALL SELECT * FROM key)
SELECT COALESCE(max(position), -1) AS block, COALESCE(max(after), 0) AS end FROM blocks

-- name: ledger.read
SELECT position, network_id, reward_delay, lists_rewards FROM ledger

-- name: ledger.statement
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH own AS (SELECT (SELECT i.key FROM ledger_ids AS i WHERE i.id = $1::text) AS key), sums AS (
      SELECT abs(r.kind) AS kind, count(*) AS count, COALESCE(sum(r.amount) FILTER (WHERE r.amount > 0), 0) AS received,
      COALESCE(sum(r.amount) FILTER (WHERE r.amount < 0), 0) AS paid, count(r.fee) AS fees, COALESCE(sum(r.fee), 0) AS fee
      FROM movement_rows AS r
      WHERE r.account = (SELECT own.key FROM own) AND r.position BETWEEN $2::bigint AND $3::bigint
      GROUP BY abs(r.kind)
    )
    SELECT '"opening":{"balance":' || COALESCE((
        SELECT m.balance FROM movement_rows AS m WHERE m.account = own.key AND m.position <= $2::bigint - 1
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) || ',"after":' ||
    COALESCE('{"height":' || (opening.position >> 33) || ',"time":' || opening.time || ',"block_hash":"' || opening.hash || '"}', 'null') ||
    '},"closing":{"balance":' || COALESCE((
        SELECT m.balance FROM movement_rows AS m WHERE m.account = own.key AND m.position <= $3::bigint
        ORDER BY m.position DESC, m.index DESC LIMIT 1
      ), 0) || ',"after":' ||
    COALESCE('{"height":' || (closing.position >> 33) || ',"time":' || closing.time || ',"block_hash":"' || closing.hash || '"}', 'null') ||
    '},"kinds":[' || COALESCE(kinds.body, '') || '],' ||
    '"complete":' || CASE WHEN u.position <= $3::bigint THEN 'false,"incomplete_since":' || (u.position >> 33) ELSE 'true' END AS body
    FROM own
    CROSS JOIN (
      SELECT LEAST(
        (SELECT min(g.position) FROM ledger_gaps AS g),
        (SELECT min(r.height) FROM ledger_rewrites AS r) << 33,
        (SELECT min(b.position) FROM micro_blocks AS b WHERE b.position > d.position),
        CASE WHEN (SELECT max(b.position) FROM micro_blocks AS b) > d.position OR (SELECT max(k.height) FROM key_blocks AS k) << 33 > d.position
        THEN ((d.position >> 33) + 1) << 33 END
      ) AS position
      FROM (SELECT COALESCE((SELECT position FROM ledger WHERE one), -1) AS position) AS d
      OFFSET 0) AS u
    LEFT JOIN (
      SELECT * FROM (
        (SELECT m.hash, m.time, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.position <= $2::bigint - 1 ORDER BY m.position DESC LIMIT 1)
        UNION ALL (
          SELECT k.hash, k.time, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height <= $2::bigint - 1 >> 33 ORDER BY k.height DESC LIMIT 1
        )
      ) AS b ORDER BY b.position DESC LIMIT 1
    ) AS opening ON true
    LEFT JOIN (
      SELECT * FROM (
        (SELECT m.hash, m.time, m.position, m.position | 65535 AS last FROM micro_blocks AS m WHERE m.position <= $3::bigint ORDER BY m.position DESC LIMIT 1)
        UNION ALL (
          SELECT k.hash, k.time, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height <= $3::bigint >> 33 ORDER BY k.height DESC LIMIT 1
        )
      ) AS b ORDER BY b.position DESC LIMIT 1
    ) AS closing ON true
    CROSS JOIN LATERAL (
      SELECT string_agg(
        '{"kind":"' || (CASE m.kind WHEN 1 THEN 'spend' WHEN 2 THEN 'fee' WHEN 3 THEN 'gas' WHEN 4 THEN 'call' WHEN 5 THEN 'deposit' WHEN 6 THEN 'payment' WHEN 7 THEN 'name_fee' WHEN 8 THEN 'bid' WHEN 9 THEN 'bid_refund' WHEN 10 THEN 'lock' WHEN 11 THEN 'oracle_fee' WHEN 12 THEN 'oracle_reward' WHEN 13 THEN 'oracle_refund' WHEN 14 THEN 'channel_open' WHEN 15 THEN 'channel_deposit' WHEN 16 THEN 'channel_withdraw' WHEN 17 THEN 'channel_close' WHEN 18 THEN 'channel_settle' WHEN 19 THEN 'reward' WHEN 20 THEN 'treasury' WHEN 21 THEN 'preset' WHEN 22 THEN 'unexplained' END) || '","count":' || m.count || ',"in":' || m.received || ',"out":' || m.paid || '}', ',' ORDER BY m.kind
      ) AS body
      FROM (
        SELECT both_sums.kind, sum(both_sums.count) AS count, sum(both_sums.received) AS received, sum(both_sums.paid) AS paid
        FROM (
          SELECT s.kind, s.count, s.received, s.paid FROM sums AS s
          UNION ALL SELECT 2, sum(s.fees), 0, sum(s.fee) FROM sums AS s HAVING sum(s.fees) > 0
        ) AS both_sums
        GROUP BY both_sums.kind
      ) AS m
    ) AS kinds) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: ledger.transactions
SELECT t.position, t.body, i.body AS info FROM transactions AS t LEFT JOIN infos AS i ON i.position = t.position
WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position

-- name: ledger_checks.balance
SELECT b.hash, b.position, b.end,
COALESCE((
    SELECT m.balance FROM movement_rows AS m WHERE m.account = $1 AND m.position <= b.end ORDER BY m.position DESC, m.index DESC LIMIT 1
  ), 0) AS balance
FROM (SELECT k.hash, k.height << 33 AS position, k.height << 33 AS end FROM key_blocks AS k WHERE k.height = $2) AS b
CROSS JOIN ledger AS l WHERE l.position >= b.position

-- name: ledger_checks.balances
SELECT b.hash, b.position, b.end,
COALESCE((
    SELECT m.balance FROM movement_rows AS m WHERE m.account = $1 AND m.position <= b.end ORDER BY m.position DESC, m.index DESC LIMIT 1
  ), 0) AS balance
FROM (
  SELECT m.hash, m.position, m.position + GREATEST(m.tx_count, 1) - 1 AS end FROM micro_blocks AS m
  WHERE m.position >= $2 AND m.position < $3
  UNION ALL SELECT k.hash, k.height << 33, k.height << 33 FROM key_blocks AS k WHERE k.height = $3::bigint >> 33
) AS b ORDER BY b.position

-- name: ledger_checks.count
SELECT count(*) FILTER (WHERE wrong_at IS NULL AND height >= 0) AS verified, count(wrong_at) AS wrong, min(wrong_at) AS oldest
FROM ledger_checks

-- name: ledger_checks.cut
UPDATE ledger_checks SET height = ($1::bigint >> 33) - 1, wrong_at = CASE WHEN wrong_at << 33 < $1 THEN wrong_at END
WHERE height >= $1::bigint >> 33

-- name: ledger_checks.gap
SELECT (position >> 33) + 1 AS height FROM ledger_gaps
WHERE position >= $1 AND gaps & 7 <> 0 ORDER BY position LIMIT 1

-- name: ledger_checks.next
SELECT i.key, i.id, COALESCE(c.height, -1) AS height, c.wrong_at IS NOT NULL AS "isWrong" FROM ledger_ids AS i LEFT JOIN ledger_checks AS c ON c.account = i.key
WHERE i.key > $1 AND EXISTS (SELECT FROM movement_rows AS m WHERE m.account = i.key)
ORDER BY i.key LIMIT $2

-- name: ledger_checks.save
INSERT INTO ledger_checks (account, height, wrong_at)
SELECT c.account, CASE WHEN c.wrong_at IS NULL THEN c.height ELSE c.wrong_at - 1 END, c.wrong_at
FROM unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[]) AS c (account, height, hash, wrong_at)
JOIN key_blocks AS k ON k.height = c.height AND k.hash = c.hash
JOIN ledger AS l ON l.position >= c.height << 33
ON CONFLICT (account) DO UPDATE SET height = EXCLUDED.height, wrong_at = EXCLUDED.wrong_at

-- name: ledger_corrections.between
SELECT position, account, amount FROM ledger_corrections WHERE position >= $1 AND position < $2 ORDER BY position, account

-- name: ledger_corrections.insert
INSERT INTO ledger_corrections AS c (position, account, amount)
SELECT $1::bigint, $2, $3::numeric WHERE EXISTS (SELECT FROM micro_blocks WHERE position = $4 AND hash = $5)
OR EXISTS (SELECT FROM key_blocks WHERE height = $4::bigint >> 33 AND hash = $5)
ON CONFLICT (position, account) DO UPDATE SET amount = c.amount + EXCLUDED.amount RETURNING position

-- name: ledger_corrections.undo
DELETE FROM ledger_corrections WHERE position >= $1 AND position < $2

-- name: ledger_corrections.unstored
DELETE FROM ledger_corrections WHERE position >= $1 AND position < $2

-- name: ledger_gaps.insert
INSERT INTO ledger_gaps (position, gaps) SELECT * FROM unnest($1::bigint[], $2::smallint[])

-- name: ledger_gaps.undo
DELETE FROM ledger_gaps WHERE position >= $1 AND position < $2

-- name: ledger_gaps.unstored
DELETE FROM ledger_gaps WHERE position >= $1 AND position < $2

-- name: ledger_ids.insert
INSERT INTO ledger_ids (id) SELECT w.id FROM unnest($1::text[]) AS w (id)
WHERE NOT EXISTS (SELECT FROM ledger_ids AS i WHERE i.id = w.id)

-- name: ledger_questions.again
INSERT INTO ledger_questions (height, state, attempts, due_at)
SELECT DISTINCT height, 'contradicts', 10, now() + interval '1 hour' FROM unnest($1::bigint[]) AS u (height)
ON CONFLICT DO NOTHING

-- name: ledger_questions.count
SELECT state, count(*) AS count FROM ledger_questions GROUP BY state

-- name: ledger_questions.due
SELECT q.height, l.network_id AS "networkId", k.hash, n.hash AS "nextHash", k.version, q.attempts
FROM ledger_questions AS q
JOIN key_blocks AS k ON k.height = q.height
JOIN key_blocks AS n ON n.height = q.height + 1
CROSS JOIN ledger AS l
WHERE q.due_at <= now()
ORDER BY q.attempts > 0, q.height LIMIT $1

-- name: ledger_questions.first
SELECT min(height) AS height FROM ledger_questions WHERE attempts = 0

-- name: ledger_questions.insert
INSERT INTO ledger_questions (height)
SELECT q.height FROM (
  SELECT CASE WHEN g.position & (1::bigint << 33) - 1 = 0 THEN (g.position >> 33) - 1 ELSE g.position >> 33 END AS height
  FROM ledger_gaps AS g CROSS JOIN ledger AS l
  WHERE g.gaps & CASE WHEN l.lists_rewards THEN 127 ELSE 63 END <> 0 AND g.position BETWEEN $1 AND $2
  UNION
  SELECT k.height - 1 FROM key_blocks AS k
  WHERE k.height << 33 BETWEEN $1 AND $2 AND k.height BETWEEN $1::bigint >> 33 AND $2::bigint >> 33
  AND (SELECT sum(u.amount) FROM unseen_held AS u WHERE u.position < k.height << 33) <> 0
) AS q
WHERE
q.height >= 0 AND EXISTS (SELECT FROM key_blocks AS k WHERE k.height = q.height + 1)
AND NOT EXISTS (
  SELECT FROM node_money AS t JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash WHERE t.height = q.height
)
ON CONFLICT DO NOTHING

-- name: ledger_questions.insert-all
INSERT INTO ledger_questions (height) SELECT DISTINCT q.height FROM (
  SELECT CASE WHEN g.position & (1::bigint << 33) - 1 = 0 THEN (g.position >> 33) - 1 ELSE g.position >> 33 END AS height
  FROM ledger_gaps AS g CROSS JOIN ledger AS l
  WHERE g.gaps & CASE WHEN l.lists_rewards THEN 127 ELSE 63 END <> 0) AS q WHERE
q.height >= 0 AND EXISTS (SELECT FROM key_blocks AS k WHERE k.height = q.height + 1)
AND NOT EXISTS (
  SELECT FROM node_money AS t JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash WHERE t.height = q.height
) ON CONFLICT DO NOTHING

-- name: ledger_questions.mismatch
INSERT INTO ledger_questions (height, state, attempts)
SELECT $1::bigint, 'contradicts', CASE WHEN EXISTS (SELECT FROM node_money WHERE height = $1) THEN 10 ELSE 0 END
ON CONFLICT DO NOTHING

-- name: ledger_questions.postpone
UPDATE ledger_questions AS q SET state = a.state, attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(21600, 5 * 2 ^ LEAST(attempts, 13)))
FROM unnest($1::bigint[], $2::text[]) AS a (height, state) WHERE q.height = a.height

-- name: ledger_questions.transactions
SELECT t.body, i.body AS info FROM transactions AS t LEFT JOIN infos AS i ON i.position = t.position
WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position

-- name: ledger_questions.undo
DELETE FROM ledger_questions WHERE height >= ($1::bigint - 1) >> 33 AND height <= ($2::bigint - 1) >> 33

-- name: ledger_rewrites.answered
INSERT INTO ledger_rewrites (height) SELECT DISTINCT t.height + n FROM unnest($1::bigint[]) AS t (height), generate_series(0, 1) AS n
ON CONFLICT DO NOTHING

-- name: ledger_rewrites.await
WITH due AS (SELECT EXISTS (SELECT FROM due_infos WHERE position >= $1 AND position < $2) AS is_due),
awaiting AS (
  INSERT INTO ledger_rewrites (height)
  SELECT h.height FROM due, generate_series($1::bigint >> 33, ($2::bigint - 1) >> 33) AS h (height) WHERE due.is_due
  ON CONFLICT DO NOTHING
)
SELECT is_due FROM due

-- name: ledger_rewrites.cut
DELETE FROM ledger_rewrites WHERE height << 33 >= $1

-- name: ledger_rewrites.done
DELETE FROM ledger_rewrites WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33

-- name: ledger_rewrites.next
SELECT r.height FROM ledger_rewrites AS r
WHERE NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position >= r.height << 33 AND d.position < (r.height + 1) << 33)
ORDER BY r.height LIMIT 1

-- name: lists.count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT '{"count":' || c.total || '}' AS body
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.count.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]))
WITH ORDINALITY AS asked (p1, p2, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT '{"count":' || c.total || '}' AS body
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.count_by_type
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT '{"count":' || c.total || '}' AS body
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.ends
SELECT l.key, l.kind, l.id,
COALESCE((SELECT e.ordinal FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0) AS ordinal
FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l

-- name: lists.insertion-points
SELECT l.key, l.kind, l.id, COALESCE(last.position >= w.position, false) AS is_below,
COALESCE(CASE WHEN last.position < w.position THEN last.ordinal ELSE (
    SELECT e.ordinal FROM entries e WHERE e.list = l.key AND e.position + 0 < w.position ORDER BY e.ordinal DESC LIMIT 1
  ) END, 0) AS ordinal
FROM unnest($1::smallint[], $2::text[], $3::bigint[]) AS w (kind, id, position)
CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l
LEFT JOIN LATERAL (
  SELECT e.ordinal, e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1
) AS last ON true

-- name: lists.keys
SELECT l.key, l.kind, l.id
FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l

-- name: lists.make
INSERT INTO lists (kind, id) SELECT * FROM unnest($1::smallint[], $2::text[])
RETURNING key, kind, id

-- name: lists.reaching
SELECT l.kind, l.id
FROM unnest($1::smallint[], $2::text[]) AS w (kind, id)
CROSS JOIN LATERAL (SELECT * FROM lists WHERE kind = w.kind AND id = w.id LIMIT 1) AS l
CROSS JOIN LATERAL (SELECT e.position FROM entries e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1) AS last
WHERE last.position >= $3

-- name: lists.touched
SELECT l.kind, l.id
FROM (SELECT DISTINCT list FROM entries WHERE position >= $2 AND position < $3) AS e
CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = e.list LIMIT 1) AS l
WHERE l.kind = ANY ($1::smallint[])

-- name: lists.transactions.newest_first
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.newest_first.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $4), $5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.newest_first.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT asked.p4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.cursor) FILTER (WHERE item.ordinal = c.total - s.skip - asked.p3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE name ~ '^(Contract|GA|ChannelForceProgress|PayingFor)')) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash || '-' || t.position AS cursor, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - asked.p3::bigint
          ORDER BY e.ordinal DESC
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.newest_first_by_type
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + $4::bigint AND $4::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $5::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $4::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.type_ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.type = l.type AND e.type_ordinal <= c.total - s.skip AND e.type_ordinal > c.total - s.skip - $4::bigint
          ORDER BY e.type_ordinal DESC
          LIMIT $4::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.oldest_first
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = s.skip + $3::bigint) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal > s.skip AND e.ordinal <= s.skip + $3::bigint
          ORDER BY e.ordinal
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.oldest_first.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $4), $5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position <= r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position <= r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = s.skip + $3::bigint) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal > s.skip AND e.ordinal <= s.skip + $3::bigint
          ORDER BY e.ordinal
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions.oldest_first.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '{"transactions":[' || COALESCE(page.body, '') || ']}' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT asked.p4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = s.skip + asked.p3::bigint) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal > s.skip AND e.ordinal <= s.skip + asked.p3::bigint
          ORDER BY e.ordinal
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $4), $5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time.after.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::text[]), (SELECT $5::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, p5, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = asked.p4), asked.p5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - asked.p3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - asked.p3::bigint
          ORDER BY e.ordinal DESC
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT asked.p4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - asked.p3::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - asked.p3::bigint
          ORDER BY e.ordinal DESC
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time_by_type
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $4::bigint AND $4::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $5::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $4::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.type_ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.type = l.type AND e.type_ordinal <= c.total - s.skip AND e.type_ordinal > c.total - s.skip - $4::bigint
          ORDER BY e.type_ordinal DESC
          LIMIT $4::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: lists.transactions_with_time_by_type.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $4::bigint AND $4::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key, (SELECT code FROM types WHERE lower(name) = ANY ($3::text[]) ORDER BY code LIMIT 1) AS type
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.type_ordinal FROM entries AS e WHERE e.list = l.key AND e.type = l.type ORDER BY e.type_ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $5), $6::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.type = l.type AND e.type_ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $4::bigint + 1) AS last
      FROM (
        SELECT convert_from(substring(convert_to(t.body, 'UTF8') FROM 1 FOR octet_length(t.body) - 1), 'UTF8') || ',"time":' || (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || ',"outcome":"' ||
        CASE
        WHEN t.type <> ALL (ARRAY(SELECT code FROM types WHERE starts_with(name, 'Contract') OR starts_with(name, 'GA') OR starts_with(name, 'ChannelForceProgress') OR starts_with(name, 'PayingFor'))) THEN 'ok'
        ELSE COALESCE(
          (
            SELECT CASE
            WHEN strpos(i.body, '"error"') > 0 AND i.body ~ '"return_type"\s*:\s*"error"' THEN 'error'
            WHEN strpos(i.body, '"revert"') > 0 AND i.body ~ '"return_type"\s*:\s*"revert"' THEN 'revert'
            ELSE 'ok'
            END
            FROM infos AS i
            WHERE i.position = t.position
          ),
          CASE
          WHEN t.body ~ '"type"\s*:\s*"(Contract|GA|ChannelForceProgress)' THEN COALESCE(
            (SELECT CASE WHEN c.failed THEN 'error' ELSE 'ok' END FROM contracts AS c WHERE c.position = t.position AND c.outcome_known LIMIT 1),
            'unknown'
          )
          ELSE 'ok'
          END
        )
        END || '"}' AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.type_ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.type = l.type AND e.type_ordinal <= c.total - s.skip AND e.type_ordinal > c.total - s.skip - $4::bigint
          ORDER BY e.type_ordinal DESC
          LIMIT $4::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: micro_blocks.delete
DELETE FROM micro_blocks WHERE position >= $1 AND position < $2

-- name: migrations.applied
SELECT name FROM migrations ORDER BY name

-- name: migrations.columns
SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS columns
FROM pg_attribute
WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped

-- name: milestones.mend-count
INSERT INTO milestones AS m (ranking, key, label, position, count)
SELECT c.ranking, c.key, c.label, c.position, c.count FROM (
  SELECT p.*, (
    SELECT count(*) FROM ranks AS r
    WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) >= (p.key, p.label, p.position)
    AND (r.key, r.label, r.position) < (COALESCE(n.key, 9223372036854775807), COALESCE(n.label, ''), COALESCE(n.position, 0))
  ) AS count
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
  LEFT JOIN LATERAL (
    SELECT r.key, r.label, r.position FROM ranks AS r
    WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) > (p.key, p.label COLLATE "C", p.position) AND r.position % 509 = 0
    ORDER BY r.key, r.label, r.position
    LIMIT 1
  ) AS n ON true
  WHERE (p.key = -9223372036854775808 AND p.label = '' AND p.position = -1) OR (p.position % 509 = 0 AND EXISTS (
      SELECT FROM ranks AS r WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
))) AS c WHERE c.count > 0
ON CONFLICT (ranking, key, label, position) DO UPDATE SET count = EXCLUDED.count

-- name: milestones.mend-delete
DELETE FROM milestones AS m USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS g (ranking, key, label, position)
WHERE m.ranking = g.ranking AND m.key = g.key AND m.label = g.label AND m.position = g.position AND NOT EXISTS (
  SELECT FROM (
    SELECT p.*, (
      SELECT count(*) FROM ranks AS r
      WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) >= (p.key, p.label, p.position)
      AND (r.key, r.label, r.position) < (COALESCE(n.key, 9223372036854775807), COALESCE(n.label, ''), COALESCE(n.position, 0))
    ) AS count
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
    LEFT JOIN LATERAL (
      SELECT r.key, r.label, r.position FROM ranks AS r
      WHERE r.ranking = p.ranking AND (r.key, r.label, r.position) > (p.key, p.label COLLATE "C", p.position) AND r.position % 509 = 0
      ORDER BY r.key, r.label, r.position
      LIMIT 1
    ) AS n ON true
    WHERE (p.key = -9223372036854775808 AND p.label = '' AND p.position = -1) OR (p.position % 509 = 0 AND EXISTS (
        SELECT FROM ranks AS r WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
  ))) AS c
  WHERE c.ranking = m.ranking AND c.key = m.key AND c.label = m.label AND c.position = m.position AND c.count > 0
)

-- name: miners.add
INSERT INTO miners AS m (id, blocks) SELECT * FROM unnest($1::text[], $2::bigint[])
ON CONFLICT (id) DO UPDATE SET blocks = m.blocks + EXCLUDED.blocks

-- name: miners.between
SELECT beneficiary AS id, count(*) AS blocks FROM key_blocks
WHERE height >= $1::bigint AND height < $2::bigint GROUP BY beneficiary

-- name: miners.clear
DELETE FROM miners WHERE id = ANY ($1::text[]) AND blocks <= 0

-- name: miners.clear-all
DELETE FROM miners

-- name: miners.mend
INSERT INTO miners (id, blocks)
SELECT beneficiary, count(*) FROM key_blocks WHERE beneficiary = ANY ($1::text[]) AND height > 0 GROUP BY beneficiary

-- name: miners.mend-delete
DELETE FROM miners WHERE id = ANY ($1::text[])

-- name: miners.recount
INSERT INTO miners (id, blocks) SELECT beneficiary AS id, count(*) AS blocks FROM key_blocks WHERE height > 0 GROUP BY beneficiary

-- name: moments.positions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT b.number, CASE WHEN b.at IS NULL THEN 9223372036854775807 ELSE COALESCE(COALESCE(
        (
          SELECT m.position FROM micro_blocks AS m
          WHERE m.position > ((b.height - 1) << 33) AND m.position <= ((b.height - 1) << 33) + 8589934591 AND m.time >= b.at ORDER BY m.position LIMIT 1
        ),
        b.height << 33
      ), 0) END AS position
    FROM (
      SELECT b.at, b.number, COALESCE(
        (SELECT g.height FROM generations AS g WHERE g.max_time >= b.at ORDER BY g.max_time, g.height LIMIT 1),
        (SELECT g.height + 1 FROM generations AS g ORDER BY g.height DESC LIMIT 1)
      ) AS height
      FROM unnest($1::bigint[]) WITH ORDINALITY AS b (at, number) OFFSET 0
    ) AS b) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: moved_uses.derived
SELECT m.number, e.position, e.type
FROM
(
  SELECT m.number, m.old_id, m.new_id, u.key, ordinal_from(u.key, m.from) AS first, ordinal_from(u.key, m.to) AS past,
  ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.types, ','))) AS types,
  ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.wrapping, ','))) AS wrapping
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[],
    $6::text[], $7::text[]) WITH ORDINALITY
  AS m (name, "from", "to", old_id, new_id, types, wrapping, number)
  CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = 8 AND id = m.name LIMIT 1) AS u
  OFFSET 0
) AS m
CROSS JOIN LATERAL (
  SELECT e.type, e.position FROM entries AS e
  WHERE e.list = m.key AND e.ordinal >= m.first AND e.ordinal < m.past AND e.type = ANY (m.types)
  OFFSET 0
) AS e
WHERE (
  e.type = ANY (m.wrapping) OR (
    SELECT strpos(t.body, chr(92)) > 0 OR COALESCE(strpos(t.body, m.old_id), 0) > 0 OR COALESCE(strpos(t.body, m.new_id), 0) > 0
    FROM transactions AS t WHERE t.position = e.position
  )
)
ORDER BY e.position

-- name: moved_uses.transferred
SELECT DISTINCT l.id
FROM
(
  SELECT m.number, m.old_id, m.new_id, u.key, ordinal_from(u.key, m.from) AS first, ordinal_from(u.key, m.to) AS past,
  ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.types, ','))) AS types,
  ARRAY(SELECT y.code FROM types AS y WHERE y.name = ANY (string_to_array(m.wrapping, ','))) AS wrapping
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[],
    $6::text[], $7::text[]) WITH ORDINALITY
  AS m (name, "from", "to", old_id, new_id, types, wrapping, number)
  CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = 8 AND id = m.name LIMIT 1) AS u
  OFFSET 0
) AS m
CROSS JOIN LATERAL (
  SELECT e.type, e.position FROM entries AS e
  WHERE e.list = m.key AND e.ordinal >= m.first AND e.ordinal < m.past AND e.type = ANY (m.types)
  OFFSET 0
) AS e
CROSS JOIN LATERAL (SELECT list FROM entries WHERE position = e.position OFFSET 0) AS o
CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = o.list LIMIT 1) AS l
WHERE l.kind = 6

-- name: movement_rows.insert
INSERT INTO movement_rows (position, account, counterparty, index, kind, amount, fee, balance)
SELECT m.position, a.key, c.key, m.index, m.kind, m.amount, m.fee, m.balance
FROM unnest(
  $1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::smallint[], $6::numeric[], $7::numeric[], $8::numeric[]
) WITH ORDINALITY AS m (position, account, counterparty, index, kind, amount, fee, balance, n)
JOIN ledger_ids AS a ON a.id = m.account
LEFT JOIN ledger_ids AS c ON c.id = m.counterparty
ORDER BY m.n

-- name: movement_rows.shift
UPDATE movement_rows SET balance = balance + $3::numeric
WHERE account = (SELECT key FROM ledger_ids WHERE id = $1) AND position >= $2

-- name: movement_rows.undo
DELETE FROM movement_rows WHERE position >= $1 AND position < $2

-- name: movement_rows.unstored
DELETE FROM movement_rows WHERE position >= $1 AND position < $2

-- name: movements.accounts-of
SELECT DISTINCT i.id FROM movement_rows AS m JOIN ledger_ids AS i ON i.key = m.account
WHERE m.position >= $1 AND m.position < $2

-- name: movements.balances-before
SELECT i.id, m.balance FROM ledger_ids AS i
CROSS JOIN LATERAL (
  SELECT balance FROM movement_rows WHERE account = i.key AND position < $2 ORDER BY position DESC, index DESC LIMIT 1
) AS m
WHERE i.id = ANY ($1::text[])

-- name: movements.is-base-changed
SELECT EXISTS (
  SELECT FROM unnest($1::text[], $2::numeric[]) AS w (id, balance)
  JOIN ledger_ids AS i ON i.id = w.id
  CROSS JOIN LATERAL (
    SELECT balance - amount - COALESCE(fee, 0) AS before FROM movement_rows WHERE account = i.key AND position >= $3 ORDER BY position, index LIMIT 1
  ) AS m
  WHERE m.before <> w.balance
) AS changed

-- name: names.clear
DELETE FROM names WHERE name_hash = ANY ($1::text[]) AND position <> ALL ($2::bigint[])

-- name: names.list
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > $3::bigint + $4::bigint AND $4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      $3::bigint AS skip,
      GREATEST(LEAST($4::bigint, c.total - $3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number )  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $4::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction' ON n.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.list.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN listed.count > $3::bigint AND $3::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number ) FILTER (WHERE item.number <= $3::bigint) AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $3::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (
          SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key , r.label , r.position ) AS number
          FROM ranks AS r
          WHERE
          r.ranking = k.key
          AND (r.key, r.label, r.position) > ($4::bigint, $5, $6::bigint)
          ORDER BY r.key , r.label , r.position
          LIMIT $3::bigint + 1) AS picked
        JOIN names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction' ON n.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.list.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > asked.p3::bigint + asked.p4::bigint AND asked.p4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = asked.p1::smallint AND id = asked.p2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      asked.p3::bigint AS skip,
      GREATEST(LEAST(asked.p4::bigint, c.total - asked.p3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number )  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = asked.p4::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction' ON n.position = picked.position
      ) AS item
    ) AS listed) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.list.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > $3::bigint + $4::bigint AND $4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      GREATEST(c.total - $3::bigint - $4::bigint, 0) AS skip,
      GREATEST(LEAST($4::bigint, c.total - $3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number DESC)  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = 1) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction' ON n.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.list.reversed.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN listed.count > $3::bigint AND $3::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number ) FILTER (WHERE item.number <= $3::bigint) AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $3::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (
          SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key DESC, r.label DESC, r.position DESC) AS number
          FROM ranks AS r
          WHERE
          r.ranking = k.key
          AND (r.key, r.label, r.position) < ($4::bigint, $5, $6::bigint)
          ORDER BY r.key DESC, r.label DESC, r.position DESC
          LIMIT $3::bigint + 1) AS picked
        JOIN names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction' ON n.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.newest
SELECT n.*
FROM unnest($1::text[]) AS w (hash)
CROSS JOIN LATERAL (SELECT * FROM names n WHERE n.name_hash = w.hash ORDER BY n.position DESC LIMIT 1) n

-- name: names.of_each
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '[' || COALESCE(
      string_agg('{"account":"' || found.id || '","name":' || to_json(found.name)::text || '}', ',' ORDER BY found.number), ''
    ) || ']' AS body
    FROM (
      SELECT asked.id, asked.number, one.name
      FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, number)
      CROSS JOIN LATERAL (
        SELECT n.name
        FROM (
          SELECT r.position, r.label
          FROM ranks AS r
          WHERE r.ranking = (SELECT key FROM rankings WHERE kind = 5 AND id = asked.id)
          ORDER BY r.key, r.label, r.position
          LIMIT 20
        ) AS pointing
        JOIN names AS n ON n.position = pointing.position
        LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
        ORDER BY (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) <> asked.id, pointing.label
        LIMIT 1
      ) AS one
    ) AS found) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.of_hash
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"name":' ||
    '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
    '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
    ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
      CASE
      WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
      WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
      THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
      ELSE n.expires_at
      END) ||
    ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
        OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' || '}' AS body
    FROM names AS n LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
    WHERE n.name_hash = $1
    ORDER BY n.position DESC
    LIMIT 1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.recipients
SELECT DISTINCT n.id
FROM unnest($1::text[]) AS w (id)
CROSS JOIN LATERAL (SELECT key FROM lists WHERE kind = 6 AND id = w.id LIMIT 1) AS l
CROSS JOIN LATERAL (SELECT position FROM entries WHERE list = l.key OFFSET 0) AS e
CROSS JOIN LATERAL (SELECT list FROM entries WHERE position = e.position OFFSET 0) AS u
CROSS JOIN LATERAL (SELECT kind, id FROM lists WHERE key = u.list LIMIT 1) AS n
WHERE n.kind = 8

-- name: names.save
INSERT INTO names AS n (position, name, name_hash, tx_hash, created_at_height, auction_end_height, owner, expires_at,
  revoked_at, pointers, winning_bid, winning_bidder, bid_position, pointer_ids, active, running)
SELECT position, name, name_hash, tx_hash, created, auction_end, owner, expires, revoked, pointers, bid, bidder,
bid_position, ARRAY(SELECT json_array_elements_text(ids::json)),
-- The same values as `settle` sets, so that it only has to change those that depend on the height.
name_active(created, auction_end, expires, revoked, head.height),
name_running(created, auction_end, bid, head.height)
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[],
  $9::bigint[], $10::text[], $11::numeric[], $12::text[], $13::bigint[], $14::text[])
AS r (position, name, name_hash, tx_hash, created, auction_end, owner, expires, revoked, pointers, bid, bidder,
  bid_position, ids)
CROSS JOIN (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1) AS head
ON CONFLICT (position) DO UPDATE
SET name = EXCLUDED.name, name_hash = EXCLUDED.name_hash, tx_hash = EXCLUDED.tx_hash,
created_at_height = EXCLUDED.created_at_height, auction_end_height = EXCLUDED.auction_end_height, owner = EXCLUDED.owner, expires_at = EXCLUDED.expires_at,
revoked_at = EXCLUDED.revoked_at, pointers = EXCLUDED.pointers, pointer_ids = EXCLUDED.pointer_ids,
winning_bid = EXCLUDED.winning_bid, winning_bidder = EXCLUDED.winning_bidder, bid_position = EXCLUDED.bid_position,
active = EXCLUDED.active, running = EXCLUDED.running
WHERE n.* IS DISTINCT FROM EXCLUDED.*

-- name: names.search
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH picked AS (
      SELECT
      row_number() OVER (ORDER BY expires_at DESC, name, position) AS number, candidate.position,
      expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') AS cursor
      FROM (SELECT expires_at, name, position FROM names  ORDER BY expires_at DESC, name, position LIMIT $5::bigint) AS candidate
      WHERE strpos(name, $3) > 0 OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))
      ORDER BY expires_at DESC, name, position
      LIMIT $1::bigint + $2::bigint + 1
    )
    SELECT
    '[' || COALESCE(found.body, '') || ']' AS body,
    found.count,
    (SELECT count(*) FROM picked) AS matched,
    NOT found.full AND unsearched.cursor IS NOT NULL AS exhausted,
    CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.cursor END AS next
    FROM (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
      max(item.cursor) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
      count(*) AS count,
      count(*) > $2::bigint AS full
      FROM (
        SELECT picked.number, picked.cursor,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM picked
        JOIN names AS n ON n.position = picked.position
        LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
        WHERE picked.number > $1::bigint
      ) AS item
    ) AS found
    LEFT JOIN LATERAL (
      SELECT bound.cursors[1] AS cursor
      FROM (
        SELECT array_agg(expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') ORDER BY expires_at DESC, name, position) AS cursors
        FROM (SELECT expires_at, name, position FROM names  ORDER BY expires_at DESC, name, position LIMIT 2 OFFSET $5::bigint - 1) AS last
        WHERE NOT found.full
      ) AS bound
      WHERE cardinality(bound.cursors) = 2) AS unsearched ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.search.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH picked AS (
      SELECT
      row_number() OVER (ORDER BY expires_at DESC, name, position) AS number, candidate.position,
      expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') AS cursor
      FROM (SELECT expires_at, name, position FROM names WHERE
        expires_at <= $6::bigint AND
        (expires_at < $6::bigint OR (name, position) > ($7, $8::bigint)) ORDER BY expires_at DESC, name, position LIMIT $5::bigint) AS candidate
      WHERE strpos(name, $3) > 0 OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))
      ORDER BY expires_at DESC, name, position
      LIMIT $1::bigint + $2::bigint + 1
    )
    SELECT
    '[' || COALESCE(found.body, '') || ']' AS body,
    found.count,
    (SELECT count(*) FROM picked) AS matched,
    NOT found.full AND unsearched.cursor IS NOT NULL AS exhausted,
    CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.cursor END AS next
    FROM (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
      max(item.cursor) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
      count(*) AS count,
      count(*) > $2::bigint AS full
      FROM (
        SELECT picked.number, picked.cursor,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM picked
        JOIN names AS n ON n.position = picked.position
        LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
        WHERE picked.number > $1::bigint
      ) AS item
    ) AS found
    LEFT JOIN LATERAL (
      SELECT bound.cursors[1] AS cursor
      FROM (
        SELECT array_agg(expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') ORDER BY expires_at DESC, name, position) AS cursors
        FROM (SELECT expires_at, name, position FROM names WHERE
          expires_at <= $6::bigint AND
          (expires_at < $6::bigint OR (name, position) > ($7, $8::bigint)) ORDER BY expires_at DESC, name, position LIMIT 2 OFFSET $5::bigint - 1) AS last
        WHERE NOT found.full
      ) AS bound
      WHERE cardinality(bound.cursors) = 2) AS unsearched ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.search.by_index
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH picked AS (
      SELECT
      row_number() OVER (ORDER BY expires_at DESC, name, position) AS number, candidate.position,
      expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') AS cursor
      FROM (SELECT expires_at, name, position FROM names WHERE (name_grams(name) @> name_grams($3) OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4)))  OFFSET 0) AS candidate
      WHERE strpos(name, $3) > 0 OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))
      ORDER BY expires_at DESC, name, position
      LIMIT $1::bigint + $2::bigint + 1
    )
    SELECT
    '[' || COALESCE(found.body, '') || ']' AS body,
    found.count,
    (SELECT count(*) FROM picked) AS matched,
    NOT found.full AND unsearched.cursor IS NOT NULL AS exhausted,
    CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.cursor END AS next
    FROM (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
      max(item.cursor) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
      count(*) AS count,
      count(*) > $2::bigint AS full
      FROM (
        SELECT picked.number, picked.cursor,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM picked
        JOIN names AS n ON n.position = picked.position
        LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
        WHERE picked.number > $1::bigint
      ) AS item
    ) AS found
    LEFT JOIN LATERAL (SELECT NULL AS cursor) AS unsearched ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.search.by_index.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    WITH picked AS (
      SELECT
      row_number() OVER (ORDER BY expires_at DESC, name, position) AS number, candidate.position,
      expires_at || '.' || position || '.' || encode(convert_to(name, 'UTF8'), 'hex') AS cursor
      FROM (SELECT expires_at, name, position FROM names WHERE (name_grams(name) @> name_grams($3) OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))) AND
        expires_at <= $5::bigint AND
        (expires_at < $5::bigint OR (name, position) > ($6, $7::bigint)) OFFSET 0) AS candidate
      WHERE strpos(name, $3) > 0 OR position = ANY (ARRAY(SELECT n.position FROM names AS n WHERE n.name_hash = $4))
      ORDER BY expires_at DESC, name, position
      LIMIT $1::bigint + $2::bigint + 1
    )
    SELECT
    '[' || COALESCE(found.body, '') || ']' AS body,
    found.count,
    (SELECT count(*) FROM picked) AS matched,
    NOT found.full AND unsearched.cursor IS NOT NULL AS exhausted,
    CASE WHEN $2::bigint = 0 THEN NULL WHEN found.full THEN found.last ELSE unsearched.cursor END AS next
    FROM (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number) FILTER (WHERE item.number <= $1::bigint + $2::bigint) AS body,
      max(item.cursor) FILTER (WHERE item.number = $1::bigint + $2::bigint) AS last,
      count(*) AS count,
      count(*) > $2::bigint AS full
      FROM (
        SELECT picked.number, picked.cursor,
        '{"name":' || to_json(n.name)::text || ',"name_hash":"' || n.name_hash || '","tx_hash":"' || n.tx_hash ||
        '","created_at_height":' || n.created_at_height || ',"auction_end_height":' || (CASE WHEN a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.ends_at, n.auction_end_height) ELSE n.auction_end_height END) ||
        ',"owner":"' || (CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.owner, n.owner) WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) THEN COALESCE(a.owner, n.owner) ELSE n.owner END) || '","expires_at":' || (
          CASE
          WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.ends_at, n.expires_at)
          WHEN r.position IS NULL AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND n.pointers IS NULL
          THEN n.expires_at + COALESCE(a.ends_at, n.auction_end_height) - n.auction_end_height
          ELSE n.expires_at
          END) ||
        ',"pointers":' || COALESCE(CASE WHEN r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) THEN COALESCE(r.pointers, n.pointers) ELSE n.pointers END, 'null') || COALESCE(',"source":"' || (CASE WHEN r.differs AND r.copied IS NOT NULL AND r.copied = concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.differs AND a.copied IS NOT NULL AND a.copied = concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AND (r.position IS NULL OR a.ends_at IS NOT NULL) THEN 'node' WHEN r.copied IS NOT NULL AND r.copied <> concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) OR a.copied IS NOT NULL AND a.copied <> concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height)
            OR NOT (n.active OR n.running OR (r.height >= n.expires_at - 20) IS TRUE) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM picked
        JOIN names AS n ON n.position = picked.position
        LEFT JOIN node_records AS r ON r.position = n.position AND r.kind = 'name' LEFT JOIN node_records AS a ON a.position = n.position AND a.kind = 'auction'
        WHERE picked.number > $1::bigint
      ) AS item
    ) AS found
    LEFT JOIN LATERAL (SELECT NULL AS cursor) AS unsearched ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: names.unstored
DELETE FROM names WHERE position >= $1 AND position < $2

-- name: network.recorded
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.network_id, c.genesis_hash, k.body AS newest, y.name, y.symbol, y.subunit, y.digits,
    (
      SELECT round((k.time - b.time)::numeric / (k.height - b.height))::bigint
      FROM key_blocks AS b
      WHERE b.height = GREATEST(k.height - 100, 1) AND b.height < k.height
    ) AS block_ms
    FROM chain AS c
    LEFT JOIN currency AS y ON true
    LEFT JOIN (SELECT height, time, body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS k ON true
    WHERE c.network_id IS NOT NULL AND c.genesis_hash IS NOT NULL) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.current_generation
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.height, '{"key_block":' || k.body || ',"micro_blocks":[' || COALESCE((
        SELECT string_agg(to_json(m.hash)::text, ',' ORDER BY m.position)
        FROM micro_blocks AS m
        WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591
      ), '') || ']}' AS body FROM (SELECT height, body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS k) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.current_height
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT height, '{"height":' || height || '}' AS body FROM key_blocks ORDER BY height DESC LIMIT 1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.generation
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.height, '{"key_block":' || k.body || ',"micro_blocks":[' || COALESCE((
        SELECT string_agg(to_json(m.hash)::text, ',' ORDER BY m.position)
        FROM micro_blocks AS m
        WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591
      ), '') || ']}' AS body FROM key_block_texts AS k WHERE k.height = $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.generation.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::bigint[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT k.height, '{"key_block":' || k.body || ',"micro_blocks":[' || COALESCE((
        SELECT string_agg(to_json(m.hash)::text, ',' ORDER BY m.position)
        FROM micro_blocks AS m
        WHERE m.position > (k.height << 33) AND m.position <= (k.height << 33) + 8589934591
      ), '') || ']}' AS body FROM key_block_texts AS k WHERE k.height = asked.p1::bigint) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.key_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT height, body FROM key_block_texts WHERE hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.key_block.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::text[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT height, body FROM key_block_texts WHERE hash = asked.p1) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.key_block_at
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT height, body FROM key_block_texts WHERE height = $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.key_block_at.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::bigint[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT height, body FROM key_block_texts WHERE height = asked.p1::bigint) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT position >> 33 AS height, body FROM micro_blocks WHERE hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::text[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT position >> 33 AS height, body FROM micro_blocks WHERE hash = asked.p1) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block_transaction_count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT position >> 33 AS height, '{"count":' || tx_count || '}' AS body FROM micro_blocks WHERE hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block_transaction_count.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::text[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT position >> 33 AS height, '{"count":' || tx_count || '}' AS body FROM micro_blocks WHERE hash = asked.p1) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block_transactions
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT m.position >> 33 AS height, '{"transactions":[' || COALESCE((
        SELECT string_agg(t.body, ',' ORDER BY t.position)
        FROM transactions AS t
        WHERE t.position >= m.position AND t.position < m.position + 65536
      ), '') || ']}' AS body
    FROM micro_blocks AS m
    WHERE m.hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.micro_block_transactions.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::text[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT m.position >> 33 AS height, '{"transactions":[' || COALESCE((
        SELECT string_agg(t.body, ',' ORDER BY t.position)
        FROM transactions AS t
        WHERE t.position >= m.position AND t.position < m.position + 65536
      ), '') || ']}' AS body
    FROM micro_blocks AS m
    WHERE m.hash = asked.p1) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.transaction
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT position >> 33 AS height, body FROM transactions_by_hash WHERE hash = $1) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_cache.transaction.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::text[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (SELECT position >> 33 AS height, body FROM transactions_by_hash WHERE hash = asked.p1) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: node_money.between
SELECT t.height, t.operations FROM node_money AS t
JOIN key_blocks AS n ON n.height = t.height + 1 AND n.hash = t.next_hash
WHERE t.height BETWEEN $1 AND $2

-- name: node_money.save
WITH answers AS (
  SELECT a.height, a.next_hash, a.operations
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS a (height, hash, next_hash, operations)
  JOIN key_blocks AS k ON k.height = a.height AND k.hash = a.hash
  JOIN key_blocks AS n ON n.height = a.height + 1 AND n.hash = a.next_hash
),
corrected AS (
  DELETE FROM ledger_corrections AS c USING answers AS a WHERE c.position > a.height << 33 AND c.position <= (a.height + 1) << 33
),
asked AS (DELETE FROM ledger_questions AS q USING answers AS a WHERE q.height = a.height RETURNING q.height)
INSERT INTO node_money (height, next_hash, operations)
SELECT a.height, a.next_hash, a.operations FROM answers AS a JOIN asked AS q ON q.height = a.height
ON CONFLICT (height) DO UPDATE SET next_hash = EXCLUDED.next_hash, operations = EXCLUDED.operations
RETURNING height

-- name: node_money.undo
WITH gone AS (DELETE FROM node_money WHERE height >= ($1::bigint - 1) >> 33 AND height <= ($2::bigint - 1) >> 33 RETURNING height) SELECT min(height) AS height FROM gone

-- name: node_money.unstored
DELETE FROM node_money WHERE height = $1

-- name: node_records.count
SELECT kind, count(*) FROM node_records WHERE differs GROUP BY kind

-- name: node_records.doubt
UPDATE node_records SET copied = '', due_at = now() WHERE height >= $1::bigint >> 33

-- name: node_records.due-auction
SELECT n.position, n.auction_end_height AS ends_at, concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AS copied, n.name_hash AS id, n.name, n.winning_bidder AS owner, NULL AS pointers, n.winning_bid AS bid
FROM node_records AS d JOIN names AS n ON n.position = d.position
WHERE d.due_at <= now() AND d.kind = 'auction' AND (n.running AND n.auction_end_height > $1::bigint OR d.ends_at > $1)
ORDER BY d.due_at
LIMIT $2

-- name: node_records.due-name
SELECT n.position, n.expires_at AS ends_at, concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) AS copied, n.name_hash AS id, n.name, n.owner, n.pointers, NULL::numeric AS bid
FROM node_records AS d JOIN names AS n ON n.position = d.position
WHERE d.due_at <= now() AND d.kind = 'name' AND (n.active AND n.expires_at > $1::bigint AND n.auction_end_height < $1::bigint - 1 OR d.ends_at > $1)
ORDER BY d.due_at
LIMIT $2

-- name: node_records.due-oracle
SELECT o.position, o.expires_at AS ends_at, concat_ws(' ', o.id, o.expires_at) AS copied, o.id, NULL AS name, NULL AS owner, NULL AS pointers, NULL::numeric AS bid
FROM node_records AS d JOIN oracles AS o ON o.position = d.position
WHERE d.due_at <= now() AND d.kind = 'oracle' AND (o.active AND o.expires_at > $1::bigint OR d.ends_at > $1)
ORDER BY d.due_at
LIMIT $2

-- name: node_records.forget
DELETE FROM node_records AS k USING unnest($1::bigint[], $2::text[]) AS d (position, kind)
WHERE k.position = d.position AND k.kind = d.kind
RETURNING k.position

-- name: node_records.postpone
UPDATE node_records AS k SET due_at = now() + interval '10 minutes'
FROM unnest($1::bigint[], $2::text[]) AS d (position, kind)
WHERE k.position = d.position AND k.kind = d.kind

-- name: node_records.save
INSERT INTO node_records AS k (position, kind, copied, height, differs, owner, ends_at, pointers, bid, due_at)
SELECT d.position, d.kind, d.copied, $1::bigint, d.differs, d.owner, d.ends_at, d.pointers, d.bid,
now() + CASE WHEN d.near THEN interval '10 minutes' ELSE interval '1 hour' END
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::bigint[], $8::text[], $9::numeric[], $10::boolean[])
AS d (position, kind, copied, differs, owner, ends_at, pointers, bid, near)
ON CONFLICT (position, kind) DO UPDATE SET copied = EXCLUDED.copied, height = EXCLUDED.height, differs = EXCLUDED.differs,
owner = EXCLUDED.owner, pointers = EXCLUDED.pointers, bid = EXCLUDED.bid, due_at = EXCLUDED.due_at,
-- Of a record that the node has no more, the height at which that was seen first.
ends_at = CASE WHEN EXCLUDED.ends_at <= EXCLUDED.height THEN LEAST(EXCLUDED.ends_at, k.ends_at) ELSE EXCLUDED.ends_at END

-- name: node_records.truncate
DELETE FROM node_records WHERE position >= $1

-- name: node_records.walk-auction
SELECT n.position, n.auction_end_height AS ends_at, concat_ws(' ', n.tx_hash, n.winning_bidder, n.winning_bid, n.auction_end_height) AS copied, n.name_hash AS id, n.name, n.winning_bidder AS owner, NULL AS pointers, n.winning_bid AS bid
FROM names AS n
WHERE n.running AND n.auction_end_height > $1::bigint AND n.auction_end_height >= $2 AND (n.auction_end_height, n.position) > ($2, $3::bigint) AND ($4::bigint IS NULL OR n.auction_end_height <= $4)
AND NOT EXISTS (SELECT FROM node_records AS k WHERE k.position = n.position AND k.kind = 'auction')
ORDER BY n.auction_end_height, n.position
LIMIT $5

-- name: node_records.walk-name
SELECT n.position, n.expires_at AS ends_at, concat_ws(' ', n.tx_hash, n.owner, n.expires_at, n.pointers) AS copied, n.name_hash AS id, n.name, n.owner, n.pointers, NULL::numeric AS bid
FROM names AS n
WHERE n.active AND n.expires_at > $1::bigint AND n.auction_end_height < $1::bigint - 1 AND n.expires_at >= $2 AND (n.expires_at, n.position) > ($2, $3::bigint) AND ($4::bigint IS NULL OR n.expires_at <= $4)
AND NOT EXISTS (SELECT FROM node_records AS k WHERE k.position = n.position AND k.kind = 'name')
ORDER BY n.expires_at, n.position
LIMIT $5

-- name: node_records.walk-oracle
SELECT o.position, o.expires_at AS ends_at, concat_ws(' ', o.id, o.expires_at) AS copied, o.id, NULL AS name, NULL AS owner, NULL AS pointers, NULL::numeric AS bid
FROM oracles AS o
WHERE o.active AND o.expires_at > $1::bigint AND o.expires_at >= $2 AND (o.expires_at, o.position) > ($2, $3::bigint) AND ($4::bigint IS NULL OR o.expires_at <= $4)
AND NOT EXISTS (SELECT FROM node_records AS k WHERE k.position = o.position AND k.kind = 'oracle')
ORDER BY o.expires_at, o.position
LIMIT $5

-- name: objects.referring
SELECT 6 AS kind, name_hash AS id FROM names WHERE position >= $1 AND position < $2 UNION
SELECT 7 AS kind, id AS id FROM oracles WHERE position >= $1 AND position < $2 UNION
SELECT 7 AS kind, id AS id FROM oracle_lives WHERE position >= $1 AND position < $2 UNION
SELECT 4 AS kind, id AS id FROM channels WHERE position >= $1 AND position < $2 UNION
SELECT 4 AS kind, id AS id FROM channels WHERE closed_position >= $1 AND closed_position < $2

-- name: oracle_lives.clear
DELETE FROM oracle_lives WHERE id = ANY ($1::text[]) AND position <> ALL ($2::bigint[])

-- name: oracle_lives.last
SELECT l.* FROM unnest($1::text[]) AS o (id)
CROSS JOIN LATERAL (
  SELECT l.id, l.position, l.expires_at FROM oracle_lives AS l WHERE l.id = o.id ORDER BY l.position DESC LIMIT 1
) AS l

-- name: oracle_lives.part
SELECT key, id FROM lists WHERE kind = 7 AND key > $1::bigint ORDER BY key LIMIT 200

-- name: oracle_lives.save
INSERT INTO oracle_lives AS l (position, id, expires_at) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
ON CONFLICT (position) DO UPDATE SET id = EXCLUDED.id, expires_at = EXCLUDED.expires_at
WHERE (l.id, l.expires_at) IS DISTINCT FROM (EXCLUDED.id, EXCLUDED.expires_at)

-- name: oracle_lives.undo
DELETE FROM oracle_lives WHERE id = ANY ($1::text[]) AND position >= $2

-- name: oracle_lives.undo-extensions
UPDATE oracle_lives AS l SET expires_at = l.expires_at - w.by
FROM unnest($1::text[], $2::bigint[]) AS w (id, by)
WHERE l.position = (SELECT max(o.position) FROM oracle_lives AS o WHERE o.id = w.id)

-- name: oracle_lives.unstored
DELETE FROM oracle_lives WHERE position >= $1 AND position < $2

-- name: oracle_queries.delete-empty
DELETE FROM oracle_queries WHERE position IS NULL AND response_position IS NULL

-- name: oracle_queries.mend-empty
DELETE FROM oracle_queries WHERE id = ANY ($1::text[]) AND position IS NULL AND response_position IS NULL

-- name: oracle_queries.stray-responses
UPDATE oracle_queries AS s SET response_position = NULL WHERE
response_position >= $1 AND response_position < $2
AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.id AND r.position = s.response_position)

-- name: oracle_queries.strays
UPDATE oracle_queries AS s SET position = NULL WHERE
position >= $1 AND position < $2
AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::bigint[]) AS r (id, position) WHERE r.id = s.id AND r.position = s.position)

-- name: oracle_queries.undo-query
UPDATE oracle_queries SET position = NULL WHERE position >= $1 AND position < $2

-- name: oracle_queries.undo-response
UPDATE oracle_queries SET response_position = NULL WHERE response_position >= $1 AND response_position < $2

-- name: oracle_queries.upsert
INSERT INTO oracle_queries AS s (id, position, response_position) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
ON CONFLICT (id) DO UPDATE
SET position = COALESCE(EXCLUDED.position, s.position),
response_position = LEAST(s.response_position, EXCLUDED.response_position)
WHERE s.* IS DISTINCT FROM EXCLUDED.*

-- name: oracles.active.reversed
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > $3::bigint + $4::bigint AND $4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      GREATEST(c.total - $3::bigint - $4::bigint, 0) AS skip,
      GREATEST(LEAST($4::bigint, c.total - $3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number DESC)  AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = 1) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"oracle_id":"' || o.id || '","transaction_hash":"' || t.hash || '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (o.position & (-65536)::bigint)) || ',"expires_at":' || (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) || ',"tx":' || (
          CASE
          WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
          WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
          COALESCE(
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
          )::text
          ELSE replace(replace(
              COALESCE(
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
              )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
          END) || COALESCE(',"source":"' || (CASE WHEN k.differs AND k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN 'node' WHEN k.copied IS NOT NULL AND k.copied <> concat_ws(' ', o.id, o.expires_at) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.key, r.label, r.position
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN oracles AS o JOIN transactions AS t ON t.position = o.position LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle' ON o.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.active.reversed.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN listed.count > $3::bigint AND $3::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = $1::smallint AND id = $2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number ) FILTER (WHERE item.number <= $3::bigint) AS body,
      max(item.key || '.' || item.position || '.' || encode(convert_to(item.label, 'UTF8'), 'hex')) FILTER (WHERE item.number = $3::bigint) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.key, picked.label, picked.position,
        '{"oracle_id":"' || o.id || '","transaction_hash":"' || t.hash || '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (o.position & (-65536)::bigint)) || ',"expires_at":' || (CASE WHEN k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN COALESCE(k.ends_at, o.expires_at) ELSE o.expires_at END) || ',"tx":' || (
          CASE
          WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
          WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
          COALESCE(
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
          )::text
          ELSE replace(replace(
              COALESCE(
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
              )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
          END) || COALESCE(',"source":"' || (CASE WHEN k.differs AND k.copied IS NOT NULL AND k.copied = concat_ws(' ', o.id, o.expires_at) THEN 'node' WHEN k.copied IS NOT NULL AND k.copied <> concat_ws(' ', o.id, o.expires_at) THEN 'unknown' END) || '"', '') || '}' AS body
        FROM (
          SELECT r.key, r.label, r.position, row_number() OVER (ORDER BY r.key DESC, r.label DESC, r.position DESC) AS number
          FROM ranks AS r
          WHERE
          r.ranking = k.key
          AND (r.key, r.label, r.position) < ($4::bigint, $5, $6::bigint)
          ORDER BY r.key DESC, r.label DESC, r.position DESC
          LIMIT $3::bigint + 1) AS picked
        JOIN oracles AS o JOIN transactions AS t ON t.position = o.position LEFT JOIN node_records AS k ON k.position = o.position AND k.kind = 'oracle' ON o.position = picked.position
      ) AS item
    ) AS listed) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.active.reversed.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT
    c.total,
    '[' || COALESCE(listed.body, '') || ']' AS body,
    CASE WHEN c.total > asked.p3::bigint + asked.p4::bigint AND asked.p4::bigint > 0 THEN listed.last END AS next
    FROM (SELECT (SELECT key FROM rankings WHERE kind = asked.p1::smallint AND id = asked.p2) AS key LIMIT 1) AS k
    CROSS JOIN LATERAL (
      SELECT COALESCE(
        (SELECT sum(s.count) FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3),
        (SELECT sum(s.count::int) FROM milestones AS s WHERE s.ranking = k.key),
        0
      ) AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (
      SELECT
      GREATEST(c.total - asked.p3::bigint - asked.p4::bigint, 0) AS skip,
      GREATEST(LEAST(asked.p4::bigint, c.total - asked.p3::bigint), 0) AS take
      LIMIT 1
    ) AS w
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, 0 + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 3 AND w.take > 0 AND (s.key, s.label, s.position) >= ((-9223372036854775808), '', -1)
      ) AS x
      WHERE x.upto > w.skip - 0
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s3 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s3.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM milestones AS s WHERE s.ranking = k.key AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s3.key, (-9223372036854775808)), COALESCE(s3.label, ''), COALESCE(s3.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s3.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s2 ON true
    LEFT JOIN LATERAL (
      SELECT x.key, x.label, x.position, COALESCE(s2.before, 0) + x.upto - x.count AS before
      FROM (
        SELECT s.key, s.label, s.position, s.count,
        sum(s.count::int) OVER (ORDER BY s.key, s.label, s.position ROWS UNBOUNDED PRECEDING) AS upto
        FROM sampled_counts AS s WHERE s.ranking = k.key AND s.level = 1 AND w.take > 0 AND (s.key, s.label, s.position) >= (COALESCE(s2.key, (-9223372036854775808)), COALESCE(s2.label, ''), COALESCE(s2.position, -1))
      ) AS x
      WHERE x.upto > w.skip - COALESCE(s2.before, 0)
      ORDER BY x.key, x.label, x.position
      LIMIT 1
    ) AS s1 ON true
    CROSS JOIN LATERAL (
      SELECT COALESCE(s1.key, s2.key) AS key, COALESCE(s1.label, s2.label) AS label,
      COALESCE(s1.position, s2.position) AS position, COALESCE(s1.before, s2.before) AS before
      LIMIT 1
    ) AS start
    CROSS JOIN LATERAL (
      SELECT
      string_agg(item.body, ',' ORDER BY item.number DESC)  AS body,
      max(item.cursor) FILTER (WHERE item.number = 1) AS last,
      count(*) AS count
      FROM (
        SELECT picked.number, picked.cursor,
        '{"oracle_id":"' || o.id || '","transaction_hash":"' || t.hash || '","block_height":' ||
        (SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks AS m WHERE m.position = (o.position & (-65536)::bigint)) || ',"expires_at":' || o.expires_at || ',"tx":' || (
          CASE
          WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
          WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
          COALESCE(
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
            (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
          )::text
          ELSE replace(replace(
              COALESCE(
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
              )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
          END) || '}' AS body
        FROM (SELECT row_number() OVER () AS number, listed.* FROM (
            SELECT r.position, r.key || '.' || r.position || '.' || encode(convert_to(r.label, 'UTF8'), 'hex') AS cursor
            FROM ranks AS r
            WHERE r.ranking = k.key AND (r.key, r.label, r.position) >= (start.key, start.label, start.position)
            ORDER BY r.key, r.label, r.position
            LIMIT w.take OFFSET w.skip - start.before) AS listed) AS picked
        JOIN oracles AS o JOIN transactions AS t ON t.position = o.position ON o.position = picked.position
      ) AS item
    ) AS listed) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.clear
DELETE FROM oracles WHERE id = ANY ($1::text[]) AND id <> ALL ($2::text[])

-- name: oracles.queries
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT $4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT
          '{"query_id":"' || q.id || '","request":' ||
          left(
            CASE
            WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
            WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
            COALESCE(
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
            )::text
            ELSE replace(replace(
                COALESCE(
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
            END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
          (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' || ',"response":' || COALESCE(
            (SELECT
              left(
                CASE
                WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
                WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
                COALESCE(
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
                )::text
                ELSE replace(replace(
                    COALESCE(
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                    )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
                END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
              (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' FROM transactions AS t WHERE t.position = q.response_position),
            'null'
          ) || '}'
          FROM oracle_queries AS q
          WHERE q.position = t.position
          LIMIT 1) AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.queries.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + $3::bigint AND $3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = $1::smallint AND id = $2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT COALESCE((SELECT t.position FROM transactions_by_hash AS t WHERE t.hash = $4), $5::bigint) AS position LIMIT 1) AS r
    CROSS JOIN LATERAL (
      WITH RECURSIVE search AS (
        SELECT 0::bigint AS low, c.total AS high
        UNION ALL
        SELECT
        CASE WHEN e.position < r.position THEN half.way ELSE s.low END,
        CASE WHEN e.position < r.position THEN s.high ELSE half.way - 1 END
        FROM search AS s
        CROSS JOIN LATERAL (SELECT (s.low + s.high + 1) / 2 AS way LIMIT 1) AS half
        CROSS JOIN LATERAL (SELECT e.position FROM entries AS e WHERE e.list = l.key AND e.ordinal = half.way LIMIT 1) AS e
        WHERE s.low < s.high
      )
      SELECT low AS count FROM search WHERE low = high LIMIT 1) AS before
    CROSS JOIN LATERAL (SELECT c.total - before.count AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.hash || '-' || item.position) FILTER (WHERE item.ordinal = c.total - s.skip - $3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT
          '{"query_id":"' || q.id || '","request":' ||
          left(
            CASE
            WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
            WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
            COALESCE(
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
            )::text
            ELSE replace(replace(
                COALESCE(
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
            END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
          (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' || ',"response":' || COALESCE(
            (SELECT
              left(
                CASE
                WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
                WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
                COALESCE(
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
                )::text
                ELSE replace(replace(
                    COALESCE(
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                    )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
                END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
              (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' FROM transactions AS t WHERE t.position = q.response_position),
            'null'
          ) || '}'
          FROM oracle_queries AS q
          WHERE q.position = t.position
          LIMIT 1) AS body, t.hash, t.position, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - $3::bigint
          ORDER BY e.ordinal DESC
          LIMIT $3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.queries.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::smallint[]), (SELECT $2::text[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]))
WITH ORDINALITY AS asked (p1, p2, p3, p4, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT c.total, '[' || COALESCE(page.body, '') || ']' AS body,
    CASE WHEN c.total > s.skip + asked.p3::bigint AND asked.p3::bigint > 0 THEN page.last END AS next
    FROM (
      SELECT (SELECT key FROM lists WHERE kind = asked.p1::smallint AND id = asked.p2) AS key
      LIMIT 1
    ) AS l
    CROSS JOIN LATERAL (
      SELECT COALESCE((SELECT e.ordinal FROM entries AS e WHERE e.list = l.key ORDER BY e.ordinal DESC LIMIT 1), 0)::bigint AS total
      LIMIT 1
    ) AS c
    CROSS JOIN LATERAL (SELECT asked.p4::bigint AS skip LIMIT 1) AS s
    CROSS JOIN LATERAL (
      SELECT string_agg(item.body, ',') AS body, max(item.cursor) FILTER (WHERE item.ordinal = c.total - s.skip - asked.p3::bigint + 1) AS last
      FROM (
        SELECT
        (SELECT
          '{"query_id":"' || q.id || '","request":' ||
          left(
            CASE
            WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
            WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
            COALESCE(
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
              (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
            )::text
            ELSE replace(replace(
                COALESCE(
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                  (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
            END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
          (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' || ',"response":' || COALESCE(
            (SELECT
              left(
                CASE
                WHEN t.type NOT IN (SELECT code FROM types WHERE name IN ('GAMetaTx', 'PayingForTx')) THEN substr(t.body, t.tx_start, t.tx_length)
                WHEN t.body !~ '\\u(0000|[dD][89a-fA-F])' THEN
                COALESCE(
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx,tx,tx}',
                  (substr(t.body, t.tx_start, t.tx_length))::json #> '{tx,tx}'
                )::text
                ELSE replace(replace(
                    COALESCE(
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx,tx,tx}',
                      (replace(replace(substr(t.body, t.tx_start, t.tx_length), '\\', ('b' || md5(t.body))), '\u', ('u' || md5(t.body))))::json #> '{tx,tx}'
                    )::text, ('u' || md5(t.body)), '\u'), ('b' || md5(t.body)), '\\')
                END, -1) || ',"hash":"' || t.hash || '","timestamp":' ||
              (SELECT m.time FROM micro_blocks AS m WHERE m.position = (t.position & (-65536)::bigint)) || '}' FROM transactions AS t WHERE t.position = q.response_position),
            'null'
          ) || '}'
          FROM oracle_queries AS q
          WHERE q.position = t.position
          LIMIT 1) AS body, t.hash || '-' || t.position AS cursor, e.ordinal
        FROM (
          SELECT e.position, e.ordinal AS ordinal
          FROM entries AS e WHERE e.list = l.key AND e.ordinal <= c.total - s.skip AND e.ordinal > c.total - s.skip - asked.p3::bigint
          ORDER BY e.ordinal DESC
          LIMIT asked.p3::bigint
        ) AS e
        JOIN transactions AS t ON t.position = e.position
        ORDER BY e.ordinal DESC
      ) AS item
    ) AS page) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: oracles.save
INSERT INTO oracles AS o (id, position, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, expires_at = EXCLUDED.expires_at
WHERE (o.position, o.expires_at) IS DISTINCT FROM (EXCLUDED.position, EXCLUDED.expires_at)

-- name: oracles.some
SELECT id, position, expires_at FROM oracles WHERE id = ANY ($1::text[])

-- name: oracles.undo-extensions
UPDATE oracles AS o SET expires_at = o.expires_at - w.by
FROM unnest($1::text[], $2::bigint[]) AS w (id, by) WHERE o.id = w.id

-- name: oracles.unstored
DELETE FROM oracles WHERE position >= $1 AND position < $2

-- name: ownership.objects
SELECT o.type AS kind,
CASE WHEN o.schema IS NULL THEN o.identity ELSE substr(o.identity, length(o.schema) + 2) END AS identity
FROM pg_namespace AS n
JOIN pg_depend AS d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid AND d.deptype = 'n'
CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS o
WHERE n.nspname = current_schema() AND NOT (o.type = 'sequence' AND EXISTS (
    SELECT FROM pg_depend AS part
    WHERE part.classid = d.classid AND part.objid = d.objid AND part.refclassid = d.classid
    AND part.deptype IN ('a', 'i')
)) AND CASE WHEN d.classid = 'pg_class'::regclass THEN (
  SELECT whole.relnamespace FROM pg_inherits AS i
  JOIN pg_class AS part ON part.oid = i.inhrelid AND part.relispartition
  JOIN pg_class AS whole ON whole.oid = i.inhparent
  WHERE i.inhrelid = d.objid LIMIT 1
) END IS DISTINCT FROM n.oid
ORDER BY kind, identity

-- name: pointers.before
SELECT w.name, w.asked, t.position, t.body, i.body AS info, t.tx_start, t.tx_length, EXISTS (
  SELECT FROM entries AS e JOIN transactions AS c ON c.position = e.position JOIN types AS y ON y.code = c.type
  WHERE e.list = l.key AND e.ordinal < last.ordinal AND y.name IN ('NameClaimTx', 'GAMetaTx', 'PayingForTx')
) AS claimed
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS w (name, asked, before)
JOIN lists AS l ON l.kind = 6 AND l.id = w.name
CROSS JOIN LATERAL (
  SELECT e.position, e.ordinal FROM entries AS e JOIN types AS y ON y.code = e.type
  WHERE e.list = l.key AND e.position < w.before
  AND y.name IN ('NameClaimTx', 'NameUpdateTx', 'GAMetaTx', 'PayingForTx')
  ORDER BY e.ordinal DESC LIMIT 1
) AS last
JOIN transactions AS t ON t.position = last.position
LEFT JOIN infos AS i ON i.position = last.position

-- name: proof.read
SELECT c.live,
COALESCE((SELECT max(height) FROM key_blocks), -1) AS height,
COALESCE((to_jsonb(c) ->> 'proven_height')::bigint, -1) AS proven
FROM chain AS c

-- name: proven.lower
UPDATE chain SET proven_height = $1 WHERE proven_height > $1

-- name: proven.progress
SELECT proven_height, verify_height FROM chain

-- name: proven.raise
UPDATE chain SET proven_height = $2 WHERE proven_height >= $1 - 1 AND proven_height < $2

-- name: proven.verify-height
UPDATE chain SET verify_height = $1

-- name: rankings.mend
INSERT INTO rankings (kind, id)
SELECT DISTINCT r.kind, r.id FROM unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (
  SELECT r.kind, r.id, r.key, r.label, r.position FROM names AS n CROSS JOIN LATERAL ranks_of_name(
    n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
  ) AS r
  WHERE n.position = p.position
  UNION ALL SELECT 6, '', 0, '', c.position FROM contracts AS c WHERE c.position = p.position AND NOT c.failed
  UNION ALL
  SELECT 7, c.contract_id, 0, '', c.position FROM contract_calls AS c WHERE c.position = p.position AND c.state = 'done'
  UNION ALL SELECT 8, '', 0, '', o.position FROM oracles AS o WHERE o.position = p.position AND o.active) AS r
ON CONFLICT (kind, id) DO NOTHING

-- name: ranks.mend-delete
DELETE FROM ranks AS r
USING unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) AS p (id, key, label, position), rankings AS k
WHERE k.id = p.id AND r.ranking = k.key AND r.key = p.key AND r.label = p.label AND r.position = p.position
AND NOT EXISTS (
  SELECT FROM (
    SELECT r.kind, r.id, r.key, r.label, r.position FROM names AS n CROSS JOIN LATERAL ranks_of_name(
      n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
    ) AS r
    WHERE n.position = p.position
    UNION ALL SELECT 6, '', 0, '', c.position FROM contracts AS c WHERE c.position = p.position AND NOT c.failed
    UNION ALL
    SELECT 7, c.contract_id, 0, '', c.position FROM contract_calls AS c WHERE c.position = p.position AND c.state = 'done'
    UNION ALL SELECT 8, '', 0, '', o.position FROM oracles AS o WHERE o.position = p.position AND o.active) AS w WHERE w.kind = k.kind AND w.id = k.id AND w.key = r.key AND w.label = r.label
)

-- name: ranks.mend-insert
INSERT INTO ranks (ranking, key, label, position)
SELECT k.key, r.key, r.label, r.position
FROM unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (
  SELECT r.kind, r.id, r.key, r.label, r.position FROM names AS n CROSS JOIN LATERAL ranks_of_name(
    n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
  ) AS r
  WHERE n.position = p.position
  UNION ALL SELECT 6, '', 0, '', c.position FROM contracts AS c WHERE c.position = p.position AND NOT c.failed
  UNION ALL
  SELECT 7, c.contract_id, 0, '', c.position FROM contract_calls AS c WHERE c.position = p.position AND c.state = 'done'
  UNION ALL SELECT 8, '', 0, '', o.position FROM oracles AS o WHERE o.position = p.position AND o.active) AS r
JOIN rankings AS k ON k.kind = r.kind AND k.id = r.id
ON CONFLICT (ranking, key, label, position) DO NOTHING

-- name: ranks.mend-stray
DELETE FROM ranks AS r USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS p (ranking, key, label, position)
WHERE r.ranking = p.ranking AND r.key = p.key AND r.label = p.label AND r.position = p.position
AND NOT EXISTS (SELECT FROM rankings AS k WHERE k.key = r.ranking AND k.kind = ANY ($5::smallint[]))

-- name: rates.spends
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '[' || COALESCE((
        SELECT string_agg(item.body, ',')
        FROM (
          SELECT
          '{"date":"' || to_char(day, 'YYYY-MM-DD') || '","count":' || count || ',"amount":"' || amount || '"}' AS body
          FROM days
          WHERE day > $1::date AND day < $2::date
          ORDER BY day
        ) AS item
      ), '') || ']' AS body) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: removed_transactions.count
SELECT COUNT(*) AS count FROM removed_transactions

-- name: removed_transactions.delete
DELETE FROM removed_transactions

-- name: removed_transactions.delete-stored
DELETE FROM removed_transactions AS r
WHERE EXISTS (SELECT FROM transactions_by_hash AS t WHERE t.hash = r.hash)

-- name: removed_transactions.store
INSERT INTO removed_transactions (position, hash, body)
SELECT position, hash, body FROM transactions WHERE position >= $1 AND position < $2

-- name: replica.check
SELECT pg_is_in_recovery() AS standby, (SELECT (epoch << 32) + commits FROM writer) AS commit_number

-- name: replica.copy
SELECT id, (SELECT (epoch << 32) + commits FROM writer) AS commit_number FROM marker

-- name: returned_contracts.backfill
INSERT INTO returned_contracts (contract_id, position)
SELECT i.id, l.position FROM contract_calls AS l CROSS JOIN LATERAL contracts_in(l.result) AS i
WHERE l.position > $1 AND l.position <= $2 AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = i.id)
ON CONFLICT DO NOTHING

-- name: returned_contracts.insert
INSERT INTO returned_contracts (contract_id, position)
SELECT i.id, l.position FROM contract_calls AS l CROSS JOIN LATERAL contracts_in(l.result) AS i
WHERE l.position = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = i.id)
ON CONFLICT DO NOTHING
RETURNING contract_id AS id

-- name: returned_contracts.undo
DELETE FROM returned_contracts WHERE position >= $1 AND position < $2

-- name: rewards.facts
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT k.beneficiary, own.fees, before.fees AS fees_before, (SELECT body FROM key_block_texts ORDER BY height DESC LIMIT 1) AS newest
    FROM key_blocks AS k
    JOIN generations AS own ON own.height = k.height
    LEFT JOIN generations AS before ON before.height = k.height - 1
    WHERE k.height = $1::bigint) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: rewrites.last
SELECT max(number) AS last FROM rewrites

-- name: rewrites.prune
DELETE FROM rewrites WHERE number <= (SELECT max(number) FROM rewrites) - 10000

-- name: rewrites.record
INSERT INTO rewrites (number, height) SELECT COALESCE(max(number), 0) + 1, $1 FROM rewrites

-- name: rewrites.since
SELECT min(number) AS first, max(number) AS last, min(height) FILTER (WHERE number > $1) AS lowest FROM rewrites

-- name: sampled_counts.mend
INSERT INTO sampled_counts (ranking, level, key, label, position, count)
SELECT ranking, level, COALESCE(max(key) FILTER (WHERE sampled), -9223372036854775808),
COALESCE(max(label) FILTER (WHERE sampled), ''), COALESCE(max(position) FILTER (WHERE sampled), -1), count(*)
FROM (
  SELECT *, count(*) FILTER (WHERE sampled) OVER (
    PARTITION BY ranking, level ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
  ) AS bucket,
  bool_or(sampled) OVER (PARTITION BY ranking, level) AS any_sampled
  FROM (
    SELECT r.ranking, l.level, r.key, r.label, r.position, is_sampled(l.level, r.position) AS sampled
    FROM ranks AS r CROSS JOIN (VALUES (1::smallint), (3::smallint)) AS l (level)
    WHERE r.ranking = ANY ($1::bigint[])
  ) AS members
) AS placed
WHERE any_sampled
GROUP BY ranking, level, bucket

-- name: sampled_counts.mend-delete
DELETE FROM sampled_counts WHERE ranking = ANY ($1::bigint[])

-- name: sampled_counts.mend-delete-orphans
DELETE FROM sampled_counts AS s
USING unnest($1::bigint[]) AS p (position) CROSS JOIN LATERAL (
  SELECT r.kind, r.id, r.key, r.label, r.position FROM names AS n CROSS JOIN LATERAL ranks_of_name(
    n.position, n.name, n.created_at_height, n.owner, n.expires_at, n.pointer_ids, n.active
  ) AS r
  WHERE n.position = p.position
  UNION ALL SELECT 6, '', 0, '', c.position FROM contracts AS c WHERE c.position = p.position AND NOT c.failed
  UNION ALL
  SELECT 7, c.contract_id, 0, '', c.position FROM contract_calls AS c WHERE c.position = p.position AND c.state = 'done'
  UNION ALL SELECT 8, '', 0, '', o.position FROM oracles AS o WHERE o.position = p.position AND o.active) AS r
JOIN rankings AS k ON k.kind = r.kind AND k.id = r.id
WHERE s.ranking = k.key AND s.key = r.key AND s.label = r.label AND s.position = r.position
AND NOT EXISTS (
  SELECT FROM ranks AS t
  WHERE t.ranking = s.ranking AND t.key = s.key AND t.label = s.label AND t.position = s.position
)

-- name: schema.describe
WITH here AS (SELECT oid, quote_ident(nspname) || '.' AS prefix FROM pg_namespace WHERE nspname = current_schema()),
whole AS (
  SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, here.prefix
  FROM here JOIN pg_class AS c ON c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND NOT c.relispartition
)
SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'c' THEN 'type' ELSE 'table' END || ' ' || c.relname AS label,
concat_ws(', ',
  CASE c.relkind WHEN 'r' THEN 'plain' WHEN 'p' THEN 'partitioned by ' || pg_get_partkeydef(c.oid) WHEN 'v' THEN 'view'
  WHEN 'c' THEN 'composite' ELSE 'of kind ' || c.relkind::text END,
  CASE WHEN c.relpersistence <> 'p' THEN 'not logged' END,
  CASE WHEN c.relrowsecurity OR c.relforcerowsecurity THEN 'with row level security' END,
  CASE WHEN c.relkind = 'v' AND c.reloptions IS NOT NULL THEN array_to_string(c.reloptions, ' ') END,
  -- A table that inherits adds its rows to every answer.
  (SELECT 'inherited by ' || string_agg(i.inhrelid::regclass::text, ' ' ORDER BY i.inhrelid)
    FROM pg_inherits AS i WHERE i.inhparent = c.oid AND c.relkind <> 'p')
) AS definition, c.relname AS "of"
FROM whole AS c
UNION ALL
SELECT concat('column ', c.relname, '.', a.attname),
concat_ws(' ', format_type(a.atttypid, a.atttypmod),
  (SELECT 'COLLATE ' || o.collname FROM pg_collation AS o WHERE o.oid = a.attcollation AND a.attcollation <> t.typcollation),
  CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'IDENTITY ' || NULLIF(a.attidentity::text, ''),
  'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)), c.relname
FROM whole AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef AS d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
UNION ALL
SELECT concat('constraint ', c.relname, '.', k.conname),
replace(pg_get_constraintdef(k.oid), c.prefix, '') || CASE WHEN k.convalidated THEN '' ELSE ' NOT VALID' END, c.relname
FROM whole AS c JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype <> 'n' AND k.contype <> 't'
UNION ALL
SELECT 'index ' || i.indexrelid::regclass::text,
replace(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), c.prefix, '')
|| CASE WHEN i.indisvalid AND i.indisready AND i.indislive THEN '' ELSE ' INVALID' END, c.relname
FROM whole AS c JOIN pg_index AS i ON i.indrelid = c.oid
UNION ALL
SELECT concat('trigger ', c.relname, '.', g.tgname),
replace(replace(pg_get_triggerdef(g.oid), c.prefix, ''), ' EXECUTE PROCEDURE ', ' EXECUTE FUNCTION ')
|| CASE g.tgenabled WHEN 'O' THEN '' ELSE ' enabled ' || g.tgenabled::text END, c.relname
FROM whole AS c JOIN pg_trigger AS g ON g.tgrelid = c.oid AND NOT g.tgisinternal
UNION ALL
SELECT concat('rule ', c.relname, '.', r.rulename), replace(pg_get_ruledef(r.oid), c.prefix, ''), c.relname
FROM whole AS c JOIN pg_rewrite AS r ON r.ev_class = c.oid AND r.rulename <> '_RETURN'
UNION ALL
SELECT concat('function ', p.proname, '(', replace(pg_get_function_identity_arguments(p.oid), here.prefix, ''), ')'),
concat_ws(' ', 'RETURNS', replace(pg_get_function_result(p.oid), here.prefix, ''), 'LANGUAGE', l.lanname, p.provolatile::text,
  CASE WHEN p.proisstrict THEN 'STRICT' END, CASE WHEN p.prosecdef THEN 'SECURITY DEFINER' END,
  'SET ' || array_to_string(p.proconfig, ' SET '), 'AS', p.prosrc), NULL
FROM here JOIN pg_proc AS p ON p.pronamespace = here.oid JOIN pg_language AS l ON l.oid = p.prolang
ORDER BY 1

-- name: schema.enter
SELECT set_config('search_path', $1, true)

-- name: seen_accounts.backfill
WITH part AS (SELECT key FROM lists WHERE key > $1::bigint ORDER BY key LIMIT 20000)
SELECT max(p.key) AS last, refresh_seen_accounts(array_agg(p.key)) FROM part AS p

-- name: seen_accounts.mend
SELECT refresh_seen_accounts(ARRAY(SELECT l.key FROM lists AS l WHERE l.kind IN (1, 10) AND l.id = ANY ($1::text[])))

-- name: seen_accounts.mend-delete
DELETE FROM seen_accounts WHERE id = ANY ($1::text[])

-- name: server.version
SELECT
current_setting('server_version_num') AS number,
current_setting('server_version') AS version,
current_setting('server_encoding') AS encoding

-- name: serving.insert
INSERT INTO serving (number, step, reload, result, schema, work, written_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (number) DO NOTHING

-- name: serving.lock
SELECT pg_advisory_xact_lock(hashtextextended('mdw serving ' || $1, 0))

-- name: serving.read
SELECT number, step, reload, result, schema, work, written_at AS at FROM serving ORDER BY number

-- name: serving.table
SELECT to_regclass('serving') IS NOT NULL AS found

-- name: set-aside.epoch
UPDATE writer SET epoch = $1::bigint + 1

-- name: set-aside.names
SELECT nspname FROM pg_namespace WHERE starts_with(nspname::text, $1)

-- name: set-aside.numbers
SELECT epoch, event_seq AS seq FROM writer, chain

-- name: set-aside.rights
SELECT pg_has_role(nspowner, 'USAGE') AND has_database_privilege(current_database(), 'CREATE') AS may
FROM pg_namespace WHERE nspname = $1

-- name: set-aside.seq
UPDATE chain SET event_seq = $1::bigint + 1

-- name: staged.delete
DELETE FROM staged_blocks WHERE owner = $1 AND position >= $2

-- name: staged.ends
(SELECT position, hash, prev_hash FROM staged_blocks WHERE owner = $1 ORDER BY position LIMIT 1)
UNION ALL
(SELECT position, hash, prev_hash FROM staged_blocks WHERE owner = $1 ORDER BY position DESC LIMIT 1)

-- name: staged.key-hash
SELECT hash FROM staged_blocks WHERE owner = $1 AND position = $2

-- name: staged.leftovers
DELETE FROM staged_blocks WHERE owner IN (
  SELECT owner FROM (SELECT DISTINCT owner FROM staged_blocks WHERE owner LIKE 'heights %' OFFSET 0) AS owners
  WHERE pg_try_advisory_xact_lock(hashtextextended('mdw stage ' || current_schema() || ' ' || owner, 0))
)

-- name: staged.page
SELECT position, version, body, transactions, infos, unproven, proven
FROM (
  SELECT *, sum(length(body) + coalesce(length(transactions), 0))
  OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM (
    SELECT * FROM staged_blocks WHERE owner = $1 AND position > $2 ORDER BY position LIMIT $3
  ) AS next
) AS page
WHERE coalesce(before, 0) < $4
ORDER BY position

-- name: staged.targets
SELECT position >> 33 AS height, target FROM staged_blocks
WHERE owner = $1 AND target IS NOT NULL AND position > $2::bigint << 33 ORDER BY position LIMIT $3

-- name: statistics.is-more
SELECT EXISTS (SELECT FROM key_blocks WHERE height >= $1::bigint) AS is_more

-- name: status.facts
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
    k.time AS head_time,
    (extract(epoch FROM now() - c.seen_at) * 1000)::bigint AS silent_for,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_state END AS node_state,
    NOT c.live AS loading, h.hash AS held_hash, h.height AS held_height, h.depth AS held_depth,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_reason END AS node_reason,
    (
      SELECT json_object_agg(type, count ORDER BY type)
      FROM (
        SELECT type, count(*) AS count
        FROM unproven
        WHERE position >= (GREATEST(k.height - 499, 0) << 33)
        GROUP BY type
      ) AS by_type
    ) AS unproven,
    (
      SELECT count(*)
      FROM unknown_infos AS u
      WHERE u.position >= (GREATEST(k.height - 499, 0) << 33)
      AND (SELECT true FROM transactions AS t WHERE t.position = u.position)
    ) AS unknown_infos,
    (SELECT json_object_agg(projection, GREATEST(position >> 33, -1) ORDER BY projection) FROM backfills) AS backfills,
    (SELECT count(*) FROM node_records WHERE differs) AS records_of_node,
    (
      SELECT json_build_object('differences', count(*), 'reason', (array_agg(reason ORDER BY position, hash))[1])
      FROM differing_opinions HAVING count(*) > 0
    ) AS opinions,
    CASE
    WHEN k.height IS NULL OR c.live AND c.node_state IS DISTINCT FROM 'loading' THEN 0
    ELSE k.height + 1 - (SELECT count(*) FROM key_blocks)
    END AS gaps,
    (
      SELECT count(*)
      FROM transactions
      WHERE NOT valid AND position >= (GREATEST(k.height - 499, 0) << 33)
    ) AS errors,
    c.proven_height
    FROM chain AS c
    LEFT JOIN held_reorg AS h ON true
    LEFT JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS k ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: status.health
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (SELECT
    (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
    k.time AS head_time,
    (extract(epoch FROM now() - c.seen_at) * 1000)::bigint AS silent_for,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_height END AS node_height,
    CASE WHEN c.seen_at > now() - interval '60 seconds' THEN c.node_state END AS node_state,
    NOT c.live AS loading, h.hash AS held_hash, h.height AS held_height, h.depth AS held_depth
    FROM chain AS c
    LEFT JOIN held_reorg AS h ON true
    LEFT JOIN (SELECT height, time FROM key_blocks ORDER BY height DESC LIMIT 1) AS k ON true) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: sums.count
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"count":' || COALESCE((
        SELECT tx_total FROM generations WHERE height <= $1::bigint ORDER BY height DESC LIMIT 1
      ), 0) || '}' AS body) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: sums.count.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::bigint[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT '{"count":' || COALESCE((
        SELECT tx_total FROM generations WHERE height <= asked.p1::bigint ORDER BY height DESC LIMIT 1
      ), 0) || '}' AS body) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: sums.of
SELECT NULL AS type, 0 AS count, 0 AS size, COALESCE(MAX(time), 0) AS time FROM key_blocks
WHERE height >= $1::bigint >> 33 AND height < $2::bigint >> 33
UNION ALL
SELECT type, COUNT(*), SUM(size), 0 FROM transactions WHERE position >= $1 AND position < $2 GROUP BY type

-- name: sums.size
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT '{"size":' || COALESCE((
        SELECT size_total FROM generations WHERE height <= $1::bigint ORDER BY height DESC LIMIT 1
      ), 0) || '}' AS body) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: sums.size.joined
SELECT (asked.number - 1)::int AS asked, answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM unnest((SELECT $1::bigint[]))
WITH ORDINALITY AS asked (p1, number)
LEFT JOIN LATERAL (
  SELECT true AS answer_found, inside.*
  FROM (
    SELECT '{"size":' || COALESCE((
        SELECT size_total FROM generations WHERE height <= asked.p1::bigint ORDER BY height DESC LIMIT 1
      ), 0) || '}' AS body) AS inside
  LIMIT 1
) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: supply.after
SELECT COALESCE(b.balances, 0) AS balances, COALESCE(b.locked, 0) AS locked, COALESCE(h.held, 0) + COALESCE(u.amount, 0) AS held,
COALESCE(h.channels, 0) AS channels, COALESCE(m.deposits, 0) AS deposits, COALESCE(e.fees, 0) + COALESCE(m.gas, 0) AS fees, COALESCE(m.rewards, 0) AS rewards
FROM (
  SELECT sum(m.balance) AS balances, sum(m.balance) FILTER (WHERE i.id = 'ak_11111111111111111111111111111111273Yts') AS locked
  FROM ledger_ids AS i CROSS JOIN LATERAL (
    SELECT r.balance FROM movement_rows AS r WHERE r.account = i.key AND r.position <= $1 ORDER BY r.position DESC, r.index DESC LIMIT 1
  ) AS m
) AS b
CROSS JOIN (
  SELECT sum(amount) FILTER (WHERE kind <> 3) AS held, sum(amount) FILTER (WHERE kind = 3) AS channels
  FROM held WHERE position <= $1 AND (released IS NULL OR released > $1)
) AS h
CROSS JOIN (SELECT sum(amount) AS amount FROM unseen_held WHERE position <= $1) AS u
CROSS JOIN (
  SELECT -sum(amount) FILTER (WHERE abs(kind) = 5) AS deposits,
  -- Where no call information tells it.
  -sum(amount) FILTER (WHERE kind = -3) AS gas,
  sum(amount) FILTER (WHERE abs(kind) IN (19, 20)) AS rewards
  FROM movement_rows WHERE position <= $1
) AS m
CROSS JOIN (SELECT sum(fees) AS fees FROM earnings WHERE position <= $1) AS e
WHERE EXISTS (SELECT FROM key_blocks WHERE height = $2 AND hash = $3) AND EXISTS (SELECT FROM ledger WHERE position >= $1)

-- name: survey.schema
SELECT has_schema_privilege(oid, 'USAGE') AS usable FROM pg_namespace WHERE nspname = $1

-- name: token_balances.bases
INSERT INTO token_balances (contract_id, account, base, amount, events)
SELECT d.id, d.account, d.amount, d.amount, 0 FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS d (id, account, amount)
ON CONFLICT (contract_id, account) DO UPDATE SET base = EXCLUDED.base

-- name: token_balances.clear-bases
UPDATE token_balances SET base = NULL WHERE contract_id = ANY ($1::text[]) AND base IS NOT NULL

-- name: token_balances.empty
DELETE FROM token_balances
WHERE contract_id = ANY ($1::text[]) AND told IS NULL AND amount = 0 AND events = 0 AND base IS NULL

-- name: token_balances.freeze
UPDATE token_balances SET told = amount WHERE contract_id = ANY ($1::text[]) AND amount <> 0 AND told IS NULL

-- name: token_balances.told
INSERT INTO token_balances (contract_id, account, amount, events, told)
SELECT d.id, d.account, d.amount, 0, NULLIF(d.amount, 0) FROM unnest($1::text[], $2::numeric[], $3::numeric[]) AS d (id, account, amount)
ON CONFLICT (contract_id, account) DO UPDATE SET told = EXCLUDED.told, amount = EXCLUDED.amount

-- name: token_balances.untold
UPDATE token_balances AS b SET told = NULL, amount = 0
WHERE b.contract_id = ANY ($1::text[]) AND (b.told IS NOT NULL OR b.amount <> 0)
AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::numeric[]) AS d (id, account) WHERE d.id = b.contract_id AND d.account = b.account)

-- name: token_metadata.backfill
WITH part AS (
  SELECT t.contract_id, t.position FROM tokens AS t
  WHERE t.kind = 141 AND t.position > $1::bigint AND t.position <= COALESCE((
      SELECT l.position FROM tokens AS l WHERE l.kind = 141 AND l.position > $1::bigint ORDER BY l.position OFFSET 49 LIMIT 1
    ), 9223372036854775807)
)
SELECT max(p.position) AS last, fill_metadata(array_agg(p.contract_id), NULL)::text FROM part AS p

-- name: token_metadata.count-due
SELECT count(*) AS count FROM token_metadata WHERE state = 'due'

-- name: token_metadata.due
SELECT d.contract_id AS "contractId", d.token_id::text AS single, d.position, b.hash AS block, d.attempts
FROM (
  SELECT contract_id, token_id, position, attempts, due_at FROM token_metadata
  WHERE state = 'due' AND due_at <= now() ORDER BY due_at, position LIMIT $1
) AS d
JOIN micro_blocks AS b ON b.position = (d.position & (-65536)::bigint)
ORDER BY d.due_at, d.position

-- name: token_metadata.mend
SELECT fill_metadata($1::text[], $2::numeric[])::text

-- name: token_metadata.mend-answers
DELETE FROM token_metadata AS m USING unnest($1::text[], $2::numeric[]) AS w (id, single)
WHERE m.contract_id = w.id AND m.token_id = w.single AND is_misquoted(m)

-- name: token_metadata.postpone
UPDATE token_metadata AS m SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 2 ^ LEAST(attempts, 17)))
FROM unnest($1::text[], $2::numeric[]) AS d (id, single)
WHERE m.contract_id = d.id AND m.token_id = d.single AND m.state = 'due'

-- name: token_metadata.save
UPDATE token_metadata AS m
SET state = d.state, metadata = d.metadata, answer = metadata_answer(d.position, d.state, d.metadata), attempts = 0
FROM unnest($1::text[], $2::numeric[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS d (id, single, position, block, state, metadata)
JOIN micro_blocks AS b ON b.position = (d.position & (-65536)::bigint) AND b.hash = d.block
WHERE m.contract_id = d.id AND m.token_id = d.single AND m.position = d.position
RETURNING m.state

-- name: tokens.backfill
SELECT p.position, p.created, t.body, i.body AS info
FROM (
  SELECT position, bool_or(created) AS created FROM (
    (SELECT position, true AS created FROM contracts WHERE position > $1 ORDER BY position LIMIT $2)
    UNION ALL (SELECT position, false FROM contract_calls WHERE position > $1 ORDER BY position LIMIT $2)
    UNION ALL (SELECT position, false FROM contract_logs WHERE position > $1 ORDER BY position LIMIT $2)
  ) AS u GROUP BY position ORDER BY position LIMIT $2
) AS p
LEFT JOIN transactions AS t ON t.position = p.position AND p.created
LEFT JOIN infos AS i ON i.position = p.position AND p.created
ORDER BY p.position

-- name: tokens.backfill-seen
SELECT contract_id AS id FROM contract_calls WHERE position > $1 AND position <= $2
UNION SELECT contract_id FROM contract_logs WHERE position > $1 AND position <= $2
UNION SELECT contract_id FROM returned_contracts WHERE position > $1 AND position <= $2

-- name: tokens.called
INSERT INTO tokens AS t (contract_id, position)
SELECT c.id, min(c.position) FROM unnest($1::text[], $2::bigint[]) AS c (id, position)
WHERE NOT EXISTS (SELECT FROM contracts AS k WHERE k.id = c.id)
GROUP BY c.id
ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position
WHERE t.position > EXCLUDED.position AND NOT t.created

-- name: tokens.checked
UPDATE tokens SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 3600 * 2 ^ LEAST(attempts, 5))) WHERE contract_id = ANY ($1::text[])

-- name: tokens.checked-above
SELECT contract_id AS id FROM tokens WHERE told_position > $1

-- name: tokens.count-states
SELECT count(*) FILTER (WHERE kind IS NULL) AS code, count(*) FILTER (WHERE kind > 0 AND meta_state = 'due') AS name, count(*) FILTER (WHERE kind > 0 AND meta_state <> 'due' AND invalid IS NULL AND attempts = 0) AS first_check, count(*) FILTER (WHERE kind > 0 AND meta_state <> 'due' AND invalid IS NULL AND attempts > 0) AS checked, count(*) FILTER (WHERE invalid IS NOT NULL) AS invalid, count(*) FILTER (WHERE kind = 0) AS refused FROM tokens AS t
WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)

-- name: tokens.differing
WITH checked AS (
  SELECT d.id, t.kind, t.invalid, t.supply, d.told, d.whole, d.end_position
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::numeric[], $6::boolean[])
  AS d (id, position, block, end_position, told, whole)
  JOIN micro_blocks AS m ON m.position = d.end_position - 65536 AND m.hash = d.block
  JOIN tokens AS t ON t.contract_id = d.id AND t.position = d.position AND t.kind > 0 AND t.meta_state <> 'due'
  AND COALESCE(t.told_position, 0) < d.end_position
  WHERE NOT EXISTS (SELECT FROM due_infos AS i WHERE i.position < d.end_position)
),
later AS (
  SELECT c.id, d.account, d.delta
  FROM checked AS c
  JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(c.id, 0) AND l.contract_id = c.id
  AND l.position >= c.end_position
  CROSS JOIN LATERAL token_deltas(c.kind, l.topics) AS d
  WHERE c.invalid IS NULL
),
told AS (SELECT * FROM unnest($7::text[], $8::numeric[], $9::numeric[]) AS d (id, account, amount))
SELECT c.id, COALESCE(c.invalid, CASE
  WHEN EXISTS (
    SELECT FROM (
      SELECT b.account, b.amount, 0 AS told, false AS is_told FROM token_balances AS b
      WHERE b.contract_id = c.id AND (c.whole OR b.account IN (SELECT d.account FROM told AS d WHERE d.id = c.id))
      UNION ALL SELECT l.account, - l.delta, 0, false FROM later AS l WHERE l.id = c.id
      UNION ALL SELECT d.account, 0, d.amount, true FROM told AS d WHERE d.id = c.id
    ) AS s GROUP BY s.account HAVING sum(s.amount) <> sum(s.told) AND (c.whole OR bool_or(s.is_told))
  ) THEN 'balances'
  WHEN EXISTS (
    SELECT FROM unnest($10::text[], $11::numeric[], $12::numeric[]) AS d (id, single, owner)
    JOIN token_owners AS o ON o.contract_id = c.id AND o.token_id = d.single AND o.position < c.end_position
    WHERE d.id = c.id AND o.owner IS DISTINCT FROM d.owner
  ) THEN 'owners'
  WHEN c.told <> c.supply - COALESCE((SELECT sum(l.delta) FROM later AS l WHERE l.id = c.id), 0) THEN 'supply'
  END) AS reason
FROM checked AS c

-- name: tokens.drop
SELECT drop_tokens($1::text[])::text

-- name: tokens.due-checks
SELECT t.contract_id AS "contractId", t.kind, t.position, t.invalid IS NOT NULL AS "isInvalid", t.block, t."end", t.holders,
CASE WHEN t.kind = 141 THEN ARRAY(
  SELECT v.value::text FROM (SELECT) AS one
  CROSS JOIN LATERAL (
    SELECT e.lowest + floor((e.highest - e.lowest) * random()::numeric) AS start FROM (SELECT
      (SELECT s.token_id FROM token_owners AS s WHERE s.contract_id = t.contract_id AND s.owner IS NOT NULL ORDER BY s.token_id LIMIT 1) AS lowest,
      (SELECT s.token_id FROM token_owners AS s WHERE s.contract_id = t.contract_id AND s.owner IS NOT NULL ORDER BY s.token_id DESC LIMIT 1) AS highest) AS e
  ) AS r
  CROSS JOIN LATERAL (
    SELECT x.value FROM (
      (SELECT s.token_id AS value FROM token_owners AS s WHERE s.contract_id = t.contract_id AND s.owner IS NOT NULL AND s.token_id >= r.start ORDER BY s.token_id LIMIT 20)
      UNION (SELECT s.token_id FROM token_owners AS s WHERE s.contract_id = t.contract_id AND s.owner IS NOT NULL ORDER BY s.token_id LIMIT 20)
    ) AS x ORDER BY x.value < r.start, x.value LIMIT 20) AS v
) ELSE ARRAY(
  SELECT v.value::text FROM (SELECT) AS one
  CROSS JOIN LATERAL (
    SELECT e.lowest + floor((e.highest - e.lowest) * random()::numeric) AS start FROM (SELECT
      (SELECT s.account FROM token_balances AS s WHERE s.contract_id = t.contract_id ORDER BY s.account LIMIT 1) AS lowest,
      (SELECT s.account FROM token_balances AS s WHERE s.contract_id = t.contract_id ORDER BY s.account DESC LIMIT 1) AS highest) AS e
  ) AS r
  CROSS JOIN LATERAL (
    SELECT x.value FROM (
      (SELECT s.account AS value FROM token_balances AS s WHERE s.contract_id = t.contract_id AND s.account >= r.start ORDER BY s.account LIMIT CASE WHEN t.invalid IS NULL THEN 20 ELSE 100 END)
      UNION (SELECT s.account FROM token_balances AS s WHERE s.contract_id = t.contract_id ORDER BY s.account LIMIT CASE WHEN t.invalid IS NULL THEN 20 ELSE 100 END)
    ) AS x ORDER BY x.value < r.start, x.value LIMIT CASE WHEN t.invalid IS NULL THEN 20 ELSE 100 END
  ) AS v
  UNION (
    SELECT s.account::text FROM token_balances AS s
    WHERE t.invalid IS NOT NULL AND s.contract_id = t.contract_id AND s.position >= t.told_position LIMIT 100
  )
) END AS sample
FROM (
  SELECT t.*, m.hash AS block, m.position + 65536 AS "end"
  FROM (SELECT hash, position FROM micro_blocks ORDER BY position DESC LIMIT 1) AS m
  CROSS JOIN LATERAL (
    SELECT * FROM tokens AS t
    WHERE t.kind > 0 AND t.meta_state <> 'due' AND t.due_at <= now() AND t.told_block IS DISTINCT FROM m.hash AND t.position < m.position + 65536
    AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
    ORDER BY t.due_at LIMIT $1
  ) AS t
  WHERE NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position < m.position + 65536)
  AND NOT EXISTS (SELECT FROM backfills WHERE projection IN ('contract-logs', 'tokens'))
) AS t

-- name: tokens.due-codes
SELECT t.contract_id AS "contractId", o.code, t.position
FROM tokens AS t LEFT JOIN contract_codes AS o ON o.contract_id = t.contract_id
WHERE t.kind IS NULL AND t.due_at <= now() ORDER BY t.due_at LIMIT $1

-- name: tokens.due-metas
SELECT t.contract_id AS "contractId", t.kind, t.position, m.hash AS block
FROM (
  SELECT contract_id, kind, position FROM tokens AS t
  WHERE kind > 0 AND meta_state = 'due' AND due_at <= now()
  AND NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id AND c.failed)
  ORDER BY due_at LIMIT $1
) AS t
JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)

-- name: tokens.fill
SELECT fill_tokens($1::text[])::text

-- name: tokens.holdings.ascending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9 AND b.amount <> 0
      ORDER BY b.contract_id  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: tokens.holdings.ascending.after
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9 AND b.amount <> 0
      AND (b.contract_id) > ($3::text)
      ORDER BY b.contract_id  LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id ) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: tokens.holdings.descending
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT
    b.contract_id, b.account::text AS account, b.amount::text AS amount, COALESCE(b.log_index, -1) AS log_index,
    x.position, x.hash, m.hash AS block_hash, substring(m.body FROM '"height":\s*(\d+)') AS height, m.time, t.meta_state, t.meta, y.name AS tx_type,
    (SELECT g.tx_total - g.tx_count FROM generations AS g WHERE g.height = x.position >> 33) +
    COALESCE((
        SELECT sum(b.tx_count) FROM micro_blocks AS b
        WHERE b.position > (x.position >> 33) << 33 AND b.position < (x.position & (-65536)::bigint)
      ), 0) + (x.position & 65535) AS tx_index
    FROM (
      SELECT * FROM token_balances AS b
      WHERE b.account = $1::numeric AND (SELECT t.kind FROM tokens AS t WHERE t.contract_id = b.contract_id) = 9 AND b.amount <> 0
      ORDER BY b.contract_id DESC LIMIT $2::bigint
    ) AS b
    JOIN tokens AS t ON t.contract_id = b.contract_id
    CROSS JOIN LATERAL (SELECT o.position, o.hash, o.type FROM transactions AS o WHERE o.position = COALESCE(b.position, t.position) LIMIT 1) AS x
    CROSS JOIN LATERAL (
      SELECT o.hash, o.body, o.time FROM micro_blocks AS o WHERE o.position = ((COALESCE(b.position, t.position)) & (-65536)::bigint) LIMIT 1
    ) AS m
    JOIN types AS y ON y.code = x.type
    ORDER BY b.contract_id DESC) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: tokens.insert
INSERT INTO tokens AS t (contract_id, position, created, kind)
SELECT n.id, n.position, true, n.kind FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS n (id, position, kind)
ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position, created = true, kind = EXCLUDED.kind, attempts = 0, due_at = now(),
meta_state = CASE WHEN t.position = EXCLUDED.position AND t.kind = EXCLUDED.kind THEN t.meta_state ELSE 'due' END,
answers = CASE WHEN t.kind = EXCLUDED.kind THEN t.answers END, meta = CASE WHEN t.kind = EXCLUDED.kind THEN t.meta ELSE NULL END, name_key = CASE WHEN t.kind = EXCLUDED.kind THEN t.name_key ELSE '' END, symbol_key = CASE WHEN t.kind = EXCLUDED.kind THEN t.symbol_key ELSE '' END, base_position = CASE WHEN t.kind = EXCLUDED.kind THEN t.base_position ELSE NULL END, initial_supply = CASE WHEN t.kind = EXCLUDED.kind THEN t.initial_supply ELSE NULL END

-- name: tokens.keep-answers
SELECT keep_answers($1::text[])::text

-- name: tokens.keep-told
UPDATE tokens AS t SET told_sum = told_of(t) WHERE t.contract_id = ANY ($1::text[])

-- name: tokens.mend-answers
UPDATE tokens AS t SET meta_state = 'due', attempts = 0, due_at = now(), meta = CASE WHEN t.answers IS NOT NULL THEN t.meta ELSE NULL END, name_key = CASE WHEN t.answers IS NOT NULL THEN t.name_key ELSE '' END, symbol_key = CASE WHEN t.answers IS NOT NULL THEN t.symbol_key ELSE '' END, base_position = CASE WHEN t.answers IS NOT NULL THEN t.base_position ELSE NULL END, initial_supply = CASE WHEN t.answers IS NOT NULL THEN t.initial_supply ELSE NULL END
WHERE t.contract_id = ANY ($1::text[]) AND t.kind > 0 AND (t.meta_state <> 'due' OR t.answers IS NULL) AND is_misquoted(t)

-- name: tokens.mend-kinds
SELECT drop_tokens(ARRAY(
    SELECT t.contract_id FROM tokens AS t
    WHERE t.contract_id = ANY ($1::text[]) AND NOT t.created AND is_misquoted(t)
    AND (t.kind = 0 OR t.kind::text IS DISTINCT FROM split_part(t.answers, ' ', 1))
))::text

-- name: tokens.mend-told
SELECT take_back_checks(ARRAY(SELECT t.contract_id FROM tokens AS t WHERE t.contract_id = ANY ($1::text[]) AND is_mistold(t)))::text

-- name: tokens.of-range
SELECT contract_id AS id, created FROM tokens WHERE position >= $1 AND position < $2

-- name: tokens.postpone
UPDATE tokens SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 2 ^ LEAST(attempts, 17))) WHERE contract_id = ANY ($1::text[])

-- name: tokens.refused
SELECT answer.*, head.height AS head_height, head.hash AS head_hash, (SELECT (epoch << 32) + commits FROM writer) AS commit_number
FROM (SELECT 1) AS one
LEFT JOIN (SELECT true AS answer_found, inside.* FROM (
    SELECT c.id AS contract_id, t.hash, substring(m.body FROM '"height":\s*(\d+)') AS height, CASE WHEN c.created THEN t.body END AS creation, o.code
    FROM (
      SELECT c.id, c.position, c.created FROM (
        (SELECT id, position, true AS created FROM contracts AS k
          WHERE NOT k.failed AND k.id > $1::text AND NOT EXISTS (SELECT FROM tokens AS t WHERE t.contract_id = k.id AND t.kind > 0))
        UNION ALL
        (SELECT contract_id, position, false FROM tokens WHERE kind = 0 AND contract_id > $1::text)
      ) AS c
      WHERE COALESCE(
        (
          SELECT true FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(c.id, 0) # hash_numeric_extended(15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric, 1))
          AND l.contract_id = c.id AND l.topics[1] = 15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric AND cardinality(l.topics) = 4 LIMIT 1
        ),
        (
          SELECT true FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(c.id, 0) # hash_numeric_extended(97248968993606906149864095761415446114204891017168990930824289305879066770211::numeric, 1))
          AND l.contract_id = c.id AND l.topics[1] = 97248968993606906149864095761415446114204891017168990930824289305879066770211::numeric AND cardinality(l.topics) = 3 LIMIT 1
        ),
        (
          SELECT true FROM contract_logs AS l
          WHERE
          (hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1))
          = (hashtextextended(c.id, 0) # hash_numeric_extended(59519329313588602299792785325724171247065768738621522936987157301332531057158::numeric, 1))
          AND l.contract_id = c.id AND l.topics[1] = 59519329313588602299792785325724171247065768738621522936987157301332531057158::numeric AND cardinality(l.topics) = 3 LIMIT 1
      ))
      ORDER BY c.id LIMIT $2::bigint
    ) AS c
    JOIN transactions AS t ON t.position = c.position
    JOIN micro_blocks AS m ON m.position = (c.position & (-65536)::bigint)
    LEFT JOIN contract_codes AS o ON o.contract_id = c.id
    ORDER BY c.id) AS inside) AS answer ON true
LEFT JOIN (SELECT height, hash FROM key_blocks ORDER BY height DESC LIMIT 1) AS head ON true

-- name: tokens.save-kinds
UPDATE tokens AS t SET kind = d.kind, attempts = 0, due_at = now()
FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS d (id, position, kind)
WHERE t.contract_id = d.id AND t.position = d.position AND t.kind IS NULL
RETURNING t.contract_id AS id

-- name: tokens.save-metas
UPDATE tokens AS t SET meta_state = d.state, meta = d.meta, name_key = d.name, symbol_key = d.symbol, attempts = 0,
base_position = CASE WHEN d.known THEN (d.position & (-65536)::bigint) + 65536 END, initial_supply = d.supply
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::numeric[])
AS d (id, position, block, state, meta, name, symbol, known, supply)
JOIN micro_blocks AS m ON m.position = (d.position & (-65536)::bigint) AND m.hash = d.block
WHERE t.contract_id = d.id AND t.position = d.position AND t.kind > 0
RETURNING t.contract_id AS id

-- name: tokens.see
SELECT see_tokens($1::text[])::text

-- name: tokens.take-back-checks
SELECT take_back_checks($1::text[])::text

-- name: tokens.told
UPDATE tokens AS t SET invalid = d.reason, told_position = d.end_position, told_block = d.block, told_supply = d.supply,
attempts = CASE WHEN l.is_touched THEN 0 ELSE 1 END, due_at = CASE WHEN l.is_touched THEN now() ELSE now() + interval '5 minutes' END
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::numeric[]) AS d (id, reason, end_position, block, supply)
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM contract_logs AS l
    WHERE hashtextextended(l.contract_id, 0) = hashtextextended(d.id, 0) AND l.contract_id = d.id AND l.position >= d.end_position
  ) AS is_touched
) AS l
WHERE t.contract_id = d.id

-- name: transaction_hashes.mend-stray
DELETE FROM transaction_hashes AS h WHERE h.hash = ANY ($1::text[])
AND (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash

-- name: transactions.at
SELECT t.position, t.body, (SELECT i.body FROM infos i WHERE i.position = t.position) AS info,
(SELECT substring(m.body FROM '"height":\s*(\d+)') FROM micro_blocks m WHERE m.position = t.position & (-65536)::bigint) AS height,
(SELECT k.version FROM key_blocks k WHERE k.height = t.position >> 33) AS version
FROM transactions t
WHERE t.position = ANY ($1::bigint[])
ORDER BY t.position

-- name: transactions.delete
DELETE FROM transactions WHERE position >= $1 AND position < $2

-- name: types.codes
WITH added AS (
  INSERT INTO types (name)
  SELECT name FROM unnest($1::text[]) AS wanted (name) WHERE NOT EXISTS (SELECT FROM types t WHERE t.name = wanted.name)
  RETURNING code, name
)
SELECT code, name FROM added UNION ALL SELECT code, name FROM types WHERE name = ANY ($1::text[])

-- name: unknown_infos.count
SELECT count(*) FROM unknown_infos AS u WHERE EXISTS (SELECT FROM transactions AS t WHERE t.position = u.position)

-- name: unknown_infos.delete
DELETE FROM unknown_infos WHERE position >= $1 AND position < $2

-- name: unknown_infos.due
SELECT u.position, t.hash, t.body
FROM unknown_infos AS u
JOIN transactions AS t ON t.position = u.position
WHERE u.due_at <= now()
ORDER BY u.due_at, u.position
LIMIT $1

-- name: unknown_infos.insert
INSERT INTO unknown_infos (position, due_at) SELECT position, now() + interval '1 minute' FROM unnest($1::bigint[]) AS p (position)
ON CONFLICT (position) DO UPDATE SET attempts = 0, due_at = EXCLUDED.due_at

-- name: unknown_infos.postpone
UPDATE unknown_infos
SET attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(86400, 60 * 2 ^ LEAST(attempts, 11)))
WHERE position = ANY ($1::bigint[])

-- name: unproven.delete
DELETE FROM unproven WHERE position >= $1 AND position < $2

-- name: unproven.insert
INSERT INTO unproven (position, hash, type, reason)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])

-- name: unseen_held.insert
INSERT INTO unseen_held (position, amount) SELECT * FROM unnest($1::bigint[], $2::numeric[])

-- name: unseen_held.undo
DELETE FROM unseen_held WHERE position >= $1 AND position < $2

-- name: unseen_held.unstored
DELETE FROM unseen_held WHERE position >= $1 AND position < $2

-- name: verify.called
SELECT c.id, t.body, i.body AS info, t.tx_start, t.tx_length, o.code AS known_code
FROM unnest($1::text[]) AS c (id)
LEFT JOIN contracts AS k ON k.id = c.id
LEFT JOIN transactions AS t ON t.position = k.position
LEFT JOIN infos AS i ON i.position = k.position
LEFT JOIN contract_codes AS o ON o.contract_id = c.id

-- name: verify.calls
SELECT position, contract_id, caller_id, state, arguments, result FROM contract_calls
WHERE position >= $1 AND position < $2 ORDER BY position

-- name: verify.chain
SELECT 'the row' AS key, NULL AS height, 'genesis_hash' AS column_name,
COALESCE(known.hash, k.hash) AS expected, c.genesis_hash AS stored
FROM chain AS c
LEFT JOIN key_blocks AS k ON k.height = 0
LEFT JOIN unnest($1::text[], $2::text[]) AS known (id, hash) ON known.id = c.network_id
WHERE c.genesis_hash <> COALESCE(known.hash, k.hash)

-- name: verify.channels
SELECT id, position AS begun, closed_position AS ended FROM channels WHERE position >= $1 AND position < $2
UNION
SELECT id, position AS begun, closed_position AS ended FROM channels WHERE closed_position >= $1 AND closed_position < $2

-- name: verify.channels-by-id
SELECT id, position AS begun, closed_position AS ended FROM channels WHERE id = ANY ($1::text[])

-- name: verify.contract-logs
SELECT position, log_index, contract_id, called_id, array_to_string(topics, ',') AS topics, data
FROM contract_logs WHERE position >= $1 AND position < $2

-- name: verify.contracts
SELECT id, position FROM contracts WHERE position >= $1 AND position < $2

-- name: verify.days
WITH joined AS (
  SELECT COALESCE(e.day, s.day) AS day,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.count AS expected_count, s.count AS stored_count, e.amount AS expected_amount, s.amount AS stored_amount
  FROM (SELECT true AS present, i.* FROM (
      SELECT date '1970-01-01' + (time / 86400000)::int AS day, sum(spend_count) AS count, sum(spend_amount) AS amount
      FROM micro_blocks GROUP BY 1 HAVING sum(spend_count) > 0) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT day, count::numeric AS count, amount FROM days) AS i) AS s
  ON e.day = s.day
)
SELECT NULL::bigint AS height, ARRAY[x.day::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.day::text] AS key, 'count' AS column_name,
x.expected_count::text AS expected, x.stored_count::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_count IS DISTINCT FROM x.stored_count UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.day::text] AS key, 'amount' AS column_name,
x.expected_amount::text AS expected, x.stored_amount::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_amount IS DISTINCT FROM x.stored_amount
LIMIT 100

-- name: verify.due-contract_calls
SELECT position::text AS key, position >> 33 AS height, 'due_at' AS column_name,
'within 2 hours' AS expected, due_at::text AS stored
FROM contract_calls WHERE state = 'pending' AND NOT EXISTS (SELECT FROM due_infos AS d WHERE d.position = contract_calls.position AND contract_calls.due_at = 'infinity') AND due_at > now() + interval '2 hours'
LIMIT 100

-- name: verify.due-contract_codes
SELECT contract_id::text AS key, NULL::bigint >> 33 AS height, 'due_at' AS column_name,
'within 2 days' AS expected, due_at::text AS stored
FROM contract_codes WHERE code IS NULL AND due_at > now() + interval '2 days'
LIMIT 100

-- name: verify.due-contracts
SELECT id::text AS key, position >> 33 AS height, 'due_at' AS column_name,
'within 2 days' AS expected, due_at::text AS stored
FROM contracts WHERE NOT outcome_known AND due_at > now() + interval '2 days'
LIMIT 100

-- name: verify.due-due_infos
SELECT position::text AS key, position >> 33 AS height, 'due_at' AS column_name,
'within 2 hours' AS expected, due_at::text AS stored
FROM due_infos WHERE true AND due_at > now() + interval '2 hours'
LIMIT 100

-- name: verify.due-infos
SELECT position, true AS is_due FROM due_infos WHERE position >= $1 AND position < $2
UNION ALL SELECT position, false FROM unknown_infos WHERE position >= $1 AND position < $2

-- name: verify.due-node_records
SELECT position::text AS key, position >> 33 AS height, 'due_at' AS column_name,
'within 2 hours' AS expected, due_at::text AS stored
FROM node_records WHERE true AND due_at > now() + interval '2 hours'
LIMIT 100

-- name: verify.due-unknown_infos
SELECT position::text AS key, position >> 33 AS height, 'due_at' AS column_name,
'within 2 days' AS expected, due_at::text AS stored
FROM unknown_infos WHERE true AND due_at > now() + interval '2 days'
LIMIT 100

-- name: verify.earnings
SELECT * FROM earnings WHERE position >= $1 AND position < $2

-- name: verify.empty-channels
SELECT id AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
FROM channels WHERE position IS NULL AND closed_position IS NULL LIMIT 100

-- name: verify.empty-oracle_queries
SELECT id AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
FROM oracle_queries WHERE position IS NULL AND response_position IS NULL LIMIT 100

-- name: verify.entries
SELECT position, string_agg(list::text, ',') AS lists, min(type) AS low, max(type) AS high
FROM entries WHERE position >= $1 AND position < $2 GROUP BY position

-- name: verify.events
SELECT e.seq, COALESCE(e.later_kind, e.kind) AS kind, e.kind AS earlier_kind, e.position, e.hash, e.body, b.seq AS before, COALESCE(b.later_kind, b.kind) AS before_kind, b.position AS before_position,
(SELECT min(seq) FROM events) AS first,
EXISTS (SELECT FROM events AS a WHERE a.hash = e.hash AND a.seq < e.seq AND a.kind IN ('transaction', 'tx_update', 'left')) AS repeats,
CASE WHEN s.hash = e.hash AND (s.body = e.body OR e.later_kind IS NOT NULL) THEN false ELSE EXISTS (
  SELECT FROM events AS r WHERE r.seq > e.seq AND r.kind IN ('rollback') AND r.position <= e.position
) END AS undone,
s.hash AS stored_hash, s.body AS stored_body
FROM events AS e
LEFT JOIN events AS b ON b.seq = (SELECT max(seq) FROM events WHERE seq < e.seq)
LEFT JOIN key_block_texts AS k ON e.kind = 'key_block' AND k.height = e.position >> 33 AND k.height << 33 = e.position
LEFT JOIN micro_blocks AS m ON e.kind = 'micro_block' AND m.position = e.position
LEFT JOIN transactions AS t ON COALESCE(e.later_kind, e.kind) IN ('transaction', 'tx_update', 'contract_logs') AND t.position = e.position
CROSS JOIN LATERAL (
  SELECT COALESCE(k.hash, m.hash, t.hash) AS hash, COALESCE(k.body, m.body, t.body) AS body
) AS s
WHERE e.seq > $1 AND e.seq <= $2
ORDER BY e.seq

-- name: verify.events-bounds
SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last, c.event_seq AS counted FROM chain AS c

-- name: verify.export-snapshot
SELECT pg_export_snapshot() AS snapshot

-- name: verify.forks
WITH head AS (SELECT height, version FROM key_blocks ORDER BY height DESC LIMIT 1),
begun AS (
  SELECT height, max(version) AS version, lag(max(version)) OVER (ORDER BY height) AS before FROM forks GROUP BY height
)
SELECT f.version AS key, NULL AS height, 'height' AS column_name, 'that of the first key block of this version' AS expected,
f.height::text AS stored
FROM begun AS f
JOIN key_blocks AS k ON k.height = f.height
LEFT JOIN key_blocks AS below ON below.height = f.height - 1
WHERE k.version <= $1 AND (k.version <> f.version OR below.version <> COALESCE(f.before, 0))
UNION ALL
SELECT f.version, NULL, 'height', 'that of the first key block of this version', f.height::text
FROM begun AS f JOIN head ON f.height > head.height AND f.version < head.version
UNION ALL
SELECT head.version, NULL, NULL, 'a row', NULL FROM head
WHERE head.version <= $1 AND EXISTS (SELECT FROM forks)
AND NOT EXISTS (SELECT FROM forks WHERE version = head.version AND height <= head.height)

-- name: verify.generation-changes
WITH joined AS (
  SELECT COALESCE(e.span, s.span) AS span, COALESCE(e.height, s.height) AS height, COALESCE(e.member, s.member) AS member,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.amount AS expected_amount, s.amount AS stored_amount
  FROM (SELECT true AS present, i.* FROM (
      SELECT s.span::smallint AS span, c.height >> s.span << s.span AS height, c.member, sum(c.amount) AS amount
      FROM (
        SELECT c.height, c.member::smallint AS member, sum(c.amount) AS amount
        FROM (
          SELECT n.position >> 33 AS height, 1 AS member, 1::numeric AS amount FROM names AS n
          WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
          UNION ALL SELECT n.auction_end_height + 1, 2, 1 FROM names AS n
          WHERE n.auction_end_height > n.created_at_height AND n.winning_bid IS NOT NULL
          UNION ALL SELECT n.position >> 33, 3, 1 FROM names AS n WHERE n.auction_end_height <= n.created_at_height
          UNION ALL SELECT n.auction_end_height + 1, 3, 1 FROM names AS n WHERE n.auction_end_height > n.created_at_height
          UNION ALL SELECT n.expires_at + 1, 4, 1 FROM names AS n WHERE n.revoked_at IS NULL
          UNION ALL SELECT n.revoked_at, 5, 1 FROM names AS n WHERE n.revoked_at IS NOT NULL
          UNION ALL SELECT l.position >> 33, 6, 1 FROM oracle_lives AS l
          UNION ALL SELECT l.expires_at + 1, 7, 1 FROM oracle_lives AS l WHERE l.expires_at < 1073741823
          UNION ALL SELECT c.position >> 33, 8, 1 FROM contracts AS c WHERE NOT c.failed AND c.position >= $1::bigint << 33 AND c.position <= ($2::bigint << 33) + 8589934591
          UNION ALL SELECT c.position >> 33, 9, 1 FROM channels AS c WHERE c.position >= $1::bigint << 33 AND c.position <= ($2::bigint << 33) + 8589934591
          UNION ALL SELECT a.position >> 33, 10, 1 FROM seen_accounts AS a WHERE a.position >= $1::bigint << 33 AND a.position <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT m.position >> 33, 20, abs(m.amount) FROM movement_rows AS m
          WHERE abs(m.kind) = 19  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
          AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT m.position >> 33, 21, abs(m.amount) FROM movement_rows AS m
          WHERE abs(m.kind) = 20  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
          AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT m.position >> 33, 23, abs(m.amount) FROM movement_rows AS m
          WHERE abs(m.kind) = 7  AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
          AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT m.position >> 33, 23, abs(m.amount) FROM movement_rows AS m
          WHERE abs(m.kind) = 10 AND m.position & 8589934591 = 0 AND (abs(m.kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(m.kind) = 10 AND m.position & 8589934591 = 0))
          AND m.position >= $1::bigint << 33 AND m.position <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT h.position >> 33, 22, h.amount FROM held AS h WHERE h.kind = 1 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
          UNION ALL SELECT h.released >> 33, 22, -(h.amount) FROM held AS h WHERE h.kind = 1 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT h.position >> 33, 24, 1 FROM held AS h WHERE h.kind = 3 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
          UNION ALL SELECT h.released >> 33, 24, -(1) FROM held AS h WHERE h.kind = 3 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
          UNION ALL
          SELECT h.position >> 33, 25, h.amount FROM held AS h WHERE h.kind = 3 AND h.position >= $1::bigint << 33 AND h.position <= ($2::bigint << 33) + 8589934591
          UNION ALL SELECT h.released >> 33, 25, -(h.amount) FROM held AS h WHERE h.kind = 3 AND h.released IS NOT NULL AND h.released >= $1::bigint << 33 AND h.released <= ($2::bigint << 33) + 8589934591
        ) AS c
        WHERE c.height BETWEEN $1::bigint AND $2::bigint GROUP BY c.height, c.member HAVING sum(c.amount) <> 0) AS c CROSS JOIN (VALUES (0), (8), (16)) AS s (span)
      GROUP BY 1, 2, 3 HAVING sum(c.amount) <> 0) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT span, height, member, amount FROM generation_changes) AS i) AS s
  ON e.span = s.span AND e.height = s.height AND e.member = s.member
)
SELECT NULL::bigint AS height, ARRAY[x.span::text, x.height::text, x.member::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.span::text, x.height::text, x.member::text] AS key, 'amount' AS column_name,
x.expected_amount::text AS expected, x.stored_amount::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_amount IS DISTINCT FROM x.stored_amount
LIMIT 100

-- name: verify.generation-rates
SELECT height, rate FROM generation_rates WHERE height BETWEEN $1::bigint AND $2::bigint

-- name: verify.generation-rates-expected
SELECT g.height, round(g.tx_count * 1000::numeric / (m.time - k.time), 2) AS rate
FROM generations AS g
JOIN key_blocks AS k ON k.height = g.height
CROSS JOIN LATERAL (
  SELECT time FROM micro_blocks AS b
  WHERE b.position > g.height << 33 AND b.position < (g.height + 1) << 33 ORDER BY b.position DESC LIMIT 1
) AS m
WHERE g.height BETWEEN $1::bigint AND $2::bigint AND g.tx_count > 0 AND m.time > k.time
AND EXISTS (SELECT FROM key_blocks AS n WHERE n.height = g.height + 1)

-- name: verify.has-hashes
SELECT to_regclass('transaction_hashes') IS NOT NULL AS found

-- name: verify.hashes
SELECT t.position FROM transactions AS t
WHERE t.position >= $1 AND t.position < $2 AND to_regclass('transaction_hashes') IS NOT NULL
AND (SELECT h.position FROM transactions_by_hash AS h WHERE h.hash = t.hash LIMIT 1) IS DISTINCT FROM t.position

-- name: verify.head
SELECT max(height) AS head FROM key_blocks

-- name: verify.held
SELECT * FROM held WHERE position >= $1 AND position < $2
UNION SELECT * FROM held WHERE released >= $1 AND released < $2

-- name: verify.holders
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.balance AS expected_balance, s.balance AS stored_balance
  FROM (SELECT true AS present, i.* FROM (
      SELECT i.id, m.balance FROM ledger_ids AS i
      CROSS JOIN LATERAL (
        SELECT r.balance FROM movement_rows AS r WHERE r.account = i.key ORDER BY r.position DESC, r.index DESC LIMIT 1
      ) AS m WHERE m.balance > 0) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT COALESCE(i.id, h.account::text) AS id, h.balance FROM holders AS h LEFT JOIN ledger_ids AS i ON i.key = h.account) AS i) AS s
  ON e.id = s.id
)
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, 'balance' AS column_name,
x.expected_balance::text AS expected, x.stored_balance::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_balance IS DISTINCT FROM x.stored_balance
LIMIT 100

-- name: verify.infos
SELECT i.position FROM infos AS i WHERE i.position >= $1 AND i.position < $2
AND NOT EXISTS (SELECT FROM transactions AS t WHERE t.position = i.position)

-- name: verify.key-block
SELECT hash, body FROM key_block_texts WHERE height = $1

-- name: verify.key-blocks
(SELECT * FROM key_block_texts WHERE height < $1 ORDER BY height DESC LIMIT 1)
UNION ALL SELECT * FROM key_block_texts WHERE height BETWEEN $1 AND $2 ORDER BY height

-- name: verify.last-list
SELECT max(key) AS last FROM lists

-- name: verify.later-version
SELECT height FROM key_blocks WHERE height BETWEEN $1 AND $2 AND version > $3 ORDER BY height LIMIT 1

-- name: verify.ledger-gaps
SELECT * FROM ledger_gaps WHERE position >= $1 AND position < $2

-- name: verify.ledger-rewrites
SELECT height FROM ledger_rewrites WHERE height BETWEEN $1 AND $2 ORDER BY height

-- name: verify.listed
SELECT l.id, t.position, t.hash, k.version, t.body, i.body AS info, t.tx_start, t.tx_length
FROM (
  SELECT l.id, e.position FROM lists AS l JOIN entries AS e ON e.list = l.key
  WHERE l.kind = $1 AND l.id = ANY ($2::text[]) AND e.position > $3 ORDER BY e.position LIMIT 5000
) AS l
JOIN transactions AS t ON t.position = l.position
JOIN key_blocks AS k ON k.height = t.position >> 33
LEFT JOIN infos AS i ON i.position = t.position
ORDER BY t.position

-- name: verify.lists
SELECT key, kind || ' ' || id AS label FROM lists WHERE key = ANY ($1::bigint[])

-- name: verify.lists-touched
SELECT DISTINCT e.list FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond

-- name: verify.micro-blocks
SELECT position, hash, body FROM micro_blocks
WHERE position >= $1::bigint << 33 AND position < ($1::bigint + 1) << 33 ORDER BY position

-- name: verify.micro-blocks-of
(SELECT * FROM micro_blocks WHERE position < $1 ORDER BY position DESC LIMIT 1)
UNION ALL SELECT * FROM micro_blocks WHERE position >= $1 AND position < $2 ORDER BY position

-- name: verify.milestones
WITH joined AS (
  SELECT COALESCE(e.ranking, s.ranking) AS ranking, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.count AS expected_count, s.count AS stored_count
  FROM (SELECT true AS present, i.* FROM (
      SELECT ranking, COALESCE(max(key) FILTER (WHERE starts), -9223372036854775808) AS key,
      COALESCE(max(label) FILTER (WHERE starts), '') AS label,
      COALESCE(max(position) FILTER (WHERE starts), -1) AS position, count(*) AS count, bool_or(any_starts) AS any_sampled
      FROM (
        SELECT r.*, position % 509 = 0 AS starts,
        count(*) FILTER (WHERE position % 509 = 0) OVER (
          PARTITION BY ranking ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
        ) AS bucket,
        bool_or(position % 509 = 0) OVER (PARTITION BY ranking) AS any_starts
        FROM ranks AS r
      ) AS placed
      GROUP BY ranking, bucket) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT ranking, key, label, position, count FROM milestones) AS i) AS s
  ON e.ranking = s.ranking AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.ranking::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.ranking::text, x.key::text, x.label::text, x.position::text] AS key, 'count' AS column_name,
x.expected_count::text AS expected, x.stored_count::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_count IS DISTINCT FROM x.stored_count
LIMIT 100

-- name: verify.miners
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.blocks AS expected_blocks, s.blocks AS stored_blocks
  FROM (SELECT true AS present, i.* FROM (SELECT beneficiary AS id, count(*) AS blocks FROM key_blocks WHERE height > 0 GROUP BY beneficiary) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT id, blocks FROM miners) AS i) AS s
  ON e.id = s.id
)
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, 'blocks' AS column_name,
x.expected_blocks::text AS expected, x.stored_blocks::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_blocks IS DISTINCT FROM x.stored_blocks
LIMIT 100

-- name: verify.movements
SELECT m.position, a.id AS account, m.index, c.id AS counterparty, m.kind, m.amount, m.balance,
m.from_node AS "isFromNode"
FROM movements AS m LEFT JOIN ledger_ids AS a ON a.key = m.account LEFT JOIN ledger_ids AS c ON c.key = m.counterparty
WHERE m.position >= $1 AND m.position < $2

-- name: verify.names
SELECT * FROM names WHERE name_hash = ANY ($1::text[])

-- name: verify.oracle-lives
SELECT position, id, expires_at FROM oracle_lives WHERE id = ANY ($1::text[])

-- name: verify.oracle_queries
SELECT id, position AS begun, response_position AS ended FROM oracle_queries WHERE position >= $1 AND position < $2
UNION
SELECT id, position AS begun, response_position AS ended FROM oracle_queries WHERE response_position >= $1 AND response_position < $2

-- name: verify.oracle_queries-by-id
SELECT id, position AS begun, response_position AS ended FROM oracle_queries WHERE id = ANY ($1::text[])

-- name: verify.oracles
SELECT * FROM oracles WHERE id = ANY ($1::text[])

-- name: verify.ordinals
SELECT ARRAY[n.list::text, n.ordinal::text] AS key, NULL AS height, c.column_name, c.expected, c.stored
FROM (
  -- Few rows or none are left, which are then compared column by column.
  SELECT * FROM (
    SELECT list, ordinal, type_ordinal, position, lag(position) OVER lists AS before,
    row_number() OVER lists AS number, row_number() OVER types AS type_number
    FROM entries WHERE list BETWEEN $1 AND $2
    WINDOW lists AS (PARTITION BY list ORDER BY ordinal), types AS (PARTITION BY list, type ORDER BY ordinal)
  ) AS numbered
  WHERE ordinal <> number OR type_ordinal <> type_number OR position <= before
  LIMIT 100
) AS n
CROSS JOIN LATERAL (VALUES
  ('ordinal', n.number::text, n.ordinal::text, n.ordinal <> n.number),
  ('type_ordinal', n.type_number::text, n.type_ordinal::text, n.type_ordinal <> n.type_number),
  ('position', 'above ' || n.before, n.position::text, n.position <= n.before)
) AS c (column_name, expected, stored, differs)
WHERE c.differs
LIMIT 100

-- name: verify.pages-names
SELECT array_agg(id) AS ids
FROM (
  SELECT id, (row_number() OVER (ORDER BY id) - 1) / 500 AS page
  FROM (
    SELECT l.id FROM lists AS l WHERE l.kind = 6 AND $1::bigint[] IS NULL
    UNION SELECT name_hash FROM names WHERE $1::bigint[] IS NULL
    UNION
    SELECT l.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond
    JOIN lists AS l ON l.key = e.list AND l.kind = 6
    UNION
    SELECT o.name_hash FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN names AS o ON o.position >= r.first AND o.position < r.beyond
  ) AS ids
) AS paged
GROUP BY page ORDER BY page

-- name: verify.pages-oracle_lives
SELECT array_agg(id) AS ids
FROM (
  SELECT id, (row_number() OVER (ORDER BY id) - 1) / 500 AS page
  FROM (
    SELECT l.id FROM lists AS l WHERE l.kind = 7 AND $1::bigint[] IS NULL
    UNION SELECT id FROM oracle_lives WHERE $1::bigint[] IS NULL
    UNION
    SELECT l.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond
    JOIN lists AS l ON l.key = e.list AND l.kind = 7
    UNION
    SELECT o.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN oracle_lives AS o ON o.position >= r.first AND o.position < r.beyond
  ) AS ids
) AS paged
GROUP BY page ORDER BY page

-- name: verify.pages-oracles
SELECT array_agg(id) AS ids
FROM (
  SELECT id, (row_number() OVER (ORDER BY id) - 1) / 500 AS page
  FROM (
    SELECT l.id FROM lists AS l WHERE l.kind = 7 AND $1::bigint[] IS NULL
    UNION SELECT id FROM oracles WHERE $1::bigint[] IS NULL
    UNION
    SELECT l.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN entries AS e ON e.position >= r.first AND e.position < r.beyond
    JOIN lists AS l ON l.key = e.list AND l.kind = 7
    UNION
    SELECT o.id FROM unnest($1::bigint[], $2::bigint[]) AS r (first, beyond)
    JOIN oracles AS o ON o.position >= r.first AND o.position < r.beyond
  ) AS ids
) AS paged
GROUP BY page ORDER BY page

-- name: verify.ranks-1
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT '' AS id, -created_at_height AS key, name AS label, position FROM names) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 1) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-2
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT '' AS id, -created_at_height AS key, name AS label, position FROM names WHERE active) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 2) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-3
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT owner AS id, -expires_at AS key, name AS label, position FROM names) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 3) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-4
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT owner AS id, -expires_at AS key, name AS label, position FROM names WHERE active) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 4) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-5
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (
      SELECT DISTINCT p.id, 0::bigint AS key, n.name AS label, n.position
      FROM names AS n CROSS JOIN LATERAL unnest(n.pointer_ids) AS p (id) WHERE n.active) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 5) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-6
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT '' AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM contracts WHERE NOT failed) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 6) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-7
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (
      SELECT contract_id AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM contract_calls WHERE state = 'done') AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 7) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.ranks-8
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  FROM (SELECT true AS present, i.* FROM (SELECT '' AS id, 0::bigint AS key, '' COLLATE "C" AS label, position FROM oracles WHERE active) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (
      SELECT k.id, r.key, r.label, r.position FROM rankings AS k JOIN ranks AS r ON r.ranking = k.key WHERE k.kind = 8) AS i) AS s
  ON e.id = s.id AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.id::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
LIMIT 100

-- name: verify.returned-contracts
SELECT r.id, r.position, r.is_stored
FROM (
  SELECT i.id, c.position, false AS is_stored FROM contract_calls AS c CROSS JOIN LATERAL contracts_in(c.result) AS i
  WHERE c.position >= $1 AND c.position < $2
  UNION ALL SELECT contract_id, position, true FROM returned_contracts WHERE position >= $1 AND position < $2
) AS r
WHERE NOT EXISTS (SELECT FROM contract_calls AS c WHERE c.position = r.position AND c.state = 'pending')
AND NOT EXISTS (SELECT FROM contracts AS k WHERE k.id = r.id)

-- name: verify.rows-above-ledger
SELECT EXISTS (SELECT FROM movement_rows WHERE position >= $1) OR EXISTS (SELECT FROM held WHERE position >= $1 OR released >= $1)
OR EXISTS (SELECT FROM earnings WHERE position >= $1) OR EXISTS (SELECT FROM ledger_gaps WHERE position >= $1)
OR EXISTS (SELECT FROM unseen_held WHERE position >= $1) AS has_rows

-- name: verify.sampled-counts
WITH joined AS (
  SELECT COALESCE(e.ranking, s.ranking) AS ranking, COALESCE(e.level, s.level) AS level, COALESCE(e.key, s.key) AS key, COALESCE(e.label, s.label) AS label, COALESCE(e.position, s.position) AS position,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.count AS expected_count, s.count AS stored_count
  FROM (SELECT true AS present, i.* FROM (SELECT 1::smallint AS level, c.* FROM (
        SELECT ranking, COALESCE(max(key) FILTER (WHERE starts), -9223372036854775808) AS key,
        COALESCE(max(label) FILTER (WHERE starts), '') AS label,
        COALESCE(max(position) FILTER (WHERE starts), -1) AS position, count(*) AS count, bool_or(any_starts) AS any_sampled
        FROM (
          SELECT r.*, position % 509 % 32 = 0 AS starts,
          count(*) FILTER (WHERE position % 509 % 32 = 0) OVER (
            PARTITION BY ranking ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
          ) AS bucket,
          bool_or(position % 509 % 32 = 0) OVER (PARTITION BY ranking) AS any_starts
          FROM ranks AS r
        ) AS placed
        GROUP BY ranking, bucket) AS c WHERE c.any_sampled UNION ALL SELECT 3::smallint AS level, c.* FROM (
        SELECT ranking, COALESCE(max(key) FILTER (WHERE starts), -9223372036854775808) AS key,
        COALESCE(max(label) FILTER (WHERE starts), '') AS label,
        COALESCE(max(position) FILTER (WHERE starts), -1) AS position, count(*) AS count, bool_or(any_starts) AS any_sampled
        FROM (
          SELECT r.*, position % 15779 = 0 AS starts,
          count(*) FILTER (WHERE position % 15779 = 0) OVER (
            PARTITION BY ranking ORDER BY key, label, position ROWS UNBOUNDED PRECEDING
          ) AS bucket,
          bool_or(position % 15779 = 0) OVER (PARTITION BY ranking) AS any_starts
          FROM ranks AS r
        ) AS placed
        GROUP BY ranking, bucket) AS c WHERE c.any_sampled) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT ranking, level, key, label, position, count::bigint AS count FROM sampled_counts) AS i) AS s
  ON e.ranking = s.ranking AND e.level = s.level AND e.key = s.key AND e.label = s.label AND e.position = s.position
)
SELECT NULL::bigint AS height, ARRAY[x.ranking::text, x.level::text, x.key::text, x.label::text, x.position::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.ranking::text, x.level::text, x.key::text, x.label::text, x.position::text] AS key, 'count' AS column_name,
x.expected_count::text AS expected, x.stored_count::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_count IS DISTINCT FROM x.stored_count
LIMIT 100

-- name: verify.seen-accounts
WITH joined AS (
  SELECT COALESCE(e.id, s.id) AS id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.position AS expected_position, s.position AS stored_position
  FROM (SELECT true AS present, i.* FROM (
      SELECT l.id, min(e.position) AS position FROM lists AS l
      CROSS JOIN LATERAL (SELECT f.position FROM entries AS f WHERE f.list = l.key AND f.ordinal = 1 LIMIT 1) AS e
      WHERE l.kind IN (1, 10) AND starts_with(l.id, 'ak_') GROUP BY l.id) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT id, position FROM seen_accounts) AS i) AS s
  ON e.id = s.id
)
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.id::text] AS key, 'position' AS column_name,
x.expected_position::text AS expected, x.stored_position::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_position IS DISTINCT FROM x.stored_position
LIMIT 100

-- name: verify.stored-above
SELECT min(height) AS next FROM key_blocks WHERE height > $1

-- name: verify.stray-hashes
SELECT h.hash AS key, NULL AS height, NULL AS column_name, NULL AS expected, 'a row' AS stored
FROM (
  SELECT h.hash, h.position
  FROM (SELECT position FROM transaction_hashes EXCEPT ALL SELECT position FROM transactions LIMIT 100) AS p
  JOIN transaction_hashes AS h ON h.position = p.position
  OFFSET 0
) AS h
WHERE (SELECT t.hash FROM transactions AS t WHERE t.position = h.position) IS DISTINCT FROM h.hash
LIMIT 100

-- name: verify.stray-ranks
SELECT r.ranking, r.key, r.label, r.position
FROM ranks AS r LEFT JOIN rankings AS k ON k.key = r.ranking
WHERE k.kind IS NULL OR NOT k.kind = ANY ($1::smallint[])
LIMIT 100

-- name: verify.sums
(SELECT * FROM generations WHERE height < $1 ORDER BY height DESC LIMIT 1)
UNION ALL SELECT * FROM generations WHERE height BETWEEN $1 AND $2 ORDER BY height

-- name: verify.token-answers
SELECT t.contract_id AS key, NULL AS height, 'answers' AS column_name, answers_of(t) AS expected, t.answers AS stored
FROM tokens AS t WHERE is_misquoted(t) LIMIT 100

-- name: verify.token-balances
WITH joined AS (
  SELECT COALESCE(e.contract_id, s.contract_id) AS contract_id, COALESCE(e.account, s.account) AS account,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.base AS expected_base, s.base AS stored_base, e.amount AS expected_amount, s.amount AS stored_amount, e.events AS expected_events, s.events AS stored_events, e.position AS expected_position, s.position AS stored_position, e.log_index AS expected_log_index, s.log_index AS stored_log_index, e.told AS expected_told, s.told AS stored_told
  FROM (SELECT true AS present, i.* FROM (SELECT contract_id, account, base,amount,events,position,log_index,told FROM expected_holdings(ARRAY(SELECT contract_id FROM tokens WHERE kind > 0))) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT contract_id, account, base,amount,events,position,log_index,told FROM token_balances) AS i) AS s
  ON e.contract_id = s.contract_id AND e.account = s.account
)
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'base' AS column_name,
x.expected_base::text AS expected, x.stored_base::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_base IS DISTINCT FROM x.stored_base UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'amount' AS column_name,
x.expected_amount::text AS expected, x.stored_amount::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_amount IS DISTINCT FROM x.stored_amount UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'events' AS column_name,
x.expected_events::text AS expected, x.stored_events::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_events IS DISTINCT FROM x.stored_events UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'position' AS column_name,
x.expected_position::text AS expected, x.stored_position::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_position IS DISTINCT FROM x.stored_position UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'log_index' AS column_name,
x.expected_log_index::text AS expected, x.stored_log_index::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_log_index IS DISTINCT FROM x.stored_log_index UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.account::text] AS key, 'told' AS column_name,
x.expected_told::text AS expected, x.stored_told::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_told IS DISTINCT FROM x.stored_told
LIMIT 100

-- name: verify.token-metadata
WITH joined AS (
  SELECT COALESCE(e.contract_id, s.contract_id) AS contract_id, COALESCE(e.token_id, s.token_id) AS token_id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.position AS expected_position, s.position AS stored_position, e.made AS expected_made, s.made AS stored_made
  FROM (SELECT true AS present, i.* FROM (
      SELECT contract_id, token_id, position,made
      FROM expected_metadata(ARRAY(SELECT contract_id FROM tokens WHERE kind = 141), NULL)) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT contract_id, token_id, position,made FROM token_metadata) AS i) AS s
  ON e.contract_id = s.contract_id AND e.token_id = s.token_id
)
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, 'position' AS column_name,
x.expected_position::text AS expected, x.stored_position::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_position IS DISTINCT FROM x.stored_position UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, 'made' AS column_name,
x.expected_made::text AS expected, x.stored_made::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_made IS DISTINCT FROM x.stored_made
LIMIT 100

-- name: verify.token-metadata-answers
SELECT ARRAY[m.contract_id, m.token_id::text] AS key, NULL AS height, 'answer' AS column_name,
metadata_answer(m.position, m.state, m.metadata) AS expected, m.answer AS stored
FROM token_metadata AS m WHERE is_misquoted(m) LIMIT 100

-- name: verify.token-owners
WITH joined AS (
  SELECT COALESCE(e.contract_id, s.contract_id) AS contract_id, COALESCE(e.token_id, s.token_id) AS token_id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.owner AS expected_owner, s.owner AS stored_owner, e.position AS expected_position, s.position AS stored_position, e.log_index AS expected_log_index, s.log_index AS stored_log_index
  FROM (SELECT true AS present, i.* FROM (SELECT contract_id, token_id, owner,position,log_index FROM expected_owners(ARRAY(SELECT contract_id FROM tokens WHERE kind > 0), NULL)) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT contract_id, token_id, owner,position,log_index FROM token_owners) AS i) AS s
  ON e.contract_id = s.contract_id AND e.token_id = s.token_id
)
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, 'owner' AS column_name,
x.expected_owner::text AS expected, x.stored_owner::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_owner IS DISTINCT FROM x.stored_owner UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, 'position' AS column_name,
x.expected_position::text AS expected, x.stored_position::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_position IS DISTINCT FROM x.stored_position UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text, x.token_id::text] AS key, 'log_index' AS column_name,
x.expected_log_index::text AS expected, x.stored_log_index::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_log_index IS DISTINCT FROM x.stored_log_index
LIMIT 100

-- name: verify.token-sums
WITH joined AS (
  SELECT COALESCE(e.contract_id, s.contract_id) AS contract_id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.supply AS expected_supply, s.supply AS stored_supply, e.holders AS expected_holders, s.holders AS stored_holders, e.logs AS expected_logs, s.logs AS stored_logs
  FROM (SELECT true AS present, i.* FROM (SELECT * FROM expected_sums(ARRAY(SELECT contract_id FROM tokens))) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT contract_id, supply,holders,logs FROM tokens) AS i) AS s
  ON e.contract_id = s.contract_id
)
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, 'supply' AS column_name,
x.expected_supply::text AS expected, x.stored_supply::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_supply IS DISTINCT FROM x.stored_supply UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, 'holders' AS column_name,
x.expected_holders::text AS expected, x.stored_holders::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_holders IS DISTINCT FROM x.stored_holders UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, 'logs' AS column_name,
x.expected_logs::text AS expected, x.stored_logs::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_logs IS DISTINCT FROM x.stored_logs
LIMIT 100

-- name: verify.token-told
SELECT t.contract_id AS key, NULL AS height, 'told_sum' AS column_name, told_of(t) AS expected, t.told_sum AS stored
FROM tokens AS t WHERE is_mistold(t) LIMIT 100

-- name: verify.tokens
SELECT contract_id, position, kind FROM tokens WHERE created AND position >= $1 AND position < $2

-- name: verify.tokens-seen
WITH joined AS (
  SELECT COALESCE(e.contract_id, s.contract_id) AS contract_id,
  e.present IS NOT NULL AS in_expected, s.present IS NOT NULL AS in_stored
  , e.position AS expected_position, s.position AS stored_position
  FROM (SELECT true AS present, i.* FROM (
      SELECT s.contract_id, min(s.position) AS position
      FROM (
        SELECT contract_id, position FROM contract_logs UNION ALL SELECT contract_id, position FROM contract_calls
        UNION ALL SELECT contract_id, position FROM returned_contracts
      ) AS s
      WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = s.contract_id) GROUP BY s.contract_id) AS i) AS e
  FULL JOIN (SELECT true AS present, i.* FROM (SELECT contract_id, position FROM tokens WHERE NOT created) AS i) AS s
  ON e.contract_id = s.contract_id
)
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, NULL AS column_name,
CASE WHEN x.in_expected THEN 'a row' END AS expected, CASE WHEN x.in_stored THEN 'a row' END AS stored
FROM joined AS x WHERE x.in_expected <> x.in_stored
UNION ALL
SELECT NULL::bigint AS height, ARRAY[x.contract_id::text] AS key, 'position' AS column_name,
x.expected_position::text AS expected, x.stored_position::text AS stored
FROM joined AS x WHERE x.in_expected AND x.in_stored AND x.expected_position IS DISTINCT FROM x.stored_position
LIMIT 100

-- name: verify.transactions
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
WHERE t.position >= $1::bigint << 33 AND t.position < ($1::bigint + 1) << 33 ORDER BY t.position

-- name: verify.transactions-of
SELECT t.position, t.hash, t.type AS code, y.name AS type, t.valid, t.size, t.fee, t.tx_start, t.tx_length, t.body,
i.body AS info
FROM transactions AS t LEFT JOIN types AS y ON y.code = t.type LEFT JOIN infos AS i ON i.position = t.position
WHERE t.position >= $1 AND t.position < $2 ORDER BY t.position

-- name: verify.type-sums
SELECT base.* FROM types AS t CROSS JOIN LATERAL (
  SELECT * FROM generation_types AS g WHERE g.type = t.code AND g.height < $1 ORDER BY g.height DESC LIMIT 1
) AS base
UNION ALL SELECT * FROM generation_types WHERE height BETWEEN $1 AND $2 ORDER BY height

-- name: verify.unproven
SELECT position, hash, type FROM unproven WHERE position >= $1 AND position < $2

-- name: verify.unseen-held
SELECT * FROM unseen_held WHERE position >= $1 AND position < $2

-- name: verify.window-from
SELECT max(height) AS "to", COALESCE(sum(transactions), 0) AS transactions
FROM (
  SELECT k.height, m.transactions, sum(m.transactions + 1) OVER (ORDER BY k.height) AS total,
  row_number() OVER (ORDER BY k.height) - 1 = k.height - $1 AS follows
  FROM key_blocks AS k
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(tx_count), 0) AS transactions FROM micro_blocks
    WHERE position >= k.height << 33 AND position < (k.height + 1) << 33
  ) AS m
  WHERE k.height BETWEEN $1 AND LEAST($2, $1 + $3)
) AS summed
WHERE follows AND (total <= $3 OR height = $1)

-- name: verify.windows
SELECT max(height) AS "to", sum(transactions) AS transactions
FROM (
  SELECT height, transactions, sum(transactions + 1) OVER (ORDER BY height) / 1000 AS number
  FROM (
    SELECT k.height, COALESCE(m.transactions, 0) AS transactions
    FROM key_blocks AS k
    LEFT JOIN (
      SELECT position >> 33 AS height, sum(tx_count)::bigint AS transactions FROM micro_blocks
      WHERE position >= $1::bigint << 33 AND position < ($2::bigint + 1) << 33 GROUP BY 1
    ) AS m ON m.height = k.height
    WHERE k.height BETWEEN $1 AND $2
  ) AS generations
) AS numbered
GROUP BY div(number, 1) ORDER BY 1

-- name: writer.revise
UPDATE writer SET revision = revision + 1

-- name: writer.revision
SELECT epoch || '.' || revision AS revision FROM writer
