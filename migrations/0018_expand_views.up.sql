-- expand: views for people who ask in SQL: heights, types as text and exact amounts in the place of what the tables are made for.
--
-- docs/sql.md describes each column, and docs/decisions/0024 how a later migration changes what a view is made of.

-- Accounts ask for their names, and names are looked up by what they are called.
CREATE INDEX names_owner_idx ON names (owner);
CREATE INDEX names_name_idx ON names (name);

CREATE VIEW v_key_blocks AS
SELECT k.height, k.hash, k.prev_hash, k.prev_key_hash, k.beneficiary, to_timestamp(k.time / 1000.0) AS time, k.version, k.target,
  g.tx_count, g.fees
FROM key_blocks AS k
LEFT JOIN generations AS g ON g.height = k.height;

-- A height is joined both by what it is equal to and as a range of positions: so the index on positions serves a condition on the height,
-- and the one on heights what was found by position. PostgreSQL takes each bound for a third of the table, as it does not know the height
-- when it plans, and would read the whole table for a hundred heights: the same bounds in four ways make it a small part.
CREATE VIEW v_micro_blocks AS
SELECT m.position, g.height, m.hash, m.prev_hash, to_timestamp(m.time / 1000.0) AS time, m.tx_count, m.spend_count, m.spend_amount
FROM micro_blocks AS m
JOIN generations AS g ON g.height = m.position >> 33
  AND m.position >= g.height << 33 AND m.position < (g.height + 1) << 33
  AND m.position > (g.height << 33) - 1 AND m.position <= (g.height << 33) + 8589934591
  AND m.position >= g.height * 8589934592 AND m.position < (g.height + 1) * 8589934592
  AND m.position > g.height * 8589934592 - 1 AND m.position <= g.height * 8589934592 + 8589934591;

-- What is joined from the left and by a key is left out of the plan where no column of it is asked for.
CREATE VIEW v_transactions AS
SELECT t.position, g.height, t.hash, m.hash AS block_hash, to_timestamp(m.time / 1000.0) AS time, y.name AS type,
  j.tx ->> CASE y.name
    WHEN 'SpendTx' THEN 'sender_id' WHEN 'OracleQueryTx' THEN 'sender_id'
    WHEN 'NamePreclaimTx' THEN 'account_id' WHEN 'NameClaimTx' THEN 'account_id' WHEN 'NameUpdateTx' THEN 'account_id'
    WHEN 'NameTransferTx' THEN 'account_id' WHEN 'NameRevokeTx' THEN 'account_id' WHEN 'OracleRegisterTx' THEN 'account_id'
    WHEN 'OracleExtendTx' THEN 'oracle_id' WHEN 'OracleRespondTx' THEN 'oracle_id' WHEN 'OracleResponseTx' THEN 'oracle_id'
    WHEN 'ContractCreateTx' THEN 'owner_id' WHEN 'GAAttachTx' THEN 'owner_id' WHEN 'ContractCallTx' THEN 'caller_id'
    WHEN 'GAMetaTx' THEN 'ga_id' WHEN 'PayingForTx' THEN 'payer_id'
    WHEN 'ChannelCreateTx' THEN 'initiator_id' WHEN 'ChannelWithdrawTx' THEN 'channel_id' WHEN 'ChannelDepositTx' THEN 'from_id'
    WHEN 'ChannelSetDelegatesTx' THEN 'from_id' WHEN 'ChannelForceProgressTx' THEN 'from_id' WHEN 'ChannelCloseMutualTx' THEN 'from_id'
    WHEN 'ChannelCloseSoloTx' THEN 'from_id' WHEN 'ChannelSlashTx' THEN 'from_id' WHEN 'ChannelSettleTx' THEN 'from_id'
    WHEN 'ChannelSnapshotSoloTx' THEN 'from_id'
  END AS sender,
  j.tx ->> CASE y.name
    WHEN 'SpendTx' THEN 'recipient_id' WHEN 'NameTransferTx' THEN 'recipient_id'
    WHEN 'OracleQueryTx' THEN 'oracle_id' WHEN 'ContractCallTx' THEN 'contract_id'
    WHEN 'ChannelCreateTx' THEN 'responder_id' WHEN 'ChannelWithdrawTx' THEN 'to_id' WHEN 'ChannelDepositTx' THEN 'channel_id'
    WHEN 'ChannelSetDelegatesTx' THEN 'channel_id' WHEN 'ChannelForceProgressTx' THEN 'channel_id'
    WHEN 'ChannelCloseSoloTx' THEN 'channel_id' WHEN 'ChannelSlashTx' THEN 'channel_id' WHEN 'ChannelSnapshotSoloTx' THEN 'channel_id'
  END AS recipient,
  CASE
    WHEN y.name IN ('SpendTx', 'ContractCallTx', 'ChannelDepositTx', 'ChannelWithdrawTx')
      THEN substring(j.tx ->> 'amount' FROM '^[0-9]+$')::numeric
    WHEN y.name = 'NameClaimTx' THEN substring(j.tx ->> 'name_fee' FROM '^[0-9]+$')::numeric
    WHEN y.name = 'OracleQueryTx' THEN substring(j.tx ->> 'query_fee' FROM '^[0-9]+$')::numeric
    WHEN y.name = 'ContractCreateTx' THEN
      substring(j.tx ->> 'amount' FROM '^[0-9]+$')::numeric + substring(j.tx ->> 'deposit' FROM '^[0-9]+$')::numeric
    WHEN y.name IN (
      'OracleRegisterTx', 'OracleExtendTx', 'NamePreclaimTx', 'NameUpdateTx', 'NameTransferTx', 'NameRevokeTx', 'GAAttachTx',
      'ChannelSetDelegatesTx', 'ChannelForceProgressTx', 'ChannelCloseSoloTx', 'ChannelSlashTx', 'ChannelSnapshotSoloTx'
    ) THEN 0
  END AS amount,
  t.fee, substring(j.tx ->> 'nonce' FROM '^[0-9]+$')::numeric AS nonce, t.size, t.body
