-- expand: rewards, refunds and fees of names and queries in the order of the chain, of all accounts and of one.
CREATE INDEX movements_transfers_idx ON movements (kind, position, index)
  WHERE kind IN (7, 8, 9, 12, 13, 19, 20) OR (kind = 10 AND position & 8589934591 = 0);
CREATE INDEX movements_account_transfers_idx ON movements (account, kind, position, index)
  WHERE kind IN (7, 8, 9, 12, 13, 19, 20) OR (kind = 10 AND position & 8589934591 = 0);
