-- expand: finds the names that contain a text, by all the threes of characters in it.

-- PostgreSQL's own index on arrays: the extension for it (pg_trgm) needs rights in the database that a migration may not have.
CREATE FUNCTION name_grams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(substr(name, n, 3)) FROM generate_series(1, length(name) - 2) AS n
$$;
CREATE INDEX names_grams_idx ON names USING gin (name_grams(name));
