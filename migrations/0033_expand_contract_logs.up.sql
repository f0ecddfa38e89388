-- expand: the logs of contract calls, and the call information that is still to be read from a node.

-- A row for each stored transaction that runs a contract and whose call information was not asked for yet. It is deleted with the answer.
CREATE TABLE due_infos (
  position bigint PRIMARY KEY,
  attempts int NOT NULL DEFAULT 0,
  -- `-infinity` for new blocks: they come before those of the first load.
  due_at timestamptz NOT NULL
);
CREATE INDEX due_infos_due_idx ON due_infos (due_at, position);

CREATE TABLE contract_logs (
  position bigint NOT NULL,
  -- 0 for the event that the transaction emitted first.
  log_index int NOT NULL,
  -- The contract whose code emitted it.
  contract_id text NOT NULL,
  -- The contract that the transaction called or created, if that is another one.
  called_id text,
  -- The hash of the event's name, then the indexed arguments.
  topics numeric[] NOT NULL,
  -- As the node printed it (cb_…).
  data text NOT NULL,
  PRIMARY KEY (position, log_index)
);
-- By hashes of the values: an id or a topic would take four to seven times as much. Each query compares the value, too.
CREATE INDEX contract_logs_contract_idx ON contract_logs
  (hashtextextended(contract_id, 0), position, log_index);
CREATE INDEX contract_logs_called_idx ON contract_logs
  (hashtextextended(called_id, 0), position, log_index) WHERE called_id IS NOT NULL;
CREATE INDEX contract_logs_event_idx ON contract_logs
  (hash_numeric_extended(topics[1], 0), position, log_index);
CREATE INDEX contract_logs_contract_event_idx ON contract_logs
  ((hashtextextended(contract_id, 0) # hash_numeric_extended(topics[1], 1)), position, log_index);
CREATE INDEX contract_logs_topic1_idx ON contract_logs
  (hash_numeric_extended(topics[2], 0), position, log_index) WHERE topics[2] IS NOT NULL;
CREATE INDEX contract_logs_topic2_idx ON contract_logs
  (hash_numeric_extended(topics[3], 0), position, log_index) WHERE topics[3] IS NOT NULL;
CREATE INDEX contract_logs_topic3_idx ON contract_logs
  (hash_numeric_extended(topics[4], 0), position, log_index) WHERE topics[4] IS NOT NULL;

-- Derived tables that get the rows of an older version's blocks: up to this position they have them. Without a row, they have all.
CREATE TABLE backfills (
  projection text PRIMARY KEY,
  position bigint NOT NULL
);
INSERT INTO backfills (projection, position) SELECT 'contract-logs', -1 WHERE EXISTS (SELECT FROM key_blocks);

-- The logs of transactions below `position` were announced, except those whose call information comes later. No row until the first ones are.
CREATE TABLE announced_logs (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL
);
