-- expand: coins of hard forks of a network that is not built in.

-- By protocol version, as genesis_accounts: {"5": {"ak_…": amount}}; null if nobody gave them.
ALTER TABLE ledger ADD COLUMN fork_accounts jsonb;
