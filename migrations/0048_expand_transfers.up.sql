-- expand: rewards, refunds and fees of names and queries in the order of the chain, of all accounts and of one. A kind may be below zero.
CREATE INDEX movement_rows_transfers_idx ON movement_rows (abs(kind), position, index)
  WHERE abs(kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(kind) = 10 AND position & 8589934591 = 0);
CREATE INDEX movement_rows_account_transfers_idx ON movement_rows (account, abs(kind), position, index)
  WHERE abs(kind) IN (7, 8, 9, 12, 13, 19, 20) OR (abs(kind) = 10 AND position & 8589934591 = 0);
