-- expand: the reorg that is held back until somebody vouches for it.

-- At most one row: a branch that would replace many stored blocks, and whose work nobody can prove.
CREATE TABLE held_reorg (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Its top key block, as far as it was read.
  hash text NOT NULL,
  height bigint NOT NULL,
  -- Stored key blocks that it would take back.
  depth bigint NOT NULL,
  -- A key block of the branch that the administrator accepted.
  accepted text
);
