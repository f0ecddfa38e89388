DROP VIEW v_account_transactions;
CREATE VIEW v_account_transactions AS
SELECT l.id AS account, e.ordinal, t.position, t.height, t.hash, t.block_hash, t.time, t.type,
  CASE
    WHEN t.type = 'ChannelCreateTx' THEN 'out'
    -- What moves stands in another transaction.
    WHEN t.type IN (
      'GAMetaTx', 'PayingForTx', 'OracleRespondTx', 'OracleResponseTx', 'ChannelCloseMutualTx', 'ChannelSettleTx'
    ) THEN NULL
    WHEN t.sender = l.id AND t.recipient = l.id THEN 'self'
    WHEN t.sender = l.id THEN 'out'
    -- Under who is paid by name it stands because the name pointed there.
    WHEN t.recipient = l.id OR t.recipient LIKE 'nm\_%' THEN 'in'
  END AS direction,
  t.sender, t.recipient, t.amount, t.fee, t.nonce
FROM lists AS l
JOIN entries AS e ON e.list = l.key
JOIN v_transactions AS t ON t.position = e.position
WHERE l.kind = 1;
