DROP TABLE events, days, contract_calls, contracts, channels, oracle_queries, oracles, names, entries, lists,
  generation_types, generations, infos, transactions, types, micro_blocks, key_blocks, writer, chain;
