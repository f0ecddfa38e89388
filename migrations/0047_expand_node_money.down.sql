DROP TABLE ledger_checks;
DROP TABLE ledger_corrections;
DROP TABLE unseen_held;
DROP TABLE ledger_questions;
DROP TABLE node_money;
DROP VIEW movements;
UPDATE movement_rows SET kind = abs(kind) WHERE kind < 0;
CREATE VIEW movements AS
SELECT r.position, r.account, m.counterparty, m.index, m.kind, m.amount, m.balance
FROM movement_rows AS r
CROSS JOIN LATERAL (
  VALUES (r.counterparty, r.index, r.kind, r.amount, r.balance),
    (NULL::int, r.index - 1::smallint, 2::smallint, r.fee, r.balance - r.amount)
) AS m (counterparty, index, kind, amount, balance)
WHERE m.amount IS NOT NULL;
ALTER TABLE ledger DROP COLUMN lists_rewards;
