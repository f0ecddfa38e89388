/** Rules of blocks that have nothing to do with what stands in them. */

/** Edges of a proof of work, the `pow` of a key block. */
export const PROOF_LENGTH = 42;
/** Min time between two micro blocks of a generation, ms. */
export const MICRO_BLOCK_MS = 3_000;
/** How far ahead of a node's clock a block's time may be, ms. */
export const FUTURE_MS = 540_000;
