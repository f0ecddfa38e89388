-- expand: the first heights of the protocol versions of a network that is not built in, as its nodes reported them.
CREATE TABLE forks (
  version integer PRIMARY KEY,
  height bigint NOT NULL
);
