-- expand: accounts by the transaction that named them first.

CREATE TABLE seen_accounts (
  -- ak_
  id text PRIMARY KEY,
  -- Of the first transaction that names it, or that one inside it does, or that pays it through a name.
  position bigint NOT NULL
);
CREATE INDEX seen_accounts_position_idx ON seen_accounts (position);

-- Looks up the first entries of the accounts to which these lists belong: their own lists (1), and those of what they are wrapped in (10).
-- While a copy is loaded its tables look small to PostgreSQL, which would read all of them for each commit.
CREATE FUNCTION refresh_seen_accounts(keys bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
  WITH firsts AS (
    SELECT i.id, (
      SELECT min(e.position) FROM (VALUES (1::smallint), (10::smallint)) AS k (kind)
      CROSS JOIN LATERAL (SELECT l.key FROM lists AS l WHERE l.kind = k.kind AND l.id = i.id LIMIT 1) AS o
      CROSS JOIN LATERAL (SELECT f.position FROM entries AS f WHERE f.list = o.key AND f.ordinal = 1 LIMIT 1) AS e
    ) AS position
    FROM (
      -- Each list is looked up by its key: all lists of these kinds are many more.
      SELECT DISTINCT l.id FROM unnest(keys) AS c (key)
      CROSS JOIN LATERAL (SELECT l.kind, l.id FROM lists AS l WHERE l.key = c.key LIMIT 1) AS l
      WHERE l.kind IN (1, 10) AND starts_with(l.id, 'ak_')
    ) AS i
  ), gone AS (
    DELETE FROM seen_accounts AS s USING firsts AS f WHERE s.id = f.id AND f.position IS NULL
  )
  INSERT INTO seen_accounts AS s (id, position) SELECT f.id, f.position FROM firsts AS f WHERE f.position IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET position = EXCLUDED.position WHERE s.position <> EXCLUDED.position;
END
$$;

-- The first entry of a list always has the number 1, so nearly all changes of entries end here.
CREATE FUNCTION seen_accounts_of_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  keys bigint[];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    keys := ARRAY(SELECT DISTINCT g.list FROM gone AS g WHERE g.ordinal = 1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    keys := keys || ARRAY(SELECT DISTINCT c.list FROM come AS c WHERE c.ordinal = 1);
  END IF;
  IF cardinality(keys) > 0 THEN
    PERFORM refresh_seen_accounts(keys);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER entries_seen_accounts_come AFTER INSERT ON entries REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION seen_accounts_of_entries();
CREATE TRIGGER entries_seen_accounts_change AFTER UPDATE ON entries REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION seen_accounts_of_entries();
CREATE TRIGGER entries_seen_accounts_go AFTER DELETE ON entries REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION seen_accounts_of_entries();

INSERT INTO backfills (projection, position) SELECT 'seen-accounts', 0 WHERE EXISTS (SELECT FROM lists);
