-- expand: what changed in each generation, and sums of it. The next migrations let the tables that it follows from write it, each one of them.

-- Each registration of an oracle: `oracles` has only the last one of each.
CREATE TABLE oracle_lives (
  -- Of the registration.
  position bigint PRIMARY KEY,
  id text NOT NULL,
  -- Last height at which the oracle exists.
  expires_at bigint NOT NULL
);
CREATE INDEX oracle_lives_id_idx ON oracle_lives (id, position);

-- Changes that are not zero. A sum up to any height reads at most 256 rows of each span for each member, besides those of the longest one.
CREATE TABLE generation_changes (
  -- 2^span generations: 0, 8 and 16.
  span smallint NOT NULL,
  -- Of the first one of them.
  height bigint NOT NULL,
  -- Code of `MEMBERS` in src/store/generation-members.ts.
  member smallint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (span, height, member)
);

CREATE TYPE generation_change AS (height bigint, member smallint, amount numeric);

-- While a copy is loaded its tables look small to PostgreSQL, which would read all of them for each commit.
CREATE FUNCTION change_generations(changes generation_change[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
  IF changes IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO generation_changes AS g (span, height, member, amount)
  SELECT s.span, c.height >> s.span << s.span, c.member, sum(c.amount)
  FROM unnest(changes) AS c CROSS JOIN (VALUES (0::smallint), (8::smallint), (16::smallint)) AS s (span)
  GROUP BY 1, 2, 3 HAVING sum(c.amount) <> 0
  ON CONFLICT (span, height, member) DO UPDATE SET amount = g.amount + EXCLUDED.amount;
  DELETE FROM generation_changes AS g
  USING (
    SELECT DISTINCT s.span, c.height >> s.span << s.span AS height, c.member
    FROM unnest(changes) AS c CROSS JOIN (VALUES (0::smallint), (8::smallint), (16::smallint)) AS s (span)
  ) AS k
  WHERE g.span = k.span AND g.height = k.height AND g.member = k.member AND g.amount = 0;
END
$$;

-- A function for each table from whose rows changes follow.
CREATE FUNCTION changes_of_name(place bigint, created bigint, ends bigint, expires bigint, revoked bigint, bid numeric)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 1::smallint, 1::numeric WHERE ends > created AND bid IS NOT NULL
  UNION ALL SELECT ends + 1, 2::smallint, 1::numeric WHERE ends > created AND bid IS NOT NULL
  UNION ALL SELECT CASE WHEN ends > created THEN ends + 1 ELSE place >> 33 END, 3::smallint, 1::numeric
  UNION ALL SELECT expires + 1, 4::smallint, 1::numeric WHERE revoked IS NULL
  UNION ALL SELECT revoked, 5::smallint, 1::numeric WHERE revoked IS NOT NULL
$$;

-- The last height may be any that the transaction says; no block is above 2^30.
CREATE FUNCTION changes_of_oracle_life(place bigint, expires bigint)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 6::smallint, 1::numeric
  UNION ALL SELECT expires + 1, 7::smallint, 1::numeric WHERE expires < 1073741823
$$;

CREATE FUNCTION changes_of_contract(place bigint, failed boolean)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 8::smallint, 1::numeric WHERE NOT failed
$$;

CREATE FUNCTION changes_of_channel(place bigint)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 9::smallint, 1::numeric WHERE place IS NOT NULL
$$;

CREATE FUNCTION changes_of_seen_account(place bigint)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 10::smallint, 1::numeric
$$;

-- Rewards, the share of the treasury, and what is burnt for names.
CREATE FUNCTION changes_of_movement(place bigint, kind smallint, amount numeric)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, CASE abs(kind) WHEN 19 THEN 20 WHEN 20 THEN 21 ELSE 23 END::smallint, abs(amount)
  WHERE abs(kind) IN (7, 19, 20) OR (abs(kind) = 10 AND place & 8589934591 = 0)
$$;

-- A change of an amount ends a row and begins another one, at the same position.
CREATE FUNCTION changes_of_held(kind smallint, place bigint, released bigint, amount numeric)
RETURNS SETOF generation_change LANGUAGE sql IMMUTABLE AS $$
  SELECT place >> 33, 22::smallint, amount WHERE kind = 1
  UNION ALL SELECT released >> 33, 22::smallint, -amount WHERE kind = 1 AND released IS NOT NULL
  UNION ALL SELECT place >> 33, 24::smallint, 1::numeric WHERE kind = 3
  UNION ALL SELECT released >> 33, 24::smallint, -1::numeric WHERE kind = 3 AND released IS NOT NULL
  UNION ALL SELECT place >> 33, 25::smallint, amount WHERE kind = 3
  UNION ALL SELECT released >> 33, 25::smallint, -amount WHERE kind = 3 AND released IS NOT NULL
$$;

-- A trigger function for each of these tables. They differ in the changes that follow from a row `r`.
DO $$
DECLARE
  source record;
BEGIN
  FOR source IN SELECT * FROM (VALUES
    ('oracle_lives', 'changes_of_oracle_life(r.position, r.expires_at)'),
    ('names', 'changes_of_name(r.position, r.created_at_height, r.auction_end_height, r.expires_at, r.revoked_at, r.winning_bid)'),
    ('contracts', 'changes_of_contract(r.position, r.failed)'),
    ('channels', 'changes_of_channel(r.position)'),
    ('seen_accounts', 'changes_of_seen_account(r.position)'),
    ('movement_rows', 'changes_of_movement(r.position, r.kind, r.amount)'),
    ('held', 'changes_of_held(r.kind, r.position, r.released, r.amount)')
  ) AS v (name, changes)
  LOOP
    EXECUTE format($f$
CREATE FUNCTION generations_of_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  changes generation_change[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(c.*) INTO changes FROM come AS r CROSS JOIN LATERAL %2$s AS c;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(ROW(c.height, c.member, -c.amount)::generation_change) INTO changes
    FROM gone AS r CROSS JOIN LATERAL %2$s AS c;
  ELSE
    SELECT array_agg(ROW(x.height, x.member, x.amount)::generation_change) INTO changes
    FROM (
      SELECT a.height, a.member, sum(a.amount) AS amount
      FROM (
        SELECT c.height, c.member, c.amount FROM come AS r CROSS JOIN LATERAL %2$s AS c
        UNION ALL
        SELECT c.height, c.member, -c.amount FROM gone AS r CROSS JOIN LATERAL %2$s AS c
      ) AS a
      GROUP BY a.height, a.member HAVING sum(a.amount) <> 0
    ) AS x;
  END IF;
  PERFORM change_generations(changes);
  RETURN NULL;
END
$body$
    $f$, source.name, source.changes);
  END LOOP;
END
$$;

CREATE TRIGGER oracle_lives_generations_come AFTER INSERT ON oracle_lives REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_oracle_lives();
CREATE TRIGGER oracle_lives_generations_change AFTER UPDATE ON oracle_lives REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_oracle_lives();
CREATE TRIGGER oracle_lives_generations_go AFTER DELETE ON oracle_lives REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_oracle_lives();

INSERT INTO backfills (projection, position) SELECT 'oracle-lives', 0 WHERE EXISTS (SELECT FROM lists);
INSERT INTO backfills (projection, position) SELECT 'generation-changes', -1 WHERE EXISTS (SELECT FROM key_blocks);
