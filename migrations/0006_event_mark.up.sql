-- expand: distinguishes an event from another one that got its number after a failover.

-- Drawn when the row is inserted. A server that took the place of another and lacks its last events gives their numbers
-- again, to events that may look the same; the mark is another one. The rows of before get one each, too.
ALTER TABLE events ADD COLUMN mark bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint;
