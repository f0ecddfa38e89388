-- expand: a place for the blocks of a branch while it is read from a node, before it replaces what is stored.

-- What is in here is no part of the chain that is served, and may be lost at any time: it is read from the node again then.
CREATE UNLOGGED TABLE staged_blocks (
  -- Whose they are: the populator's, or those of one `-H`.
  owner text NOT NULL,
  position bigint NOT NULL,
  hash text NOT NULL,
  prev_hash text NOT NULL,
  -- Of key blocks.
  target bigint,
  -- Of micro blocks: protocol in force in the generation.
  version int,
  -- The node's texts: of the block or header, of all transactions in `{"transactions":[...]}`, and a list of their infos.
  body text NOT NULL,
  transactions text,
  infos text,
  -- What of the block can only be believed: a list, or null when all of it is proven.
  unproven text,
  PRIMARY KEY (owner, position)
);
