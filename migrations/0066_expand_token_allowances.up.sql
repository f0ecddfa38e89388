-- expand: what accounts of tokens of AEX-9 allow others to spend, by events, and as the tokens tell it.

CREATE TABLE token_allowances (
  contract_id text NOT NULL,
  owner numeric NOT NULL,
  spender numeric NOT NULL,
  -- What the last event about both says, and where it is; the token is asked as of the end of its micro block.
  amount numeric NOT NULL,
  position bigint NOT NULL,
  log_index int NOT NULL,
  -- `due`, `ok`; `failed`: the function ends with an error; `malformed`: it returns something else.
  state text NOT NULL DEFAULT 'due',
  -- What the token told; null unless the state is `ok`.
  told numeric,
  -- Checksum of the answer: nothing else shows that it was changed since. Null if there is none.
  answer text,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (contract_id, owner, spender)
);
CREATE INDEX token_allowances_owner_idx ON token_allowances (owner, contract_id, spender);
CREATE INDEX token_allowances_spender_idx ON token_allowances (spender, contract_id, owner);
-- Those of one micro block are asked about together: they are next to each other.
CREATE INDEX token_allowances_due_idx ON token_allowances (due_at, position) WHERE state = 'due';

-- What an event of a token allows: the whole amount that is left, not a change of it.
CREATE FUNCTION token_allowance(topics numeric[]) RETURNS TABLE (owner numeric, spender numeric, amount numeric) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT $1[2], $1[3], $1[4]
  WHERE $1[1] = 6675387653529534352993899574763440621350730065146058041830673378811230846814 AND cardinality($1) = 4
$$;

