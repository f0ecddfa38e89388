DROP TABLE ledger_rewrites;
DROP TABLE ledger_gaps;
DROP TABLE earnings;
DROP TABLE held;
DROP TABLE movements;
DROP TABLE ledger_ids;
DROP TABLE ledger;
