-- expand: calls that a GAMetaTx or PayingForTx wraps are in the view: who calls, and the result, are those of the call.

CREATE OR REPLACE VIEW v_contract_calls AS
SELECT c.contract_id AS contract, c.position, t.height, t.hash, t.block_hash, t.time,
  CASE WHEN t.type IN ('GAMetaTx', 'PayingForTx') THEN r.call ->> 'caller_id' ELSE t.sender END AS caller, t.amount, t.fee, t.nonce,
  CASE c.state WHEN 'done' THEN 'decoded' ELSE c.state END AS state,
  -- The same without taking the JSON apart, which may hold text that PostgreSQL cannot have: a name is letters, digits and underscores.
  substring(c.arguments FROM '^\{"function":"(\w+)"') AS function,
  c.arguments, c.result, r.call ->> 'return_type' AS return_type,
  substring(r.call ->> 'gas_used' FROM '^[0-9]+$')::numeric AS gas_used
FROM contract_calls AS c
JOIN v_transactions AS t ON t.position = c.position
LEFT JOIN infos AS i ON i.position = c.position
CROSS JOIN LATERAL (
  -- What stands around the call may be up to three authentications, each with its own result.
  SELECT COALESCE(
    i.body::json -> 'call_info',
    i.body::json #> '{ga_info,inner_object,call_info}',
    i.body::json #> '{ga_info,inner_object,ga_info,inner_object,call_info}',
    i.body::json #> '{ga_info,inner_object,ga_info,inner_object,ga_info,inner_object,call_info}'
  ) AS call
) AS r;
