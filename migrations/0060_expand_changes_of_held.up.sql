-- expand: rows of `held` change what changed in their generations, see 0054.
CREATE TRIGGER held_generations_come AFTER INSERT ON held REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_held();
CREATE TRIGGER held_generations_change AFTER UPDATE ON held REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_held();
CREATE TRIGGER held_generations_go AFTER DELETE ON held REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_held();
