import type { Maker, Proposal, Propose } from './maker.js';
import { createChannel, useChannel } from './propose-channels.js';
import { attach, callContract, createContract, meta, payFor } from './propose-contracts.js';
import { bid, claim, preclaim, revokeName, transferName, updateName } from './propose-names.js';
import { answerQuery, askOracle, extendOracle, registerOracle } from './propose-oracles.js';
import { spend } from './propose-spends.js';

/** Shares of the kinds in tenths of a percent, like the main network's: most of it payments and calls. */
const SHARES: readonly (readonly [Propose, number])[] = [
  [spend, 430],
  [callContract, 270],
  [preclaim, 50],
  [claim, 45],
  [bid, 10],
  [updateName, 35],
  [transferName, 8],
  [revokeName, 5],
  [registerOracle, 8],
  [extendOracle, 10],
  [askOracle, 45],
  [answerQuery, 40],
  [createContract, 6],
  [createChannel, 5],
  [useChannel, 17],
  [attach, 3],
  [meta, 8],
  [payFor, 5],
];

/** Each kind as often as its share says. */
const WEIGHTED = SHARES.flatMap(([kind, share]) => new Array<Propose>(share).fill(kind));

/** A transaction that can be executed next; a payment when the drawn kind has nothing to work on yet. */
export function propose(maker: Maker): Proposal {
  return maker.random.pick(WEIGHTED)(maker) ?? spend(maker)!;
}
