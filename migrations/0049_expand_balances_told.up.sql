-- expand: what tokens say of accounts whose events do not tell their balances.

-- What an invalid token of AEX-9 said of the account at `tokens.told_position`, unless that was 0. Its events do not count any more.
ALTER TABLE token_balances ADD COLUMN told numeric;
CREATE INDEX token_balances_told_idx ON token_balances (contract_id) WHERE told IS NOT NULL;
