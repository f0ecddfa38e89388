ALTER TABLE writer DROP COLUMN commits;
