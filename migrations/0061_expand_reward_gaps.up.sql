-- expand: the key blocks at which it is not known what was paid, in the order of the chain. Bit 16 is about other coins.
CREATE INDEX ledger_gaps_key_blocks_idx ON ledger_gaps (position) WHERE position & 8589934591 = 0 AND gaps & ~16 <> 0;
