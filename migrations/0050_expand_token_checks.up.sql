-- expand: tokens are checked by dry runs; what those say of themselves whose events do not tell their balances, and which contracts are no tokens.

ALTER TABLE tokens
  -- What did not match at a check: `balances`, `owners`, `supply`. Null: nothing.
  ADD COLUMN invalid text,
  -- Position behind the micro block of which it was asked last, its hash, and the supply that it told; null unless it is invalid.
  ADD COLUMN told_position bigint,
  ADD COLUMN told_block text,
  ADD COLUMN told_supply numeric,
  -- Checksum of these and of `token_balances.told`: nothing else shows that a value was changed since.
  ADD COLUMN told_sum text;
CREATE INDEX tokens_check_due_idx ON tokens (due_at) WHERE kind > 0 AND meta_state <> 'due';
CREATE INDEX tokens_told_idx ON tokens (told_position) WHERE told_position IS NOT NULL;

-- Whether the balances are those that the token told, and not those of its events.
CREATE FUNCTION is_told(t tokens) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT $1.kind = 9 AND $1.invalid IS NOT NULL
$$;

CREATE FUNCTION told_of(t tokens) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT md5(ROW($1.invalid, $1.told_position, $1.told_block, $1.told_supply, (
    SELECT string_agg(b.account || ' ' || b.told, ',' ORDER BY b.account) FROM token_balances AS b
    WHERE b.contract_id = $1.contract_id AND b.told IS NOT NULL
  ))::text)
$$;

-- Whether what is stored of a check is not what the token said then, or the block of the check is not in the chain any more.
CREATE FUNCTION is_mistold(t tokens) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN $1.told_sum IS NULL
    THEN COALESCE($1.invalid, $1.told_position::text, $1.told_block, $1.told_supply::text) IS NOT NULL
      OR EXISTS (SELECT FROM token_balances AS b WHERE b.contract_id = $1.contract_id AND b.told IS NOT NULL)
    ELSE $1.invalid IS NULL OR $1.told_sum <> told_of($1)
      OR NOT EXISTS (SELECT FROM micro_blocks AS m WHERE m.position = $1.told_position - 65536 AND m.hash = $1.told_block)
  END
$$;

