-- expand: events of tokens make rows of `token_allowances`, see 0066.
CREATE TRIGGER contract_logs_allowances_come AFTER INSERT ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION allowances_of_come();
CREATE TRIGGER contract_logs_allowances_change_gone AFTER UPDATE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION allowances_of_gone();
CREATE TRIGGER contract_logs_allowances_changed AFTER UPDATE ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION allowances_of_come();
CREATE TRIGGER contract_logs_allowances_go AFTER DELETE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION allowances_of_gone();
