-- expand: transactions whose call information no node answers. They are stored all the same, and the nodes are asked again later.

-- A row is written and deleted with its block. What the transaction does may follow from the answer: then its block is stored again.
CREATE TABLE unknown_infos (
  position bigint PRIMARY KEY,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL
);
CREATE INDEX unknown_infos_due ON unknown_infos (due_at);
