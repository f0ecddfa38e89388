-- expand: numbers the commits, so that a reader of several servers can tell the older state of a copy from the newer one.

-- Raised in each transaction that changes what is answered, by whoever writes; see docs/decisions/0018.
ALTER TABLE writer ADD COLUMN commits bigint NOT NULL DEFAULT 0;
