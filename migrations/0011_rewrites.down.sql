DROP TABLE rewrites;
