-- The partitioned layout, docs/decisions/0004: applied to an empty copy after all migrations, by `mdw migrate --partitioned`.
--
-- The tables are made again from the catalog, as the migrations left them, so that this script needs no change when a migration adds a
-- column, an index or a trigger.
DO $$
DECLARE
  -- Positions of a partition: height * 2^33.
  width CONSTANT bigint := current_setting('mdw.partition_generations')::bigint << 33;
  ranges CONSTANT int := current_setting('mdw.partition_ranges');
  -- All entries of a list are in one partition.
  list_hashes CONSTANT int := current_setting('mdw.partition_lists');
  tables CONSTANT text[] := string_to_array(current_setting('mdw.partition_tables'), ',');
  found record;
  one text;
  part int;
  views text[];
  later text[];
BEGIN
  -- All statements that make views again as they are now: they read the new tables then, and keep their rights.
  SELECT array_agg(format('CREATE OR REPLACE VIEW %I AS %s', c.relname, pg_get_viewdef(c.oid)) ORDER BY c.oid) INTO views
  FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'v';

  FOR found IN
    SELECT c.oid, c.relname, CASE c.relname WHEN 'entries' THEN 'HASH (list)' ELSE 'RANGE (position)' END AS key
    FROM pg_class AS c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY (tables)
  LOOP
    -- Names of indexes and constraints become free when the old table is dropped, which waits for the views.
    later := later || ARRAY[format('DROP TABLE %I', 'plain_' || found.relname)]
      || ARRAY(
        SELECT CASE
          WHEN k.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
          ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', found.relname, k.conname, pg_get_constraintdef(k.oid))
        END
        FROM pg_index AS i LEFT JOIN pg_constraint AS k ON k.conindid = i.indexrelid
        WHERE i.indrelid = found.oid AND k.conname IS DISTINCT FROM 'transactions_hash_key'
        ORDER BY i.indexrelid
      )
      || ARRAY(SELECT pg_get_triggerdef(t.oid) FROM pg_trigger AS t WHERE t.tgrelid = found.oid AND NOT t.tgisinternal ORDER BY t.oid);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', found.relname, 'plain_' || found.relname);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY %s',
      found.relname, 'plain_' || found.relname, found.key);
    IF found.relname = 'entries' THEN
      FOR part IN 0 .. list_hashes - 1 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF entries FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
          'entries_' || part, list_hashes, part);
      END LOOP;
    ELSE
      -- No default partition: with one, PostgreSQL does not read the partitions in the order of their positions.
      FOR part IN 0 .. ranges LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)',
          found.relname || '_' || part, found.relname,
          CASE WHEN part = 0 THEN 'MINVALUE' ELSE (part * width)::text END,
          CASE WHEN part = ranges THEN 'MAXVALUE' ELSE ((part + 1) * width)::text END);
      END LOOP;
    END IF;
  END LOOP;

  FOREACH one IN ARRAY views || later LOOP
    EXECUTE one;
  END LOOP;

  -- Takes over the unique constraint, with its name: the populator knows it by that.
  CREATE TABLE transaction_hashes (
    hash text CONSTRAINT transactions_hash_key PRIMARY KEY DEFERRABLE,
    position bigint NOT NULL
  );
  SELECT string_agg(CASE WHEN attname IN ('hash', 'position') THEN 'h.' ELSE 't.' END || quote_ident(attname), ', ' ORDER BY attnum)
  INTO one FROM pg_attribute WHERE attrelid = 'transactions_by_hash'::regclass AND attnum > 0;
  EXECUTE 'CREATE OR REPLACE VIEW transactions_by_hash AS SELECT ' || one
    -- A wrong position finds nothing, never another transaction. As a condition of the join the hash would be looked up in each partition.
    || ' FROM transaction_hashes AS h JOIN transactions AS t ON t.position = h.position AND (t.hash = h.hash) IS TRUE';
END
$$;

-- For people who look for a hash in the views, and for programs of before 0019: each partition is asked, by a small index of its own.
CREATE INDEX transactions_hash_idx ON transactions USING hash (hash);

CREATE FUNCTION store_hashes() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    -- While heights are replaced, a transaction that moved between them has two rows for a moment: the other one stays. A row that refers to no
    -- transaction goes too, whoever changed it: if it stayed, the transaction could not be stored again.
    DELETE FROM transaction_hashes AS h USING gone AS t
    WHERE h.hash = t.hash
      AND (h.position = t.position OR (SELECT k.hash FROM transactions AS k WHERE k.position = h.position) IS DISTINCT FROM h.hash);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO transaction_hashes (hash, position) SELECT t.hash, t.position FROM come AS t;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER transactions_hashes_come AFTER INSERT ON transactions REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION store_hashes();
CREATE TRIGGER transactions_hashes_change AFTER UPDATE ON transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION store_hashes();
CREATE TRIGGER transactions_hashes_go AFTER DELETE ON transactions REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION store_hashes();
