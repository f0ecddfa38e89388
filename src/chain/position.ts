/**
 * Position of a block or transaction in the order of the chain, as one integer: height * 2^33 + micro block * 2^16 + transaction.
 * A key block is at micro block 0; micro blocks are numbered from 1, transactions of a micro block from 0. See docs/protocol/positions.md.
 */
const HEIGHT_SHIFT = 33n;
const MICRO_SHIFT = 16n;

/** Largest values that fit: 2^30 heights, 131071 micro blocks a generation, 65536 transactions a micro block. */
export const MAX_HEIGHT = 2 ** 30 - 1;
export const MAX_MICRO = 2 ** 17 - 1;
export const MAX_TX = 2 ** 16 - 1;

/** Above all positions: the largest integer of a column of positions. */
export const LAST_POSITION = 2n ** 63n - 1n;

export const keyPosition = (height: number): bigint => BigInt(height) << HEIGHT_SHIFT;

export const microPosition = (height: number, micro: number): bigint =>
  keyPosition(height) | (BigInt(micro) << MICRO_SHIFT);

export const heightOf = (position: bigint): number => Number(position >> HEIGHT_SHIFT);

/** Number of the micro block in its generation; 0 for the key block. */
export const microOf = (position: bigint): number => Number((position >> MICRO_SHIFT) & BigInt(MAX_MICRO));

export const txOf = (position: bigint): number => Number(position & BigInt(MAX_TX));
