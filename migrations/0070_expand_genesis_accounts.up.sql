-- expand: coins of the genesis block of a network that is not built in.

-- As the file of its nodes has them, {"ak_…": amount}; null if nobody gave them.
ALTER TABLE ledger ADD COLUMN genesis_accounts jsonb;
