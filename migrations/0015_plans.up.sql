-- expand: what runs in every commit has one plan, whatever is known of the tables. A session plans the statements of a function once, when
-- a new copy is empty and reading a table from end to end is cheap, and keeps that plan until the tables are analysed.
ALTER FUNCTION settle() SET enable_seqscan = off;
ALTER FUNCTION settle() SET enable_hashjoin = off;
ALTER FUNCTION settle() SET enable_mergejoin = off;

-- As before, but for members that are there already: a row that somebody changed by hand, and its rank, must not keep the row from being mended.
CREATE OR REPLACE FUNCTION change_ranks(was rank[], becomes rank[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  least_key CONSTANT bigint := -9223372036854775808;
  last_key CONSTANT bigint := 9223372036854775807;
  touched placed_rank[];
  moved boolean;
BEGIN
  IF was IS NULL AND becomes IS NULL THEN
    RETURN;
  END IF;

  INSERT INTO rankings (kind, id)
  SELECT DISTINCT b.kind, b.id FROM unnest(becomes) AS b
  WHERE NOT EXISTS (SELECT FROM rankings AS k WHERE k.kind = b.kind AND k.id = b.id);

  SELECT array_agg(ROW(k.key, c.key, c.label, c.position, c.change)::placed_rank) INTO touched
  FROM (
    SELECT x.kind, x.id, x.key, x.label, x.position, sum(x.change) AS change
    FROM (SELECT *, 1 AS change FROM unnest(becomes) UNION ALL SELECT *, -1 FROM unnest(was)) AS x
    GROUP BY x.kind, x.id, x.key, x.label, x.position
    HAVING sum(x.change) <> 0
  ) AS c
  CROSS JOIN LATERAL (SELECT k.key FROM rankings AS k WHERE k.kind = c.kind AND k.id = c.id LIMIT 1) AS k;
  IF touched IS NULL THEN
    RETURN;
  END IF;

  DELETE FROM ranks AS r USING unnest(touched) AS t
  WHERE t.change < 0 AND r.ranking = t.ranking AND r.key = t.key AND r.label = t.label AND r.position = t.position;
  INSERT INTO ranks (ranking, key, label, position)
  SELECT t.ranking, t.key, t.label, t.position FROM unnest(touched) AS t WHERE t.change > 0
  ON CONFLICT (ranking, key, label, position) DO NOTHING;

  moved := EXISTS (SELECT FROM unnest(touched) AS t WHERE t.position % 509 = 0);
  IF moved THEN
    DELETE FROM milestones AS m USING unnest(touched) AS t
    WHERE t.change < 0 AND t.position % 509 = 0
      AND m.ranking = t.ranking AND m.key = t.key AND m.label = t.label AND m.position = t.position;
    INSERT INTO milestones (ranking, key, label, position, count)
    SELECT t.ranking, t.key, t.label, t.position, 0 FROM unnest(touched) AS t WHERE t.change > 0 AND t.position % 509 = 0
    ON CONFLICT (ranking, key, label, position) DO NOTHING;
  END IF;

  WITH places AS (
    SELECT t.ranking, t.change, COALESCE(s.key, least_key) AS key, COALESCE(s.label, '') AS label,
      COALESCE(s.position, -1) AS position
    FROM unnest(touched) AS t
    LEFT JOIN LATERAL (
      SELECT m.key, m.label, m.position FROM milestones AS m
      WHERE m.ranking = t.ranking AND (m.key, m.label, m.position) <= (t.key, t.label, t.position)
      ORDER BY m.key DESC, m.label DESC, m.position DESC
      LIMIT 1
    ) AS s ON true
  )
  INSERT INTO milestones AS m (ranking, key, label, position, count)
  SELECT p.ranking, p.key, p.label, p.position, sum(p.change) FROM places AS p
  GROUP BY p.ranking, p.key, p.label, p.position
  ON CONFLICT (ranking, key, label, position) DO UPDATE SET count = m.count + EXCLUDED.count;

  -- A milestone that came or went also takes from those before it, or leaves to them: these are counted anew.
  IF moved THEN
    WITH starts AS (
      SELECT t.ranking, t.key, t.label, t.position FROM unnest(touched) AS t
      WHERE t.change > 0 AND t.position % 509 = 0
      UNION
      SELECT t.ranking, COALESCE(s.key, least_key), COALESCE(s.label, ''), COALESCE(s.position, -1)
      FROM unnest(touched) AS t
      LEFT JOIN LATERAL (
        SELECT m.key, m.label, m.position FROM milestones AS m
        WHERE m.ranking = t.ranking AND (m.key, m.label, m.position) < (t.key, t.label, t.position)
        ORDER BY m.key DESC, m.label DESC, m.position DESC
        LIMIT 1
      ) AS s ON true
      WHERE t.position % 509 = 0
    )
    INSERT INTO milestones AS m (ranking, key, label, position, count)
    SELECT s.ranking, s.key, s.label, s.position, (
      SELECT count(*) FROM ranks AS r
      WHERE r.ranking = s.ranking AND (r.key, r.label, r.position) >= (s.key, s.label, s.position)
        AND (r.key, r.label, r.position) < (COALESCE(n.key, last_key), COALESCE(n.label, ''), COALESCE(n.position, 0))
    )
    FROM starts AS s
    LEFT JOIN LATERAL (
      SELECT m.key, m.label, m.position FROM milestones AS m
      WHERE m.ranking = s.ranking AND (m.key, m.label, m.position) > (s.key, s.label, s.position)
      ORDER BY m.key, m.label, m.position
      LIMIT 1
    ) AS n ON true
    ON CONFLICT (ranking, key, label, position) DO UPDATE SET count = EXCLUDED.count;
  END IF;

  -- Only what precedes the first milestone can be empty.
  DELETE FROM milestones AS m USING (SELECT DISTINCT t.ranking FROM unnest(touched) AS t) AS t
  WHERE m.ranking = t.ranking AND m.key = least_key AND m.label = '' AND m.position = -1 AND m.count = 0;
END
$$;
