-- expand: the coin of the network, as a node printed it at `/v3/currency`.

-- At most one row; none if no node has told it.
CREATE TABLE currency (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  name text NOT NULL,
  symbol text NOT NULL,
  -- Name of the smallest unit, and how many digits after the point it has.
  subunit text NOT NULL,
  digits integer NOT NULL
);
