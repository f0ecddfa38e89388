-- expand: which copy serves clients, and which reloads are done, for an operator that has lost its own state.

-- Steps of reloads, oldest first. Both copies of a resource have the same rows, so the rows survive the drop of either copy.
CREATE TABLE serving (
  -- Order of the rows, over both copies.
  number bigint PRIMARY KEY,
  -- `intended`: the copy is to serve; `switched`: it serves; `done`: the reload has ended, and the copy serves.
  step text NOT NULL,
  reload text NOT NULL,
  -- How the reload ended; only with the step `done`.
  result text,
  -- Schema of the copy.
  schema text NOT NULL,
  -- Proven work of the copy at that time. A copy that has less now is not the one that the row describes.
  work numeric NOT NULL,
  written_at timestamptz NOT NULL
);
