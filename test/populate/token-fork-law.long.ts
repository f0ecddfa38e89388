import { forkLaw } from '../support/fork-law.js';

const { SEED = '5000', HISTORIES = '150' } = process.env;

/** A history has about seven forks. */
forkLaw({ from: Number(SEED), count: Number(HISTORIES), hasTokens: true });
