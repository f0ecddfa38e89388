DROP TABLE marker;
