-- expand: rewards, refunds and fees of names and queries in the order of the chain, of all accounts and of one.
CREATE INDEX movement_rows_transfers_idx ON movement_rows (kind, position, index)
  WHERE kind IN (7, 8, 9, 12, 13, 19, 20) OR (kind = 10 AND position & 8589934591 = 0);
CREATE INDEX movement_rows_account_transfers_idx ON movement_rows (account, kind, position, index)
  WHERE kind IN (7, 8, 9, 12, 13, 19, 20) OR (kind = 10 AND position & 8589934591 = 0);
