DROP TRIGGER ranks_come ON ranks;
DROP TRIGGER ranks_go ON ranks;
DROP TABLE sampled_counts;
DROP FUNCTION sample_ranks, is_sampled;
