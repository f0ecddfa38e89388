-- expand: accounts by their balance.

-- The balance after the last movement of each account that has coins.
CREATE TABLE holders (
  account int PRIMARY KEY,
  balance numeric NOT NULL
);
CREATE INDEX holders_balance_idx ON holders (balance, account);

-- Looks up the last movement of accounts. Once for a statement, not for each row: a part of the ledger changes few accounts many times.
CREATE FUNCTION refresh_holders(keys int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH latest AS (
    SELECT k.key, (
      SELECT m.balance FROM movement_rows AS m WHERE m.account = k.key ORDER BY m.position DESC, m.index DESC LIMIT 1
    ) AS balance
    FROM unnest(keys) AS k (key)
  ), gone AS (
    DELETE FROM holders AS h USING latest AS l WHERE h.account = l.key AND COALESCE(l.balance, 0) <= 0
  )
  INSERT INTO holders AS h (account, balance) SELECT l.key, l.balance FROM latest AS l WHERE l.balance > 0
  ON CONFLICT (account) DO UPDATE SET balance = EXCLUDED.balance WHERE h.balance <> EXCLUDED.balance;
END
$$;

CREATE FUNCTION holders_of_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_holders(ARRAY(SELECT DISTINCT c.account FROM changed AS c));
  RETURN NULL;
END
$$;

CREATE TRIGGER movement_rows_holders_come AFTER INSERT ON movement_rows REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_of_movements();
CREATE TRIGGER movement_rows_holders_change AFTER UPDATE ON movement_rows REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_of_movements();
CREATE TRIGGER movement_rows_holders_go AFTER DELETE ON movement_rows REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION holders_of_movements();

INSERT INTO backfills (projection, position) SELECT 'holders', 0 WHERE EXISTS (SELECT FROM ledger_ids);
