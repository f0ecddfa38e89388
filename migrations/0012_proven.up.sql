-- expand: up to which height the copy is proven, and how far it is being verified again.

-- Every block up to here is stored as its hashes prove it; -1 while not even the genesis block is. Of a copy that was loaded by an
-- earlier release it is not known how much was proven: it is made up for in the background.
ALTER TABLE chain ADD COLUMN proven_height bigint NOT NULL DEFAULT -1;
-- The first height that the verification in the background has not come to in this round.
ALTER TABLE chain ADD COLUMN verify_height bigint NOT NULL DEFAULT 0;
-- Whether the block was proven, in all its members, when it was read.
ALTER TABLE staged_blocks ADD COLUMN proven boolean NOT NULL DEFAULT false;
