-- expand: where the next check of a token begins, so that each account and each single token has its turn.

-- The last account, or number of a single token, that the last check asked about; null before the first one.
ALTER TABLE tokens ADD COLUMN checked_upto numeric;
