-- expand: rows of `channels` change what changed in their generations, see 0054.
CREATE TRIGGER channels_generations_come AFTER INSERT ON channels REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_channels();
CREATE TRIGGER channels_generations_change AFTER UPDATE ON channels REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_channels();
CREATE TRIGGER channels_generations_go AFTER DELETE ON channels REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION generations_of_channels();
