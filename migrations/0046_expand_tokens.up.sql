-- expand: tokens of AEX-9 and AEX-141, what accounts hold of them, and who owns single tokens.

-- A row for each contract that is a token by its code; and for each contract that emitted an event or was called and that no stored transaction
-- created: its code is asked for.
CREATE TABLE tokens (
  contract_id text PRIMARY KEY,
  -- Of the transaction that created it; else of the first one in which it was seen.
  position bigint NOT NULL,
  -- By a stored transaction.
  created boolean NOT NULL DEFAULT false,
  -- 9, 141, or 0 for no token; null while its code is not known.
  kind smallint,
  -- Of the next request about it: for its code, then for what it says of itself.
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- `due`, `ok`; `failed`: its functions end with an error; `malformed`: they return something else.
  meta_state text NOT NULL DEFAULT 'due',
  -- JSON: name, symbol, decimals and others, as it says them.
  meta text,
  -- The beginnings of name and symbol, for lists: in lower case, without the character that a column cannot have.
  name_key text COLLATE "C" NOT NULL DEFAULT '',
  symbol_key text COLLATE "C" NOT NULL DEFAULT '',
  -- Events of transactions below this position are in `token_balances.base`; null if that was not asked for.
  base_position bigint,
  initial_supply numeric,
  -- Sum of the balances, and how many are above 0.
  supply numeric NOT NULL DEFAULT 0,
  holders bigint NOT NULL DEFAULT 0,
  -- Events that it emitted.
  logs bigint NOT NULL DEFAULT 0
);
CREATE INDEX tokens_position_idx ON tokens (position);
CREATE INDEX tokens_due_idx ON tokens (due_at) WHERE kind IS NULL;
CREATE INDEX tokens_meta_due_idx ON tokens (due_at) WHERE kind > 0 AND meta_state = 'due';
CREATE INDEX tokens_name_idx ON tokens (kind, name_key, contract_id);
CREATE INDEX tokens_symbol_idx ON tokens (kind, symbol_key, contract_id);
CREATE INDEX tokens_kind_position_idx ON tokens (kind, position, contract_id);

-- Accounts are the 32 bytes of their keys as integers, as in topics of events.
CREATE TABLE token_balances (
  contract_id text NOT NULL,
  account numeric NOT NULL,
  -- What the token said of the account at `tokens.base_position`; null if it said nothing.
  base numeric,
  -- The base and all events since then. Below 0 where events do not tell all.
  amount numeric NOT NULL,
  -- How often events of the token name the account, and the last one. Null if there is none.
  events bigint NOT NULL,
  position bigint,
  log_index int,
  PRIMARY KEY (contract_id, account)
);
CREATE INDEX token_balances_amount_idx ON token_balances (contract_id, amount, account) WHERE amount <> 0;
CREATE INDEX token_balances_account_idx ON token_balances (account, contract_id);

CREATE TABLE token_owners (
  contract_id text NOT NULL,
  token_id numeric NOT NULL,
  -- Null if it was burnt.
  owner numeric,
  -- Of the event that moved it last.
  position bigint NOT NULL,
  log_index int NOT NULL,
  PRIMARY KEY (contract_id, token_id)
);
CREATE INDEX token_owners_owner_idx ON token_owners (owner, contract_id, token_id) WHERE owner IS NOT NULL;

-- What an event of a token adds to accounts: amounts, or numbers of single tokens. See src/chain/tokens/events.ts.
CREATE FUNCTION token_deltas(kind smallint, topics numeric[]) RETURNS TABLE (account numeric, delta numeric)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e.account, e.delta FROM (VALUES
    -- Transfer
    (9, 15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric, 4, $2[2], - $2[4]),
    (9, 15485047184846566156736396069994907050875216973023180189891727495730853981167, 4, $2[3], $2[4]),
    (141, 15485047184846566156736396069994907050875216973023180189891727495730853981167, 4, $2[2], -1),
    (141, 15485047184846566156736396069994907050875216973023180189891727495730853981167, 4, $2[3], 1),
    -- Mint, Deposit, TemplateMint
    (9, 97248968993606906149864095761415446114204891017168990930824289305879066770211, 3, $2[2], $2[3]),
    (141, 97248968993606906149864095761415446114204891017168990930824289305879066770211, 3, $2[2], 1),
    (9, 41351702065710532483578406672343054931429779004654879061244444772998706402323, 3, $2[2], $2[3]),
    (141, 82163412834881319337366190831357199303892930614758279450416270264877577639369, 4, $2[2], 1),
    -- Burn, Swap, Withdrawal
    (9, 59519329313588602299792785325724171247065768738621522936987157301332531057158, 3, $2[2], - $2[3]),
    (141, 59519329313588602299792785325724171247065768738621522936987157301332531057158, 3, $2[2], -1),
    (9, 87152034236714252806392310986442524876185493856990839672979346500071310270671, 3, $2[2], - $2[3]),
    (9, 21551373694814533467334163970656514191399831838095241105854918675556585912443, 3, $2[2], - $2[3])
  ) AS e (kind, event, size, account, delta) WHERE e.kind = $1 AND e.event = $2[1] AND e.size = cardinality($2)
