DROP TABLE unknown_infos;
