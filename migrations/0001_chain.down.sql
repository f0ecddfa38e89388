DROP TABLE events, days, contract_calls, contracts, channels, oracle_queries, oracles, names, milestones, ranks, rankings,
  entries, lists, generation_types, generations, infos, transactions, types, micro_blocks, key_blocks, writer, chain;
DROP FUNCTION settle, rank_names, rank_contracts, rank_calls, rank_oracles, ranks_of_name, change_ranks;
DROP TYPE placed_rank, rank;