$$;

-- Whom an event of AEX-141 makes the owner of which single token; null where it is burnt.
CREATE FUNCTION token_moves(topics numeric[]) RETURNS TABLE (token_id numeric, owner numeric) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e.token_id, e.owner FROM (VALUES
    -- Transfer, TemplateMint
    (15485047184846566156736396069994907050875216973023180189891727495730853981167::numeric, 4, $1[4], $1[3]),
    (82163412834881319337366190831357199303892930614758279450416270264877577639369, 4, $1[4], $1[2]),
    -- Mint, Burn
    (97248968993606906149864095761415446114204891017168990930824289305879066770211, 3, $1[3], $1[2]),
    (59519329313588602299792785325724171247065768738621522936987157301332531057158, 3, $1[3], NULL)
  ) AS e (event, size, token_id, owner) WHERE e.event = $1[1] AND e.size = cardinality($1)
$$;

-- The balances of tokens, from what they said and from all their logs.
CREATE FUNCTION expected_balances(ids text[])
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
    JOIN tokens AS t ON t.contract_id = w.id AND t.kind > 0
    JOIN token_balances AS b ON b.contract_id = w.id AND b.base IS NOT NULL
  ) AS m
  GROUP BY m.contract_id, m.account
$$;

-- The owners of single tokens of collections, from all their logs; of all tokens of a collection where `singles` is null.
CREATE FUNCTION expected_owners(ids text[], singles numeric[])
RETURNS TABLE (contract_id text, token_id numeric, owner numeric, "position" bigint, log_index int)
LANGUAGE sql STABLE AS $$
  SELECT DISTINCT ON (w.id, m.token_id) w.id, m.token_id, m.owner, l.position, l.log_index
  FROM (SELECT DISTINCT i.id FROM unnest($1) AS i (id)) AS w
  JOIN tokens AS t ON t.contract_id = w.id AND t.kind = 141
  JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
  CROSS JOIN LATERAL token_moves(l.topics) AS m
  WHERE $2 IS NULL OR m.token_id = ANY ($2)
  ORDER BY w.id, m.token_id, l.position DESC, l.log_index DESC
$$;

-- Computes what tokens hold again.
CREATE FUNCTION fill_tokens(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  filled token_balances[];
BEGIN
  SELECT array_agg(ROW(e.contract_id, e.account, e.base, e.amount, e.events, e.position, e.log_index)::token_balances)
  INTO filled FROM expected_balances(ids) AS e;
  DELETE FROM token_balances AS b WHERE b.contract_id = ANY (ids);
  INSERT INTO token_balances SELECT f.* FROM unnest(filled) AS f;
  UPDATE tokens AS t SET supply = s.supply, holders = s.holders, logs = s.logs
  FROM (
    SELECT w.id, COALESCE(sum(b.amount), 0) AS supply, count(*) FILTER (WHERE b.amount > 0) AS holders, (
      SELECT count(*) FROM contract_logs AS l
      WHERE hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
    ) AS logs
    FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id)) AS w LEFT JOIN token_balances AS b ON b.contract_id = w.id GROUP BY w.id
  ) AS s
  WHERE t.contract_id = s.id AND (t.supply, t.holders, t.logs) IS DISTINCT FROM (s.supply, s.holders, s.logs);
  DELETE FROM token_owners AS o WHERE o.contract_id = ANY (ids);
  INSERT INTO token_owners SELECT * FROM expected_owners(ids, NULL);
