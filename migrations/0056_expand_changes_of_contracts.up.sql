-- expand: rows of `contracts` change what changed in their generations, see 0054.
CREATE TRIGGER contracts_generations_come AFTER INSERT ON contracts REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_contracts();
CREATE TRIGGER contracts_generations_change AFTER UPDATE ON contracts REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_contracts();
CREATE TRIGGER contracts_generations_go AFTER DELETE ON contracts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_contracts();
