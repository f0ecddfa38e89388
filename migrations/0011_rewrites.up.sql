-- expand: what was written below the head, so that a verification in parts knows which parts it must look at again.

-- One row a change that did more than add blocks at the head. The numbers follow each other; only the last ones are kept.
CREATE TABLE rewrites (
  number bigint PRIMARY KEY,
  -- The lowest height that was written or removed.
  height bigint NOT NULL
);
