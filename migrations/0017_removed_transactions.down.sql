DROP TABLE removed_transactions;
