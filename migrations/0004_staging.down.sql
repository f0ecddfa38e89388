DROP TABLE staged_blocks;
