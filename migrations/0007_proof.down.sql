DROP TABLE unproven;
ALTER TABLE chain DROP COLUMN node_reason;
