DROP TABLE announced_logs;
DROP TABLE backfills;
DROP TABLE contract_logs;
-- Calls that wait for their call information are decoded by the older program, which reads it itself.
UPDATE contract_calls SET due_at = now() WHERE due_at = 'infinity';
DROP TABLE due_infos;
