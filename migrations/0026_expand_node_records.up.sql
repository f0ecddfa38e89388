-- expand: what a node has of names, auctions and oracles, where effects inside contract calls made it something else than transactions say.

-- A row is about what the copy had when it was compared (`copied`). It is written if the node had something else (`differs`), and near the end,
-- after which no node can be asked any more.
CREATE TABLE node_records (
  -- Of the claim or the registration.
  position bigint NOT NULL,
  -- `name`, `auction` or `oracle`.
  kind text NOT NULL,
  copied text NOT NULL,
  -- Of the head at which it was compared.
  height bigint NOT NULL,
  differs boolean NOT NULL,
  -- What the node has; null where that is what the copy has. Owner or highest bidder; last height; exact JSON text; highest bid.
  owner text,
  ends_at bigint,
  pointers text,
  bid numeric,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (position, kind)
);
CREATE INDEX node_records_due_idx ON node_records (due_at);
CREATE INDEX node_records_height_idx ON node_records (height);
CREATE INDEX node_records_differs_idx ON node_records (kind) WHERE differs;
