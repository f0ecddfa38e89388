-- expand: where the next check of a token begins, so that each account and each single token has its turn, and whether a check matched.

ALTER TABLE tokens
  -- The last account, or number of a single token, that the last check asked about; null before the first one.
  ADD COLUMN checked_upto numeric,
  -- Whether what the token told matched its events when it last answered.
  ADD COLUMN matched boolean NOT NULL DEFAULT false;
