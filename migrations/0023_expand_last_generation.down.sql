CREATE OR REPLACE FUNCTION name_running(created bigint, auction_end bigint, bid numeric, height bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT auction_end > height AND auction_end > created AND bid IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION settle() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  top bigint := (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1);
BEGIN
  UPDATE names SET
    active = name_active(auction_end_height, expires_at, revoked_at, top),
    running = name_running(created_at_height, auction_end_height, winning_bid, top)
  -- The functions decide; what follows only finds those that may have changed, each line by an index of its own. The opposite
  -- of a function would be no condition for an index, so each way to lose a standing is named.
  WHERE position IN (
    SELECT n.position FROM names AS n
    WHERE NOT n.active AND name_active(n.auction_end_height, n.expires_at, n.revoked_at, top)
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.expires_at < top
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.revoked_at IS NOT NULL
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.auction_end_height > top
    UNION ALL
    SELECT n.position FROM names AS n
    WHERE NOT n.running AND name_running(n.created_at_height, n.auction_end_height, n.winning_bid, top)
    UNION ALL SELECT n.position FROM names AS n WHERE n.running AND n.auction_end_height <= top
  );
  UPDATE oracles SET active = NOT active WHERE id IN (
    SELECT o.id FROM oracles AS o WHERE o.active AND o.expires_at < top
    UNION ALL SELECT o.id FROM oracles AS o WHERE NOT o.active AND o.expires_at >= top
  );
END
$$;

-- What is replaced loses its settings (0015).
ALTER FUNCTION settle() SET enable_seqscan = off;
ALTER FUNCTION settle() SET enable_hashjoin = off;
ALTER FUNCTION settle() SET enable_mergejoin = off;

DROP FUNCTION name_active(bigint, bigint, bigint, bigint, bigint);
SELECT settle();
