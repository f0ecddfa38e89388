DROP VIEW v_key_blocks, v_micro_blocks, v_transactions, v_account_transactions, v_names, v_name_auctions, v_contracts,
  v_contract_calls, v_oracles, v_channels, v_days;
DROP INDEX names_owner_idx, names_name_idx;
