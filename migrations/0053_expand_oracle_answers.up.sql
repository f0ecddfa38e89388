-- expand: lists of the answers of oracles (12). Blocks of before get them later, with all that 0044 has not given them yet.
UPDATE backfills SET projection = 'entries-of-oracle-answers', position = -1 WHERE projection = 'entries';
INSERT INTO backfills (projection, position) SELECT 'entries-of-oracle-answers', -1 WHERE EXISTS (SELECT FROM key_blocks)
ON CONFLICT (projection) DO NOTHING;
