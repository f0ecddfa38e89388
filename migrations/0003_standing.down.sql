CREATE OR REPLACE FUNCTION settle() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  top bigint := (SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1);
BEGIN
  UPDATE names SET
    active = revoked_at IS NULL AND auction_end_height <= top AND expires_at >= top,
    running = auction_end_height > top AND auction_end_height > created_at_height AND winning_bid IS NOT NULL
  WHERE position IN (
    SELECT n.position FROM names AS n
    WHERE NOT n.active AND n.revoked_at IS NULL AND n.expires_at >= top AND n.auction_end_height <= top
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.expires_at < top
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.revoked_at IS NOT NULL
    UNION ALL SELECT n.position FROM names AS n WHERE n.active AND n.auction_end_height > top
    UNION ALL
    SELECT n.position FROM names AS n
    WHERE NOT n.running AND n.winning_bid IS NOT NULL AND n.auction_end_height > top
      AND n.auction_end_height > n.created_at_height
    UNION ALL SELECT n.position FROM names AS n WHERE n.running AND n.auction_end_height <= top
  );
  UPDATE oracles SET active = NOT active WHERE id IN (
    SELECT o.id FROM oracles AS o WHERE o.active AND o.expires_at < top
    UNION ALL SELECT o.id FROM oracles AS o WHERE NOT o.active AND o.expires_at >= top
  );
END
$$;
DROP FUNCTION name_active, name_running;
