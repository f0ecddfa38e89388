import type { Consensus } from '../../src/chain/protocol/generations.js';
import { forkLaw } from '../support/fork-law.js';

const { SEED = '1000', HISTORIES = '1000', CONSENSUS } = process.env;

/** The histories of each form: those of `CONSENSUS`, and without it a fifth of them in the form of a hyperchain, too. */
const COUNTS: Partial<Record<Consensus, number>> =
  CONSENSUS === undefined
    ? { pow: Number(HISTORIES), hyperchain: Math.ceil(Number(HISTORIES) / 5) }
    : { [CONSENSUS]: Number(HISTORIES) };

for (const [consensus, count] of Object.entries(COUNTS) as [Consensus, number][])
  forkLaw({ from: Number(SEED), count, consensus });
