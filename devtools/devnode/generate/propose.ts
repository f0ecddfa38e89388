import type { Maker, Proposal, Propose } from './maker.js';
import { createChannel, useChannel } from './propose-channels.js';
import { attach, callContract, createContract, meta, payFor } from './propose-contracts.js';
import { bid, claim, preclaim, revokeName, transferName, updateName } from './propose-names.js';
import { answerQuery, askOracle, extendOracle, registerOracle } from './propose-oracles.js';
import { spend } from './propose-spends.js';
import { proposeToken } from './propose-tokens.js';
import type { TokenOptions } from '../options.js';

/** Shares of the kinds of transactions in tenths of a percent. As on the main network, most are spends and contract calls. */
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

/** Each kind repeated according to its share, so that a random pick is weighted. */
const WEIGHTED = SHARES.flatMap(([kind, share]) => new Array<Propose>(share).fill(kind));

/** A random transaction that can be executed next; a spend if no transaction of the picked kind is possible yet. */
export function propose(maker: Maker, tokens?: TokenOptions): Proposal {
  if (tokens !== undefined && maker.random.chance(tokens.share)) return proposeToken(maker, tokens) ?? spend(maker)!;
  return maker.random.pick(WEIGHTED)(maker) ?? spend(maker)!;
}
