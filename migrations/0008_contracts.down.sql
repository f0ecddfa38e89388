-- What is not listed because its creation failed is listed again, and calls wait again for code that nobody returns.
UPDATE contracts SET failed = false WHERE failed;
UPDATE contract_calls SET state = 'unknown', arguments = NULL, result = NULL
WHERE contract_id IN (SELECT contract_id FROM contract_codes) AND state <> 'unknown';
CREATE OR REPLACE FUNCTION rank_contracts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was rank[];
  becomes rank[];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT array_agg(ROW(6, '', 0, '', c.position)::rank) INTO was FROM gone AS c;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT array_agg(ROW(6, '', 0, '', c.position)::rank) INTO becomes FROM come AS c;
  END IF;
  PERFORM change_ranks(was, becomes);
  RETURN NULL;
END
$$;
DROP TABLE contract_codes;
ALTER TABLE contracts DROP COLUMN outcome_known, DROP COLUMN failed, DROP COLUMN attempts, DROP COLUMN due_at;
