CREATE OR REPLACE VIEW v_key_blocks AS
SELECT k.height, k.hash, k.prev_hash, k.prev_key_hash, k.beneficiary, to_timestamp(k.time / 1000.0) AS time, k.version, k.target,
  g.tx_count, g.fees
FROM key_blocks AS k
LEFT JOIN generations AS g ON g.height = k.height;
DROP VIEW key_block_texts;
DROP FUNCTION hyperchain_key_block(text, text, bigint, text, text, text, bigint, int, bigint);
