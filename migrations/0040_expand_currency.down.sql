DROP TABLE currency;
