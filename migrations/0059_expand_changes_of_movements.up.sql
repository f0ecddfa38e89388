-- expand: rows of `movement_rows` change what changed in their generations, see 0054.
CREATE TRIGGER movement_rows_generations_come AFTER INSERT ON movement_rows REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_movement_rows();
CREATE TRIGGER movement_rows_generations_change AFTER UPDATE ON movement_rows REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_movement_rows();
CREATE TRIGGER movement_rows_generations_go AFTER DELETE ON movement_rows REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_movement_rows();
