-- expand: coins of the genesis block and of hard forks in the order of the chain, of all accounts and of one. A kind may be below zero.
CREATE INDEX movement_rows_presets_idx ON movement_rows (abs(kind), position, index) WHERE abs(kind) IN (21, 23, 24, 25, 26, 27);
CREATE INDEX movement_rows_account_presets_idx ON movement_rows (account, abs(kind), position, index) WHERE abs(kind) IN (21, 23, 24, 25, 26, 27);