CREATE FUNCTION allowance_answer("position" bigint, log_index int, state text, told numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT md5(ROW($1, $2, $3, $4)::text)
$$;

-- Whether what is stored is not what a node answered.
CREATE FUNCTION is_misquoted(a token_allowances) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1.state = 'due' THEN COALESCE($1.told::text, $1.answer) IS NOT NULL
    ELSE $1.answer IS DISTINCT FROM allowance_answer($1.position, $1.log_index, $1.state, $1.told) END
$$;

-- The last event of each pair of accounts, from all logs of tokens.
CREATE FUNCTION expected_allowances(ids text[])
RETURNS TABLE (contract_id text, owner numeric, spender numeric, amount numeric, "position" bigint, log_index int) LANGUAGE sql STABLE AS $$
  SELECT DISTINCT ON (w.id, a.owner, a.spender) w.id, a.owner, a.spender, a.amount, l.position, l.log_index
  FROM (SELECT DISTINCT i.id FROM unnest($1) AS i (id)) AS w
  JOIN tokens AS t ON t.contract_id = w.id AND t.kind = 9
  JOIN contract_logs AS l
    ON hashtextextended(l.contract_id, 0) # hash_numeric_extended(l.topics[1], 1)
      = hashtextextended(w.id, 0) # hash_numeric_extended(6675387653529534352993899574763440621350730065146058041830673378811230846814, 1)
    AND l.contract_id = w.id
  CROSS JOIN LATERAL token_allowance(l.topics) AS a
  ORDER BY w.id, a.owner, a.spender, l.position DESC, l.log_index DESC
$$;

-- The same of some pairs: by the index of the first argument, so that few events are read.
CREATE FUNCTION last_allowances(ids text[], owners numeric[], spenders numeric[])
RETURNS TABLE (contract_id text, owner numeric, spender numeric, amount numeric, "position" bigint, log_index int) LANGUAGE sql STABLE AS $$
  SELECT w.id, w.owner, w.spender, e.amount, e.position, e.log_index
  FROM unnest($1, $2, $3) AS w (id, owner, spender)
  JOIN tokens AS t ON t.contract_id = w.id AND t.kind = 9
  CROSS JOIN LATERAL (
    SELECT a.amount, l.position, l.log_index
    FROM contract_logs AS l CROSS JOIN LATERAL token_allowance(l.topics) AS a
    WHERE l.topics[2] IS NOT NULL AND hash_numeric_extended(l.topics[2], 0) = hash_numeric_extended(w.owner, 0)
      AND l.contract_id = w.id AND a.owner = w.owner AND a.spender = w.spender
    ORDER BY l.position DESC, l.log_index DESC LIMIT 1
  ) AS e
$$;

-- Writes the rows of tokens again. Answers after the same event stay.
CREATE FUNCTION fill_allowances(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM token_allowances AS s
  WHERE s.contract_id = ANY (ids) AND (s.contract_id, s.owner, s.spender, s.amount, s.position, s.log_index) NOT IN (
    SELECT e.contract_id, e.owner, e.spender, e.amount, e.position, e.log_index FROM expected_allowances(ids) AS e
  );
  INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index)
  SELECT e.contract_id, e.owner, e.spender, e.amount, e.position, e.log_index FROM expected_allowances(ids) AS e
  ON CONFLICT (contract_id, owner, spender) DO NOTHING;
END
$$;

-- A token becomes known by its code before or after its logs.
CREATE FUNCTION allowances_of_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM token_allowances AS s WHERE s.contract_id = OLD.contract_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM fill_allowances(ARRAY[NEW.contract_id]);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER tokens_allowances_come AFTER INSERT ON tokens FOR EACH ROW WHEN (NEW.kind = 9) EXECUTE FUNCTION allowances_of_token();
CREATE TRIGGER tokens_allowances_change AFTER UPDATE ON tokens FOR EACH ROW
  WHEN (OLD.kind IS DISTINCT FROM NEW.kind AND (OLD.kind = 9 OR NEW.kind = 9)) EXECUTE FUNCTION allowances_of_token();
CREATE TRIGGER tokens_allowances_go AFTER DELETE ON tokens FOR EACH ROW WHEN (OLD.kind = 9) EXECUTE FUNCTION allowances_of_token();

-- Logs come with their blocks or later, go with them, and are replaced.
CREATE FUNCTION allowances_of_come() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_allowances AS s (contract_id, owner, spender, amount, position, log_index)
  SELECT DISTINCT ON (l.contract_id, a.owner, a.spender) l.contract_id, a.owner, a.spender, a.amount, l.position, l.log_index
  FROM come AS l
  JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind = 9
  CROSS JOIN LATERAL token_allowance(l.topics) AS a
  ORDER BY l.contract_id, a.owner, a.spender, l.position DESC, l.log_index DESC
  ON CONFLICT (contract_id, owner, spender) DO UPDATE
  SET amount = EXCLUDED.amount, position = EXCLUDED.position, log_index = EXCLUDED.log_index,
    state = 'due', told = NULL, answer = NULL, attempts = 0, due_at = now()
  WHERE (s.position, s.log_index) < (EXCLUDED.position, EXCLUDED.log_index);
  RETURN NULL;
END
$$;

CREATE FUNCTION allowances_of_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text[];
  owners numeric[];
  spenders numeric[];
BEGIN
  -- Only the last event of a pair matters.
  SELECT array_agg(s.contract_id), array_agg(s.owner), array_agg(s.spender) INTO ids, owners, spenders
  FROM gone AS l
  CROSS JOIN LATERAL token_allowance(l.topics) AS a
  JOIN token_allowances AS s ON s.contract_id = l.contract_id AND s.owner = a.owner AND s.spender = a.spender
    AND s.position = l.position AND s.log_index = l.log_index;
  IF ids IS NOT NULL THEN
    DELETE FROM token_allowances AS s
    USING unnest(ids, owners, spenders) AS w (id, owner, spender)
    WHERE s.contract_id = w.id AND s.owner = w.owner AND s.spender = w.spender;
    INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index)
    SELECT e.contract_id, e.owner, e.spender, e.amount, e.position, e.log_index FROM last_allowances(ids, owners, spenders) AS e;
  END IF;
  RETURN NULL;
END
$$;

INSERT INTO backfills (projection, position) SELECT 'token-allowances', -1 WHERE EXISTS (SELECT FROM key_blocks);
