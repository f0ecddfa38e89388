-- expand: look-ups of transactions by hash name their own relation, so that they stay one index descent in a partitioned copy.

-- A unique index of a partitioned table must contain the column that it is partitioned by. Where `mdw migrate --partitioned` has partitioned
-- `transactions` by position, this view reads the table `transaction_hashes` first. Here PostgreSQL replaces the view by the table.
CREATE VIEW transactions_by_hash AS
SELECT position, hash, type, valid, size, fee, tx_start, tx_length, body FROM transactions;
