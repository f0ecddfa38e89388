DROP VIEW v_contract_calls;
CREATE VIEW v_contract_calls AS
SELECT c.contract_id AS contract, c.position, t.height, t.hash, t.block_hash, t.time, t.sender AS caller, t.amount, t.fee, t.nonce,
  CASE c.state WHEN 'done' THEN 'decoded' ELSE c.state END AS state,
  -- The same without taking the JSON apart, which may hold text that PostgreSQL cannot have: a name is letters, digits and underscores.
  substring(c.arguments FROM '^\{"function":"(\w+)"') AS function,
  c.arguments, c.result, i.body::json #>> '{call_info,return_type}' AS return_type,
  substring(i.body::json #>> '{call_info,gas_used}' FROM '^[0-9]+$')::numeric AS gas_used
FROM contract_calls AS c
JOIN v_transactions AS t ON t.position = c.position
LEFT JOIN infos AS i ON i.position = c.position;
