-- expand: contracts that contracts created, as the operations of the node prove.

CREATE TABLE child_contracts (
  id text PRIMARY KEY,
  -- Of the transaction.
  position bigint NOT NULL,
  -- Its place among the contracts that calls within the transaction created, from 1.
  index int NOT NULL,
  -- The contract that created it. Its id and the nonce make the id.
  creator text NOT NULL,
  nonce bigint NOT NULL,
  -- Coins that it was given.
  amount numeric NOT NULL,
  -- False if they came back: so do those of a creation that failed where the contract went on.
  is_certain boolean NOT NULL
);
CREATE INDEX child_contracts_position_idx ON child_contracts (position, index);

-- What stored answers about these generations say.
CREATE FUNCTION expected_children(low bigint, high bigint)
RETURNS TABLE (id text, "position" bigint, index int, creator text, nonce bigint, amount numeric, is_certain boolean) LANGUAGE sql STABLE AS $$
  SELECT c.one ->> 0, t.position, c.index::int, c.one ->> 1, (c.one ->> 2)::bigint, (c.one ->> 3)::numeric, (c.one ->> 4)::boolean
  FROM node_money AS m
  JOIN key_blocks AS n ON n.height = m.height + 1 AND n.hash = m.next_hash
  CROSS JOIN LATERAL json_each(m.operations::json -> 'made') AS h (hash, made)
  JOIN transactions AS t ON t.position >= m.height << 33 AND t.position < (m.height + 1) << 33 AND t.hash = h.hash
  CROSS JOIN LATERAL json_array_elements(h.made) WITH ORDINALITY AS c (one, index)
  WHERE m.height BETWEEN $1 AND $2
$$;

CREATE FUNCTION fill_children(low bigint, high bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM child_contracts WHERE position >= $1 << 33 AND position < ($2 + 1) << 33;
  INSERT INTO child_contracts SELECT * FROM expected_children($1, $2)
  ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position, index = EXCLUDED.index, creator = EXCLUDED.creator, nonce = EXCLUDED.nonce,
    amount = EXCLUDED.amount, is_certain = EXCLUDED.is_certain
$$;

CREATE FUNCTION children_of_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM child_contracts WHERE position >= OLD.height << 33 AND position < (OLD.height + 1) << 33;
  ELSE
    PERFORM fill_children(NEW.height, NEW.height);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER node_money_children_come AFTER INSERT OR UPDATE ON node_money FOR EACH ROW EXECUTE FUNCTION children_of_answers();
CREATE TRIGGER node_money_children_go AFTER DELETE ON node_money FOR EACH ROW EXECUTE FUNCTION children_of_answers();

-- Earlier releases did not keep it of their answers. What they keep stays in use; it was asked about before, so new questions come first.
INSERT INTO ledger_questions (height, attempts) SELECT height, 1 FROM node_money ON CONFLICT DO NOTHING;
