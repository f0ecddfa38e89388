-- expand: records of the chain that no total tells.

-- Transactions a second, of each finished generation that has some: between its key block and its last micro block.
CREATE TABLE generation_rates (
  height bigint PRIMARY KEY,
  rate numeric NOT NULL
);
CREATE INDEX generation_rates_rate_idx ON generation_rates (rate DESC, height);

-- Key blocks of each beneficiary.
CREATE TABLE miners (
  id text PRIMARY KEY,
  blocks bigint NOT NULL
);

INSERT INTO backfills (projection, position) SELECT 'statistics', -1 WHERE EXISTS (SELECT FROM key_blocks);
