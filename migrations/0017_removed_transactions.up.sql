-- expand: a place for the transactions that a reorg removes, until it is known which of them the new branch has.

-- Filled and emptied in one database transaction. They were put into the event log, and there numbered again with all its indexes.
CREATE UNLOGGED TABLE removed_transactions (
  position bigint PRIMARY KEY,
  hash text NOT NULL,
  body text NOT NULL
);