END
$$;

-- Contracts in the results of calls that no stored transaction created: factories return what they made, which may do nothing else for long.
CREATE TABLE returned_contracts (
  contract_id text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (contract_id, position)
);
CREATE INDEX returned_contracts_position_idx ON returned_contracts (position);

CREATE FUNCTION contracts_in(result text) RETURNS TABLE (id text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT m[1] FROM regexp_matches($1, '"type":"contract","value":"(ct_[1-9A-HJ-NP-Za-km-z]{1,80})"', 'g') AS m
$$;

CREATE FUNCTION drop_tokens(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM tokens WHERE contract_id = ANY (ids);
  DELETE FROM token_balances WHERE contract_id = ANY (ids);
  DELETE FROM token_owners WHERE contract_id = ANY (ids);
END
$$;

-- Places contracts that no stored transaction created where they were seen first, in logs and calls that are stored; deletes those that none names.
CREATE FUNCTION see_tokens(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gone text[];
BEGIN
  INSERT INTO tokens AS t (contract_id, position)
  SELECT s.id, s.position FROM (
    SELECT w.id, LEAST(
      (
        SELECT l.position FROM contract_logs AS l
        WHERE hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
        ORDER BY l.position LIMIT 1
      ),
      (SELECT min(c.position) FROM contract_calls AS c WHERE c.contract_id = w.id),
      (SELECT min(r.position) FROM returned_contracts AS r WHERE r.contract_id = w.id)
    ) AS position
    FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id)) AS w
    WHERE NOT EXISTS (SELECT FROM contracts AS c WHERE c.id = w.id)
  ) AS s
  WHERE s.position IS NOT NULL
  ON CONFLICT (contract_id) DO UPDATE SET position = EXCLUDED.position WHERE t.position <> EXCLUDED.position AND NOT t.created;

  SELECT array_agg(t.contract_id) INTO gone FROM tokens AS t
  WHERE t.contract_id = ANY (ids) AND NOT t.created AND (
    EXISTS (SELECT FROM contracts AS c WHERE c.id = t.contract_id)
    OR NOT EXISTS (
      SELECT FROM contract_logs AS l
      WHERE hashtextextended(l.contract_id, 0) = hashtextextended(t.contract_id, 0) AND l.contract_id = t.contract_id
    ) AND NOT EXISTS (SELECT FROM contract_calls AS c WHERE c.contract_id = t.contract_id)
    AND NOT EXISTS (SELECT FROM returned_contracts AS r WHERE r.contract_id = t.contract_id)
  );
  PERFORM drop_tokens(gone);
END
$$;

-- Logs come with their blocks or later, go with them, and are replaced.
CREATE FUNCTION tokens_of_come() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION tokens_of_gone() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER contract_logs_tokens_come AFTER INSERT ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION tokens_of_come();
CREATE TRIGGER contract_logs_tokens_change_gone AFTER UPDATE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION tokens_of_gone();
CREATE TRIGGER contract_logs_tokens_changed AFTER UPDATE ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION tokens_of_come();
CREATE TRIGGER contract_logs_tokens_go AFTER DELETE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION tokens_of_gone();

-- The sums of a token, with its balances.
CREATE FUNCTION sum_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE tokens AS t SET supply = t.supply - g.supply, holders = t.holders - g.holders
    FROM (SELECT contract_id, sum(amount) AS supply, count(*) FILTER (WHERE amount > 0) AS holders FROM gone GROUP BY contract_id) AS g
    WHERE t.contract_id = g.contract_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE tokens AS t SET supply = t.supply + g.supply, holders = t.holders + g.holders
    FROM (SELECT contract_id, sum(amount) AS supply, count(*) FILTER (WHERE amount > 0) AS holders FROM come GROUP BY contract_id) AS g
    WHERE t.contract_id = g.contract_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER token_balances_come AFTER INSERT ON token_balances REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION sum_balances();
CREATE TRIGGER token_balances_change AFTER UPDATE ON token_balances REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION sum_balances();
CREATE TRIGGER token_balances_go AFTER DELETE ON token_balances REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION sum_balances();

INSERT INTO backfills (projection, position) SELECT 'tokens', -1 WHERE EXISTS (SELECT FROM key_blocks);
