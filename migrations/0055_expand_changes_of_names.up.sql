-- expand: rows of `names` change what changed in their generations, see 0054.
CREATE TRIGGER names_generations_come AFTER INSERT ON names REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_names();
CREATE TRIGGER names_generations_change AFTER UPDATE ON names REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_names();
CREATE TRIGGER names_generations_go AFTER DELETE ON names REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_names();
