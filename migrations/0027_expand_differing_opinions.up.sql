-- expand: what one node told and another one contradicts, although no proof decides which of them is right.

-- A row for each block or transaction about which nodes differ. It is deleted when they agree again, or when the block is gone.
CREATE TABLE differing_opinions (
  -- Of the transaction or of the block.
  hash text PRIMARY KEY,
  position bigint NOT NULL,
  -- Address of the node that told it.
  node text NOT NULL,
  reason text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL
);
