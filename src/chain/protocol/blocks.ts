/** Constants of blocks that do not depend on their content. */

/** Number of edges of a proof of work, which is the `pow` of a key block. */
export const PROOF_LENGTH = 42;
/** Min time between two micro blocks of a generation, ms. */
export const MICRO_BLOCK_MS = 3_000;
/** Max time by which the time of a block may be ahead of the node's clock, ms. */
export const FUTURE_MS = 540_000;
