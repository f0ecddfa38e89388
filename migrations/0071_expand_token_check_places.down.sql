ALTER TABLE tokens DROP COLUMN checked_upto, DROP COLUMN matched;
