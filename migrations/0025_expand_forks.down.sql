DROP TABLE forks;