FROM transactions AS t
JOIN generations AS g ON g.height = t.position >> 33
  AND t.position >= g.height << 33 AND t.position < (g.height + 1) << 33
  AND t.position > (g.height << 33) - 1 AND t.position <= (g.height << 33) + 8589934591
  AND t.position >= g.height * 8589934592 AND t.position < (g.height + 1) * 8589934592
  AND t.position > g.height * 8589934592 - 1 AND t.position <= g.height * 8589934592 + 8589934591
LEFT JOIN micro_blocks AS m ON m.position = (t.position & (-65536)::bigint)
LEFT JOIN types AS y ON y.code = t.type
CROSS JOIN LATERAL (
  -- PostgreSQL has no text with U+0000 or half a surrogate pair, and reads no JSON that holds one: no column here shows one, so they are
  -- replaced, but not where what looks like one is an escaped backslash and letters.
  SELECT CASE
    WHEN strpos(t.body, '\u') = 0 THEN substr(t.body, t.tx_start, t.tx_length)
    ELSE regexp_replace(
      substr(t.body, t.tx_start, t.tx_length), '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1?', 'g'
    )
  END::json AS tx
) AS j
-- What a transaction does that cannot be read is not known.
WHERE t.valid;

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

CREATE VIEW v_names AS
SELECT n.name, n.name_hash, n.owner,
  CASE
    WHEN n.running THEN 'auction' WHEN n.active THEN 'active' WHEN n.revoked_at IS NOT NULL THEN 'revoked' ELSE 'expired'
  END AS state,
  n.position, t.height, t.hash, t.time, n.auction_end_height, n.expires_at AS expires_height, n.revoked_at AS revoked_height, n.pointers
FROM names AS n
JOIN v_transactions AS t ON t.position = n.position;

CREATE VIEW v_name_auctions AS
SELECT n.name, n.name_hash, n.running, n.position, t.height, t.hash, n.auction_end_height AS end_height,
  n.winning_bid, n.winning_bidder
FROM names AS n
JOIN v_transactions AS t ON t.position = n.position
WHERE n.winning_bid IS NOT NULL AND n.auction_end_height > n.created_at_height;

CREATE VIEW v_contracts AS
SELECT c.id AS contract, c.position, t.height, t.hash, t.time, t.type,
  -- The sender of a transaction around the one that counts may be another account, here and below.
  CASE WHEN t.type NOT IN ('GAMetaTx', 'PayingForTx') THEN t.sender END AS owner
FROM contracts AS c
JOIN v_transactions AS t ON t.position = c.position
WHERE NOT c.failed;

CREATE VIEW v_contract_calls AS
SELECT c.contract_id AS contract, c.position, t.height, t.hash, t.block_hash, t.time, t.sender AS caller, t.amount, t.fee, t.nonce,
  CASE c.state WHEN 'done' THEN 'decoded' ELSE c.state END AS state,
  -- The same without taking the JSON apart, which may hold text that PostgreSQL cannot have: a name is letters, digits and underscores.
  substring(c.arguments FROM '^\{"function":"(\w+)"') AS function,
  c.arguments, c.result, i.body::json #>> '{call_info,return_type}' AS return_type,
  substring(i.body::json #>> '{call_info,gas_used}' FROM '^[0-9]+$')::numeric AS gas_used
FROM contract_calls AS c
JOIN v_transactions AS t ON t.position = c.position
LEFT JOIN infos AS i ON i.position = c.position;

CREATE VIEW v_oracles AS
SELECT o.id AS oracle, o.active, o.position, t.height, t.hash, t.time, o.expires_at AS expires_height
FROM oracles AS o
JOIN v_transactions AS t ON t.position = o.position;

CREATE VIEW v_channels AS
SELECT c.id AS channel, c.closed_position IS NULL AS open, c.position, t.height, t.hash, t.time,
  CASE WHEN t.type NOT IN ('GAMetaTx', 'PayingForTx') THEN t.sender END AS initiator, t.recipient AS responder, c.closed_position >> 33 AS closed_height
FROM channels AS c
JOIN v_transactions AS t ON t.position = c.position;

CREATE VIEW v_days AS
SELECT day, count AS spend_count, amount AS spend_amount FROM days;
