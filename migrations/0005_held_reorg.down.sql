DROP TABLE held_reorg;
