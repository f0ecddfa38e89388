-- expand: the metadata of single tokens, as their collections tell it.

CREATE TABLE token_metadata (
  contract_id text NOT NULL,
  token_id numeric NOT NULL,
  -- Of the transaction whose event made the token or changed its metadata last; its collection is asked for them as of the end of the micro block.
  position bigint NOT NULL,
  -- False if no event tells that it was made: the position is that of the first one that moved it.
  made boolean NOT NULL,
  -- `due`, `ok`; `failed`: the function ends with an error; `malformed`: it returns something else.
  state text NOT NULL DEFAULT 'due',
  -- JSON: a text, or an object of texts. Null with the state `ok`: the token has none.
  metadata text,
  -- Checksum of the answer: nothing else shows that it was changed since. Null if there is none.
  answer text,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (contract_id, token_id)
);
-- Tokens that came together are asked about together: those of one micro block are next to each other.
CREATE INDEX token_metadata_due_idx ON token_metadata (due_at, position) WHERE state = 'due';

-- The single token that an event of a collection is about, and whether it makes it or changes its metadata. See src/chain/tokens/events.ts.
CREATE FUNCTION token_makings(topics numeric[]) RETURNS TABLE (token_id numeric, made boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e.token_id, e.made FROM (VALUES
    -- Mint, TemplateMint, MutableAttributesUpdate
    (97248968993606906149864095761415446114204891017168990930824289305879066770211::numeric, 3, $1[3], true),
    (82163412834881319337366190831357199303892930614758279450416270264877577639369, 4, $1[4], true),
    (63474453562671551393431532551013341195121805416535804854140509925801749274590, 2, $1[2], true),
    -- Transfer
    (15485047184846566156736396069994907050875216973023180189891727495730853981167, 4, $1[4], false)
  ) AS e (event, size, token_id, made) WHERE e.event = $1[1] AND e.size = cardinality($1)
$$;

CREATE FUNCTION metadata_answer("position" bigint, state text, metadata text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT md5(ROW($1, $2, $3)::text)
$$;

-- Whether what is stored is not what a node answered.
CREATE FUNCTION is_misquoted(m token_metadata) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1.state = 'due' THEN COALESCE($1.metadata, $1.answer) IS NOT NULL
    ELSE $1.answer IS DISTINCT FROM metadata_answer($1.position, $1.state, $1.metadata) END
$$;

-- The events after which metadata are asked for, from all logs of collections; of all their tokens where `singles` is null.
CREATE FUNCTION expected_metadata(ids text[], singles numeric[]) RETURNS TABLE (contract_id text, token_id numeric, "position" bigint, made boolean)
LANGUAGE sql STABLE AS $$
  SELECT w.id, m.token_id, COALESCE(max(l.position) FILTER (WHERE m.made), min(l.position)), bool_or(m.made)
  FROM (SELECT DISTINCT i.id FROM unnest($1) AS i (id)) AS w
  JOIN tokens AS t ON t.contract_id = w.id AND t.kind = 141
  JOIN contract_logs AS l ON hashtextextended(l.contract_id, 0) = hashtextextended(w.id, 0) AND l.contract_id = w.id
  CROSS JOIN LATERAL token_makings(l.topics) AS m
  WHERE $2 IS NULL OR m.token_id = ANY ($2)
  GROUP BY w.id, m.token_id
$$;

-- Writes the rows of some tokens again; of all tokens where `singles` is null. Answers after the same event stay.
CREATE FUNCTION fill_metadata(ids text[], singles numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM token_metadata AS m
  WHERE m.contract_id = ANY (ids) AND (singles IS NULL OR m.token_id = ANY (singles)) AND NOT EXISTS (
    SELECT FROM expected_metadata(ids, singles) AS e
    WHERE e.contract_id = m.contract_id AND e.token_id = m.token_id AND e.position = m.position AND e.made = m.made
  );
  INSERT INTO token_metadata (contract_id, token_id, position, made)
  SELECT e.contract_id, e.token_id, e.position, e.made FROM expected_metadata(ids, singles) AS e
  ON CONFLICT (contract_id, token_id) DO NOTHING;
END
$$;

-- A collection becomes known by its code before or after its logs.
CREATE FUNCTION metadata_of_collection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM token_metadata AS m WHERE m.contract_id = OLD.contract_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM fill_metadata(ARRAY[NEW.contract_id], NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER tokens_metadata_come AFTER INSERT ON tokens FOR EACH ROW WHEN (NEW.kind = 141) EXECUTE FUNCTION metadata_of_collection();
CREATE TRIGGER tokens_metadata_change AFTER UPDATE ON tokens FOR EACH ROW
  WHEN (OLD.kind IS DISTINCT FROM NEW.kind AND (OLD.kind = 141 OR NEW.kind = 141)) EXECUTE FUNCTION metadata_of_collection();
CREATE TRIGGER tokens_metadata_go AFTER DELETE ON tokens FOR EACH ROW WHEN (OLD.kind = 141) EXECUTE FUNCTION metadata_of_collection();

-- Logs come with their blocks or later, go with them, and are replaced.
CREATE FUNCTION metadata_of_come() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_metadata AS m (contract_id, token_id, position, made)
  SELECT l.contract_id, e.token_id, COALESCE(max(l.position) FILTER (WHERE e.made), min(l.position)), bool_or(e.made)
  FROM come AS l
  JOIN tokens AS t ON t.contract_id = l.contract_id AND t.kind = 141
  CROSS JOIN LATERAL token_makings(l.topics) AS e
  GROUP BY l.contract_id, e.token_id
  ON CONFLICT (contract_id, token_id) DO UPDATE
  SET position = EXCLUDED.position, made = EXCLUDED.made, state = 'due', metadata = NULL, answer = NULL, attempts = 0, due_at = now()
  WHERE CASE WHEN m.made THEN EXCLUDED.made AND EXCLUDED.position > m.position ELSE EXCLUDED.made OR EXCLUDED.position < m.position END;
  RETURN NULL;
END
$$;

CREATE FUNCTION metadata_of_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text[];
  single numeric[];
BEGIN
  -- Only the event after which it was asked for matters.
  SELECT array_agg(DISTINCT m.contract_id), array_agg(DISTINCT m.token_id) INTO changed, single
  FROM gone AS l
  CROSS JOIN LATERAL token_makings(l.topics) AS e
  JOIN token_metadata AS m ON m.contract_id = l.contract_id AND m.token_id = e.token_id AND m.position = l.position;
  IF changed IS NOT NULL THEN
    PERFORM fill_metadata(changed, single);
  END IF;
  RETURN NULL;
END
$$;

INSERT INTO backfills (projection, position) SELECT 'token-metadata', -1 WHERE EXISTS (SELECT FROM key_blocks);
