DELETE FROM backfills WHERE projection = 'statistics';
DROP TABLE miners;
DROP TABLE generation_rates;
