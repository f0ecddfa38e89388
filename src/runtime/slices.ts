import { createTurns } from './turns.js';

/** Resolves when the next slice of long work may be done for the client with this address. */
type NextSlice = (address: string) => Promise<void>;

/**
 * Lets `perTurn` slices of long work be done in a turn of the event loop, whoever waits. Node.js 20 accepts one connection in a turn:
 * with long turns, a client that comes waits behind all that came before it.
 */
export function createSlices(perTurn: number): NextSlice {
  const turns = createTurns(perTurn);
  return async (address) => void setImmediate(await turns.enter(address));
}
