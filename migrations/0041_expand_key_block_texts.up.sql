-- expand: key blocks of hyperchains without the parts of their text that follow from other columns.

-- Their `body` is what no other column has: 72 bytes in base64 (`flags`, `info` and the signature in `pow`) and `state_hash` without its prefix.
-- `prev_key_hash` is empty if it is that of `prev_hash`. All other key blocks have their text in `body`, which begins with a brace.
CREATE FUNCTION hyperchain_key_block(
  body text, hash text, height bigint, prev_hash text, prev_key_hash text, beneficiary text, "time" bigint, version int, target bigint
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '{"beneficiary":"' || $6
    || '","flags":"ba_' || encode(substr(d, 1, 4) || substr(sha256(sha256(substr(d, 1, 4))), 1, 4), 'base64')
    || '","hash":"' || $2 || '","height":' || $3
    || ',"info":"cb_' || encode(substr(d, 5, 4) || substr(sha256(sha256(substr(d, 5, 4))), 1, 4), 'base64')
    || '","miner":"' || $6 || '","nonce":0,"pow":['
    || (
      SELECT string_agg(((get_byte(d, i)::bigint << 24) + (get_byte(d, i + 1) << 16) + (get_byte(d, i + 2) << 8) + get_byte(d, i + 3))::text, ',' ORDER BY i)
      FROM generate_series(8, 68, 4) AS i
    )
    || repeat(',0', 26) || '],"prev_hash":"' || $4 || '","prev_key_hash":"' || $5 || '","state_hash":"bs_' || substr($1, 97)
    || '","target":' || $9 || ',"time":' || $7 || ',"version":' || $8 || '}'
  FROM (SELECT decode(left($1, 96), 'base64') AS d) AS packed
$$;

-- The key blocks with their texts.
CREATE VIEW key_block_texts AS
SELECT height, hash, prev_hash, COALESCE(NULLIF(prev_key_hash, ''), prev_hash) AS prev_key_hash, beneficiary, "time", version, target,
  CASE WHEN left(body, 1) = '{' THEN body ELSE hyperchain_key_block(
    body, hash, height, prev_hash, COALESCE(NULLIF(prev_key_hash, ''), prev_hash), beneficiary, "time", version, target
  ) END AS body
FROM key_blocks;

CREATE OR REPLACE VIEW v_key_blocks AS
SELECT k.height, k.hash, k.prev_hash, COALESCE(NULLIF(k.prev_key_hash, ''), k.prev_hash) AS prev_key_hash, k.beneficiary,
  to_timestamp(k.time / 1000.0) AS time, k.version, k.target, g.tx_count, g.fees
FROM key_blocks AS k
LEFT JOIN generations AS g ON g.height = k.height;
