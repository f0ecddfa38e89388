-- expand: who made a contract call, so that a list of calls takes no transaction apart.

-- Null for the calls of earlier versions until they are filled in, and if it is no id.
ALTER TABLE contract_calls ADD COLUMN caller_id text;
INSERT INTO backfills (projection, position) SELECT 'contracts', -1 WHERE EXISTS (SELECT FROM contract_calls);
