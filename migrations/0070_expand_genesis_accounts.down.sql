ALTER TABLE ledger DROP COLUMN genesis_accounts;
