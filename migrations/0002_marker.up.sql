-- expand: the mark of a copy of the chain, without which `mdw drop` drops nothing.

-- One row: whose tables these are, which copy this is, and since when it exists.
CREATE TABLE marker (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  product text NOT NULL,
  -- Differs from that of any other copy.
  id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
-- PostgreSQL 11 has no gen_random_uuid. A copy is as old as its first migration, which may be long ago.
INSERT INTO marker (product, id, created_at)
SELECT 'chain-middleware',
  md5(concat_ws(' ', random(), clock_timestamp(), pg_backend_pid(), txid_current(), current_schema()))::uuid,
  min(applied_at)
FROM migrations;
