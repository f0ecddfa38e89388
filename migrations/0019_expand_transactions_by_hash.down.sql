DROP VIEW transactions_by_hash;
-- These exist in a partitioned copy only.
DROP TRIGGER IF EXISTS transactions_hashes_come ON transactions;
DROP TRIGGER IF EXISTS transactions_hashes_change ON transactions;
DROP TRIGGER IF EXISTS transactions_hashes_go ON transactions;
DROP FUNCTION IF EXISTS store_hashes;
DROP TABLE IF EXISTS transaction_hashes;
