-- The balances are those of the events again.
UPDATE tokens SET invalid = NULL, told_position = NULL, told_block = NULL, told_supply = NULL, told_sum = NULL WHERE told_sum IS NOT NULL OR invalid IS NOT NULL;
SELECT fill_tokens(ARRAY(SELECT DISTINCT contract_id FROM token_balances WHERE told IS NOT NULL));
DROP FUNCTION take_back_checks(text[]);
CREATE OR REPLACE FUNCTION tokens_of_come() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tokens AS t (contract_id, position)
  SELECT l.contract_id, min(l.position) FROM come AS l
  WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = l.contract_id)
  GROUP BY l.contract_id
  ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position
  WHERE t.position > EXCLUDED.position AND NOT t.created;

  UPDATE tokens AS t SET logs = t.logs + l.count
  FROM (SELECT contract_id, count(*) FROM come GROUP BY contract_id) AS l WHERE t.contract_id = l.contract_id AND t.kind > 0;

  INSERT INTO token_balances AS b (contract_id, account, amount, events, position, log_index)
  SELECT l.contract_id, d.account, sum(CASE WHEN l.position >= COALESCE(t.base_position, 0) THEN d.delta ELSE 0 END), count(*),
    (max(ARRAY[l.position, l.log_index]))[1], (max(ARRAY[l.position, l.log_index]))[2]::int
  FROM come AS l
  JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0
  CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
  GROUP BY l.contract_id, d.account
  ON CONFLICT (contract_id, account) DO UPDATE SET
    amount = b.amount + EXCLUDED.amount, events = b.events + EXCLUDED.events,
    position = CASE WHEN b.position IS NULL OR (b.position, b.log_index) < (EXCLUDED.position, EXCLUDED.log_index) THEN EXCLUDED.position ELSE b.position END,
    log_index = CASE WHEN b.position IS NULL OR (b.position, b.log_index) < (EXCLUDED.position, EXCLUDED.log_index) THEN EXCLUDED.log_index ELSE b.log_index END;

  INSERT INTO token_owners AS o (contract_id, token_id, owner, position, log_index)
  SELECT DISTINCT ON (l.contract_id, m.token_id) l.contract_id, m.token_id, m.owner, l.position, l.log_index
  FROM come AS l
  JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind = 141
  CROSS JOIN LATERAL token_moves(l.topics) AS m
  ORDER BY l.contract_id, m.token_id, l.position DESC, l.log_index DESC
  ON CONFLICT (contract_id, token_id) DO UPDATE SET owner = EXCLUDED.owner, position = EXCLUDED.position, log_index = EXCLUDED.log_index
  WHERE (o.position, o.log_index) <= (EXCLUDED.position, EXCLUDED.log_index);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION tokens_of_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text[];
  single numeric[];
BEGIN
  UPDATE tokens AS t SET logs = t.logs - l.count
  FROM (SELECT contract_id, count(*) FROM gone GROUP BY contract_id) AS l WHERE t.contract_id = l.contract_id AND t.kind > 0;

  UPDATE token_balances AS b SET amount = b.amount - g.delta, events = b.events - g.events
  FROM (
    SELECT l.contract_id, d.account, sum(CASE WHEN l.position >= COALESCE(t.base_position, 0) THEN d.delta ELSE 0 END) AS delta, count(*) AS events
    FROM gone AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0
    CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
    GROUP BY l.contract_id, d.account
  ) AS g
  WHERE b.contract_id = g.contract_id AND b.account = g.account;

  DELETE FROM token_balances AS b
  USING gone AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0 CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
  WHERE b.contract_id = l.contract_id AND b.account = d.account AND b.events = 0 AND b.base IS NULL;

  -- The event before the one that is gone, by the indexes of indexed arguments.
  UPDATE token_balances AS b SET position = e.position, log_index = e.log_index
  FROM (
    SELECT DISTINCT l.contract_id, t.kind, d.account FROM gone AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0 CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
  ) AS g
  LEFT JOIN LATERAL (
    SELECT x.position, x.log_index FROM (
      SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
      WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended(g.account, 0)
        AND l.contract_id = g.contract_id
      UNION ALL
      SELECT l.position, l.log_index, l.topics FROM contract_logs AS l
      WHERE l.topics[3] IS NOT NULL AND hash_numeric_extended(l.topics[3], 0) = hash_numeric_extended(g.account, 0)
        AND l.contract_id = g.contract_id
    ) AS x
    WHERE EXISTS (SELECT FROM token_deltas(g.kind, x.topics) AS d WHERE d.account = g.account)
    ORDER BY x.position DESC, x.log_index DESC LIMIT 1
  ) AS e ON true
  WHERE b.contract_id = g.contract_id AND b.account = g.account
    AND (b.position, b.log_index) IS DISTINCT FROM (e.position, e.log_index);

  SELECT array_agg(DISTINCT l.contract_id), array_agg(DISTINCT m.token_id) INTO changed, single
  FROM gone AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind = 141 CROSS JOIN LATERAL token_moves(l.topics) AS m;
  IF changed IS NOT NULL THEN
    DELETE FROM token_owners AS o WHERE o.contract_id = ANY (changed) AND o.token_id = ANY (single);
    INSERT INTO token_owners SELECT * FROM expected_owners(changed, single);
  END IF;

  SELECT array_agg(DISTINCT l.contract_id) INTO changed
  FROM gone AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND NOT t.created AND t.position = l.position;
  IF changed IS NOT NULL THEN
    PERFORM see_tokens(changed);
  END IF;
  RETURN NULL;
