-- expand: what only the node knows of contracts: how their creation ended, and the code of those that contracts made.

ALTER TABLE contracts
  -- Whether the node answered how the transaction that created it ended, and whether that failed: then there is no contract.
  ADD COLUMN outcome_known boolean NOT NULL DEFAULT false,
  ADD COLUMN failed boolean NOT NULL DEFAULT false,
  ADD COLUMN attempts int NOT NULL DEFAULT 0,
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX contracts_due_idx ON contracts (due_at, position) WHERE NOT outcome_known;

-- Contracts that are called, though no stored transaction created them: contracts made them.
CREATE TABLE contract_codes (
  contract_id text PRIMARY KEY,
  -- As the node returned it (cb_…), and when; null until then.
  code text,
  code_at timestamptz,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX contract_codes_due_idx ON contract_codes (due_at) WHERE code IS NULL;
INSERT INTO contract_codes (contract_id) SELECT DISTINCT contract_id FROM contract_calls WHERE state = 'unknown';

-- Only contracts whose creation is not known to have failed are listed.
CREATE OR REPLACE FUNCTION rank_contracts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was rank[];
  becomes rank[];
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT array_agg(ROW(6, '', 0, '', c.position)::rank) INTO was FROM gone AS c WHERE NOT c.failed;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT array_agg(ROW(6, '', 0, '', c.position)::rank) INTO becomes FROM come AS c WHERE NOT c.failed;
  END IF;
  PERFORM change_ranks(was, becomes);
  RETURN NULL;
END
$$;
