ALTER TABLE ledger DROP COLUMN fork_accounts;