END
$$;

DROP FUNCTION is_mistold(tokens);
DROP FUNCTION told_of(tokens);
DROP FUNCTION is_told(tokens);
DROP INDEX tokens_told_idx;
DROP INDEX tokens_check_due_idx;
ALTER TABLE tokens DROP COLUMN told_sum, DROP COLUMN told_supply, DROP COLUMN told_block, DROP COLUMN told_position, DROP COLUMN invalid;
CREATE OR REPLACE FUNCTION expected_balances(ids text[])
RETURNS TABLE (contract_id text, account numeric, base numeric, amount numeric, events bigint, "position" bigint, log_index int)
LANGUAGE sql STABLE AS $$
  SELECT m.contract_id, m.account, sum(m.base), sum(m.delta), count(m.position),
    (max(ARRAY[m.position, m.log_index]) FILTER (WHERE m.position IS NOT NULL))[1],
    (max(ARRAY[m.position, m.log_index]) FILTER (WHERE m.position IS NOT NULL))[2]::int
  FROM (
    SELECT t.contract_id, d.account, NULL::numeric AS base, CASE WHEN l.position >= COALESCE(t.base_position, 0) THEN d.delta ELSE 0 END AS delta,
      l.position, l.log_index::bigint
    FROM unnest($1) AS w (id)
    JOIN tokens AS t ON t.contract_id = w.id AND t.kind > 0
    JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
    CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
    UNION ALL
    SELECT b.contract_id, b.account, b.base, b.base, NULL, NULL
    FROM unnest($1) AS w (id)
    JOIN tokens AS t ON t.contract_id = w.id AND t.kind > 0 AND t.base_position IS NOT NULL
    JOIN token_balances AS b ON b.contract_id = w.id AND b.base IS NOT NULL
  ) AS m
  GROUP BY m.contract_id, m.account
$$;

CREATE OR REPLACE FUNCTION fill_tokens(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  right_ids text[];
  filled token_balances[];
BEGIN
  right_ids := ARRAY(
    SELECT DISTINCT i.id FROM unnest(ids) AS i (id)
    WHERE NOT EXISTS (SELECT FROM tokens AS t WHERE t.contract_id = i.id AND t.answers IS NOT NULL AND t.answers IS DISTINCT FROM answers_of(t))
  );
  SELECT array_agg(ROW(e.contract_id, e.account, e.base, e.amount, e.events, e.position, e.log_index)::token_balances)
  INTO filled FROM expected_balances(right_ids) AS e;
  DELETE FROM token_balances AS b WHERE b.contract_id = ANY (right_ids);
  INSERT INTO token_balances SELECT f.* FROM unnest(filled) AS f;
  UPDATE tokens AS t SET supply = s.supply, holders = s.holders, logs = s.logs
  FROM expected_sums(right_ids) AS s
  WHERE t.contract_id = s.contract_id AND (t.supply, t.holders, t.logs) IS DISTINCT FROM (s.supply, s.holders, s.logs);
  DELETE FROM token_owners AS o WHERE o.contract_id = ANY (right_ids);
  INSERT INTO token_owners SELECT * FROM expected_owners(right_ids, NULL);
END
$$;
DROP FUNCTION expected_holdings(text[]);