-- Forgets checks: the balances are those of the events again until the next one.
CREATE FUNCTION take_back_checks(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tokens AS t SET invalid = NULL, told_position = NULL, told_block = NULL, told_supply = NULL, told_sum = NULL, attempts = 0, due_at = now()
  WHERE t.contract_id = ANY (ids);
  PERFORM fill_tokens(ids);
END
$$;

-- The balances of tokens, from what they said and from all their logs; of invalid ones from what they told.
CREATE FUNCTION expected_holdings(ids text[])
RETURNS TABLE (contract_id text, account numeric, base numeric, amount numeric, events bigint, "position" bigint, log_index int, told numeric)
LANGUAGE sql STABLE AS $$
  SELECT m.contract_id, m.account, sum(m.base), CASE WHEN bool_or(m.is_told) THEN COALESCE(sum(m.told), 0) ELSE sum(m.delta) END, count(m.position),
    (max(ARRAY[m.position, m.log_index]) FILTER (WHERE m.position IS NOT NULL))[1],
    (max(ARRAY[m.position, m.log_index]) FILTER (WHERE m.position IS NOT NULL))[2]::int, sum(m.told)
  FROM (
    SELECT t.contract_id, d.account, NULL::numeric AS base, CASE WHEN l.position >= COALESCE(t.base_position, 0) THEN d.delta ELSE 0 END AS delta,
      l.position, l.log_index::bigint, is_told(t) AS is_told, NULL::numeric AS told
    FROM unnest($1) AS w (id)
    JOIN tokens AS t ON t.contract_id = w.id AND t.kind > 0
    JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
    CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
    UNION ALL
    SELECT b.contract_id, b.account, b.base, b.base, NULL, NULL, is_told(t), NULL
    FROM unnest($1) AS w (id)
    JOIN tokens AS t ON t.contract_id = w.id AND t.kind > 0 AND t.base_position IS NOT NULL
    JOIN token_balances AS b ON b.contract_id = w.id AND b.base IS NOT NULL
    UNION ALL
    SELECT b.contract_id, b.account, NULL, 0, NULL, NULL, true, b.told
    FROM unnest($1) AS w (id)
    JOIN tokens AS t ON t.contract_id = w.id AND is_told(t)
    JOIN token_balances AS b ON b.contract_id = w.id AND b.told IS NOT NULL
  ) AS m
  GROUP BY m.contract_id, m.account
$$;

-- The same for programs that do not know of checks.
CREATE OR REPLACE FUNCTION expected_balances(ids text[])
RETURNS TABLE (contract_id text, account numeric, base numeric, amount numeric, events bigint, "position" bigint, log_index int)
LANGUAGE sql STABLE AS $$
  SELECT e.contract_id, e.account, e.base, e.amount, e.events, e.position, e.log_index FROM expected_holdings($1) AS e
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
  SELECT array_agg(ROW(e.contract_id, e.account, e.base, e.amount, e.events, e.position, e.log_index, e.told)::token_balances)
  INTO filled FROM expected_holdings(right_ids) AS e;
  DELETE FROM token_balances AS b WHERE b.contract_id = ANY (right_ids);
  INSERT INTO token_balances SELECT f.* FROM unnest(filled) AS f;
  UPDATE tokens AS t SET supply = s.supply, holders = s.holders, logs = s.logs
  FROM expected_sums(right_ids) AS s
  WHERE t.contract_id = s.contract_id AND (t.supply, t.holders, t.logs) IS DISTINCT FROM (s.supply, s.holders, s.logs);
  DELETE FROM token_owners AS o WHERE o.contract_id = ANY (right_ids);
  INSERT INTO token_owners SELECT * FROM expected_owners(right_ids, NULL);
END
$$;

-- Events of invalid tokens do not count. As before else.
CREATE OR REPLACE FUNCTION tokens_of_come() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  late text[];
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
  SELECT l.contract_id, d.account, sum(CASE WHEN l.position >= COALESCE(t.base_position, 0) AND NOT is_told(t) THEN d.delta ELSE 0 END), count(*),
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

  -- What it emitted below a check was not known to the check; after a check the token is asked again what it holds.
  late := ARRAY(
    SELECT l.contract_id FROM come AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND t.told_position > l.position
    UNION SELECT t.contract_id FROM tokens AS t WHERE t.told_position = -1
  );
  IF cardinality(late) > 0 THEN
    PERFORM take_back_checks(late);
  END IF;
  UPDATE tokens AS t SET attempts = 0, due_at = LEAST(t.due_at, now())
  FROM (SELECT DISTINCT contract_id FROM come) AS l WHERE t.contract_id = l.contract_id AND t.invalid IS NOT NULL;
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
    SELECT l.contract_id, d.account, sum(CASE WHEN l.position >= COALESCE(t.base_position, 0) AND NOT is_told(t) THEN d.delta ELSE 0 END) AS delta, count(*) AS events
    FROM gone AS l
    JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0
    CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
    GROUP BY l.contract_id, d.account
  ) AS g
  WHERE b.contract_id = g.contract_id AND b.account = g.account;

  DELETE FROM token_balances AS b
  USING gone AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind > 0 CROSS JOIN LATERAL token_deltas(t.kind, l.topics) AS d
  WHERE b.contract_id = l.contract_id AND b.account = d.account AND b.events = 0 AND b.base IS NULL AND b.told IS NULL;

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

  -- Checks knew the events that are gone. Where others come in their place, they are taken back after those have been added to balances.
  SELECT array_agg(DISTINCT l.contract_id) INTO changed
  FROM gone AS l JOIN tokens AS t ON t.contract_id = l.contract_id AND t.told_position > l.position;
  IF changed IS NOT NULL AND TG_OP = 'DELETE' THEN
    PERFORM take_back_checks(changed);
  ELSIF changed IS NOT NULL THEN
    UPDATE tokens AS t SET told_position = -1 WHERE t.contract_id = ANY (changed);
  END IF;
  RETURN NULL;
END
$$;
