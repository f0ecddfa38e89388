-- expand: lists of the accounts in wrapped transactions (10), and of what pointers of names point to (11). Blocks of before get them later.
INSERT INTO backfills (projection, position) SELECT 'entries', -1 WHERE EXISTS (SELECT FROM key_blocks);
