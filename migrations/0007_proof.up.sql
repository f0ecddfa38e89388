-- expand: why the populator waits for the node, and what of the chain is believed.

-- In one sentence, beside `node_state`; null while it does not wait.
ALTER TABLE chain ADD COLUMN node_reason text;

-- What of the stored chain could not be proven, as its type or version is not known: transactions, and blocks at their own place.
CREATE TABLE unproven (
  position bigint NOT NULL,
  hash text NOT NULL,
  -- Of the transaction, or KeyBlock, MicroBlock.
  type text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (position, hash)
);
