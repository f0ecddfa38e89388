-- expand: what changed each balance, written by a background work in the order of the chain.

-- How far it is written. No row until that work began.
CREATE TABLE ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Of the last block whose movements are written; -1 for none.
  position bigint NOT NULL,
  network_id text NOT NULL,
  -- Key blocks until a reward is paid; null where contracts pay.
  reward_delay int
);

-- Accounts and counterparties by number: their texts would take more than all the rest.
CREATE TABLE ledger_ids (
  key int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE
);

-- A fee is stored with what else its payer does at the place after it: most movements are such a pair, and a row costs more than its values.
CREATE TABLE movement_rows (
  -- Of the transaction or the key block.
  position bigint NOT NULL,
  account int NOT NULL,
  counterparty int,
  -- From 0 among those of the position.
  index smallint NOT NULL,
  -- Code of `KINDS` in src/chain/money/kinds.ts.
  kind smallint NOT NULL,
  amount numeric NOT NULL,
  -- Amount of the fee at the index before; null if there is none.
  fee numeric,
  -- Of the account after it.
  balance numeric NOT NULL,
  PRIMARY KEY (account, position, index)
);
-- Rows are written in the order of positions, so that a summary of pages finds those of a range. It is a thousandth of an ordinary index.
CREATE INDEX movement_rows_position_idx ON movement_rows USING brin (position) WITH (autosummarize = on);

-- One row for each movement.
CREATE VIEW movements AS
SELECT r.position, r.account, m.counterparty, m.index, m.kind, m.amount, m.balance
FROM movement_rows AS r
CROSS JOIN LATERAL (
  VALUES (r.counterparty, r.index, r.kind, r.amount, r.balance),
    (NULL::int, r.index - 1::smallint, 2::smallint, r.fee, r.balance - r.amount)
) AS m (counterparty, index, kind, amount, balance)
WHERE m.amount IS NOT NULL;

-- Money that the chain keeps: bids, fees of open queries, coins in channels. A change of the amount is a row of its own.
CREATE TABLE held (
  -- 1 auction, 2 query, 3 channel.
  kind smallint NOT NULL,
  id text NOT NULL,
  position bigint NOT NULL,
  amount numeric NOT NULL,
  account text NOT NULL,
  other text,
  -- Last height: the next key block ends it.
  until bigint,
  -- Position at which it ended or changed.
  released bigint,
  PRIMARY KEY (kind, id, position)
);
CREATE INDEX held_position_idx ON held (position);
CREATE INDEX held_until_idx ON held (until) WHERE until IS NOT NULL;
CREATE INDEX held_released_idx ON held (released) WHERE released IS NOT NULL;

-- What a micro block earns for the leaders.
CREATE TABLE earnings (
  position bigint PRIMARY KEY,
  -- Fees and gas.
  fees numeric NOT NULL,
  -- Without it, gas of a call is missing.
  is_known boolean NOT NULL,
  -- It reports the leader of the generation before.
  is_report boolean NOT NULL
);

-- Where movements are not all that happened.
CREATE TABLE ledger_gaps (
  position bigint PRIMARY KEY,
  -- Sum of bits of `GAPS` in src/chain/money/movement.ts.
  gaps smallint NOT NULL
);
CREATE INDEX ledger_gaps_result_idx ON ledger_gaps (position) WHERE gaps & 2 <> 0;

-- Heights that were loaded again, and whose movements are computed again as soon as their call information is there.
CREATE TABLE ledger_rewrites (
  height bigint PRIMARY KEY
);
