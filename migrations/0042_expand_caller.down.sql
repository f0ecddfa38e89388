DELETE FROM backfills WHERE projection = 'contracts';
ALTER TABLE contract_calls DROP COLUMN caller_id;
