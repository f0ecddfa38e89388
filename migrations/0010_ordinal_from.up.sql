-- expand: where in a list a place of the chain is, found in as many steps as the list's length has binary digits.

-- Ordinal of the first entry that stands at the position or after it; one more than the last ordinal if there is none.
CREATE FUNCTION ordinal_from(of_list bigint, place bigint) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  low int := 1;
  high int;
  middle int;
  found_at bigint;
BEGIN
  SELECT e.ordinal, e.position INTO high, found_at FROM entries AS e
  WHERE e.list = of_list ORDER BY e.ordinal DESC LIMIT 1;
  IF high IS NULL THEN
    RETURN 1;
  END IF;
  -- Most changes are above everything that the list holds.
  IF found_at < place THEN
    RETURN high + 1;
  END IF;
  WHILE low < high LOOP
    middle := (low + high) / 2;
    SELECT e.position INTO found_at FROM entries AS e WHERE e.list = of_list AND e.ordinal = middle;
    IF found_at < place THEN
      low := middle + 1;
    ELSE
      high := middle;
    END IF;
  END LOOP;
  RETURN low;
END
$$;
