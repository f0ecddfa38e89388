-- expand: what contracts did inside calls, as a replay of the call by a node shows it.

-- Up to which position calls were put into the queue. No row: no replay was ever asked for.
CREATE TABLE call_replay_progress (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL
);

-- Calls that a node is to be asked to replay, and those that could not be replayed.
CREATE TABLE call_replays (
  position bigint PRIMARY KEY,
  -- `due`; why there is no replay: `differs`, `refused`, `no_state`, `too_much_gas`, `unsupported`.
  state text NOT NULL DEFAULT 'due',
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX call_replays_due_idx ON call_replays (due_at, position) WHERE state = 'due';

CREATE TABLE internal_calls (
  position bigint NOT NULL,
  -- From 0, in the order of execution.
  index int NOT NULL,
  function text NOT NULL,
  -- The contract that the transaction called or created.
  contract_id text NOT NULL,
  -- JSON: the type of the transaction that does the same, then its members.
  tx text NOT NULL,
  -- Checksum of all rows of the transaction: nothing else shows that one was changed since.
  answer text NOT NULL,
  PRIMARY KEY (position, index)
);
CREATE INDEX internal_calls_function_idx ON internal_calls (function, position, index);
CREATE INDEX internal_calls_contract_idx ON internal_calls (contract_id, function, position, index);

-- The ids in members of `tx`, without their prefixes: a contract is an account there.
CREATE TABLE internal_call_parties (
  id text NOT NULL,
  position bigint NOT NULL,
  index int NOT NULL,
  PRIMARY KEY (id, position, index)
);

CREATE FUNCTION internal_call_ids(tx text) RETURNS TABLE (id text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT m[1] FROM regexp_matches($1, '_id":"[a-z]{2}_([1-9A-HJ-NP-Za-km-z]+)"', 'g') AS m
$$;
