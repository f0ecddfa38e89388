ALTER TABLE staged_blocks DROP COLUMN proven;
ALTER TABLE chain DROP COLUMN verify_height;
ALTER TABLE chain DROP COLUMN proven_height;
