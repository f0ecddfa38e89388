-- expand: rows of `seen_accounts` change what changed in their generations, see 0054.
CREATE TRIGGER seen_accounts_generations_come AFTER INSERT ON seen_accounts REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_seen_accounts();
CREATE TRIGGER seen_accounts_generations_change AFTER UPDATE ON seen_accounts REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_seen_accounts();
CREATE TRIGGER seen_accounts_generations_go AFTER DELETE ON seen_accounts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_seen_accounts();
