DROP INDEX token_balances_told_idx;
ALTER TABLE token_balances DROP COLUMN told;
