-- expand: events of collections make rows of `token_metadata`, see 0062.
CREATE TRIGGER contract_logs_metadata_come AFTER INSERT ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION metadata_of_come();
CREATE TRIGGER contract_logs_metadata_change_gone AFTER UPDATE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION metadata_of_gone();
CREATE TRIGGER contract_logs_metadata_changed AFTER UPDATE ON contract_logs REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION metadata_of_come();
CREATE TRIGGER contract_logs_metadata_go AFTER DELETE ON contract_logs REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION metadata_of_gone();
