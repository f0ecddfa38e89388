DROP TABLE ledger_rewrites;
DROP TABLE ledger_gaps;
DROP TABLE earnings;
DROP TABLE held;
DROP VIEW movements;
DROP TABLE movement_rows;
DROP TABLE ledger_ids;
DROP TABLE ledger;
