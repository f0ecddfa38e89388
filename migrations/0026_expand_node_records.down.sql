DROP TABLE node_records;
