-- expand: sampled counts below and above the milestones, so that a far page reads as few of them as a near one.

-- Members of a ranking from a sampled one up to the next one of the same level. As with milestones, which stand between the two
-- levels, the position alone decides who is sampled: each milestone is sampled at level 1, each of level 3 is a milestone. A
-- ranking without a sampled member at a level has no row there; otherwise what precedes the first one is counted at the least key.
CREATE TABLE sampled_counts (
  ranking bigint NOT NULL,
  level smallint NOT NULL,
  key bigint NOT NULL,
  label text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (ranking, level, key, label, position)
);

-- Every 32nd or so, and every 31st milestone or so.
CREATE FUNCTION is_sampled(level smallint, place bigint) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE level WHEN 1 THEN place % 509 % 32 = 0 ELSE place % 15779 = 0 END
$$;

-- For the rows that came to `ranks`, or went.
CREATE FUNCTION sample_ranks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  least_key CONSTANT bigint := -9223372036854775808;
  last_key CONSTANT bigint := 9223372036854775807;
  change CONSTANT int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  of_level smallint;
  shifted boolean;
  counted bigint[] := ARRAY(SELECT DISTINCT t.ranking FROM moved AS t);
BEGIN
  IF counted = '{}' THEN
    RETURN NULL;
  END IF;
  FOREACH of_level IN ARRAY ARRAY[1, 3]::smallint[] LOOP
    shifted := EXISTS (SELECT FROM moved AS t WHERE is_sampled(of_level, t.position));
    IF shifted AND TG_OP = 'INSERT' THEN
      INSERT INTO sampled_counts (ranking, level, key, label, position, count)
      SELECT t.ranking, of_level, t.key, t.label, t.position, 0 FROM moved AS t WHERE is_sampled(of_level, t.position);
    END IF;
    -- Most rankings are short, and nobody of them is sampled; who has nobody at level 1 has nobody at level 3.
    counted := ARRAY(
      SELECT c.ranking FROM unnest(counted) AS c (ranking)
      WHERE EXISTS (SELECT FROM sampled_counts AS s WHERE s.ranking = c.ranking AND s.level = of_level)
    );
    EXIT WHEN counted = '{}';
    IF shifted AND TG_OP = 'DELETE' THEN
      DELETE FROM sampled_counts AS s USING moved AS t
      WHERE is_sampled(of_level, t.position)
        AND s.ranking = t.ranking AND s.level = of_level AND s.key = t.key AND s.label = t.label AND s.position = t.position;
    END IF;

    INSERT INTO sampled_counts AS s (ranking, level, key, label, position, count)
    SELECT t.ranking, of_level, COALESCE(b.key, least_key), COALESCE(b.label, ''), COALESCE(b.position, -1),
      change * count(*)
    FROM (SELECT * FROM moved WHERE ranking IN (SELECT unnest(counted)) OFFSET 0) AS t
    LEFT JOIN LATERAL (
      SELECT s.key, s.label, s.position FROM sampled_counts AS s
      WHERE s.ranking = t.ranking AND s.level = of_level AND (s.key, s.label, s.position) <= (t.key, t.label, t.position)
      ORDER BY s.key DESC, s.label DESC, s.position DESC
      LIMIT 1
    ) AS b ON true
    GROUP BY t.ranking, b.key, b.label, b.position
    ON CONFLICT (ranking, level, key, label, position) DO UPDATE SET count = s.count + EXCLUDED.count;

    -- A sampled member that came or went also takes from those before it, or leaves to them: these are counted anew.
    IF shifted THEN
      INSERT INTO sampled_counts AS s (ranking, level, key, label, position, count)
      SELECT b.ranking, of_level, b.key, b.label, b.position, (
        SELECT count(*) FROM ranks AS r
        WHERE r.ranking = b.ranking AND (r.key, r.label, r.position) >= (b.key, b.label, b.position)
          AND (r.key, r.label, r.position) < (COALESCE(n.key, last_key), COALESCE(n.label, ''), COALESCE(n.position, 0))
      )
      FROM (
        SELECT t.ranking, t.key, t.label, t.position FROM moved AS t
        WHERE TG_OP = 'INSERT' AND is_sampled(of_level, t.position)
        UNION
        SELECT t.ranking, COALESCE(b.key, least_key), COALESCE(b.label, ''), COALESCE(b.position, -1)
        FROM moved AS t
        LEFT JOIN LATERAL (
          SELECT s.key, s.label, s.position FROM sampled_counts AS s
          WHERE s.ranking = t.ranking AND s.level = of_level AND (s.key, s.label, s.position) < (t.key, t.label, t.position)
          ORDER BY s.key DESC, s.label DESC, s.position DESC
          LIMIT 1
        ) AS b ON true
        WHERE is_sampled(of_level, t.position)
      ) AS b
      LEFT JOIN LATERAL (
        SELECT s.key, s.label, s.position FROM sampled_counts AS s
        WHERE s.ranking = b.ranking AND s.level = of_level AND (s.key, s.label, s.position) > (b.key, b.label, b.position)
        ORDER BY s.key, s.label, s.position
        LIMIT 1
      ) AS n ON true
      WHERE b.ranking IN (SELECT unnest(counted))
      ON CONFLICT (ranking, level, key, label, position) DO UPDATE SET count = EXCLUDED.count;
    END IF;

    IF shifted OR TG_OP = 'DELETE' THEN
      DELETE FROM sampled_counts AS s
      WHERE s.ranking = ANY (counted) AND s.level = of_level AND s.key = least_key AND s.label = '' AND s.position = -1
        AND (s.count = 0 OR NOT EXISTS (
          SELECT FROM sampled_counts AS o
          WHERE o.ranking = s.ranking AND o.level = of_level AND (o.key, o.label, o.position) > (s.key, s.label, s.position)
        ));
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER ranks_come AFTER INSERT ON ranks REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION sample_ranks();
CREATE TRIGGER ranks_go AFTER DELETE ON ranks REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION sample_ranks();

INSERT INTO sampled_counts (ranking, level, key, label, position, count)
SELECT ranking, level, COALESCE(max(key) FILTER (WHERE sampled), -9223372036854775808),
  COALESCE(max(label) FILTER (WHERE sampled), ''), COALESCE(max(position) FILTER (WHERE sampled), -1), count(*)
FROM (
  SELECT r.ranking, l.level, r.key, r.label, r.position, is_sampled(l.level, r.position) AS sampled,
    count(*) FILTER (WHERE is_sampled(l.level, r.position)) OVER (
      PARTITION BY r.ranking, l.level ORDER BY r.key, r.label, r.position ROWS UNBOUNDED PRECEDING
    ) AS stretch,
    bool_or(is_sampled(l.level, r.position)) OVER (PARTITION BY r.ranking, l.level) AS any_sampled
  FROM ranks AS r CROSS JOIN (VALUES (1::smallint), (3::smallint)) AS l (level)
) AS placed
WHERE any_sampled
GROUP BY ranking, level, stretch;
