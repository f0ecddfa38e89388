-- expand: what the node's Rosetta interface says of generations, as far as our rules do not.

-- Whether that interface lists what leaders get: not on a hyperchain, where contracts pay.
ALTER TABLE ledger ADD COLUMN lists_rewards boolean NOT NULL DEFAULT false;

-- The kind of a row is below zero if only the node knows of it.
CREATE OR REPLACE VIEW movements AS
SELECT r.position, r.account, m.counterparty, m.index, abs(m.kind) AS kind, m.amount, m.balance, m.kind < 0 AS from_node
FROM movement_rows AS r
CROSS JOIN LATERAL (
  VALUES (r.counterparty, r.index, r.kind, r.amount, r.balance),
    (NULL::int, r.index - 1::smallint, 2::smallint, r.fee, r.balance - r.amount)
) AS m (counterparty, index, kind, amount, balance)
WHERE m.amount IS NOT NULL;

CREATE TABLE node_money (
  -- Of the generation.
  height bigint PRIMARY KEY,
  -- Of the key block above it, which commits to all blocks of the generation.
  next_hash text NOT NULL,
  -- JSON of `NodeMoney` in src/chain/money/node-money.ts.
  operations text NOT NULL
);

-- Generations that the node is to be asked about.
CREATE TABLE ledger_questions (
  height bigint PRIMARY KEY,
  -- What became of the last attempt.
  state text NOT NULL DEFAULT 'new',
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now()
);

-- What a node's balances say more than all rows: one row for an account and a block, at the last position of the block.
CREATE TABLE ledger_corrections (
  position bigint NOT NULL,
  account text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (position, account)
);

-- Up to which height the balance of an account was compared with the node's.
CREATE TABLE ledger_checks (
  account int PRIMARY KEY,
  -- The balance after its key block was the same; -1 if none was.
  height bigint NOT NULL,
  -- The first key block after which it was another one; null if there is none.
  wrong_at bigint
);
CREATE INDEX ledger_checks_height_idx ON ledger_checks (height);
CREATE INDEX ledger_checks_wrong_idx ON ledger_checks (wrong_at) WHERE wrong_at IS NOT NULL;

-- By how much the chain keeps more for bids and queries than the table `held` says: they were made inside contracts.
CREATE TABLE unseen_held (
  position bigint PRIMARY KEY,
  amount numeric NOT NULL
);
