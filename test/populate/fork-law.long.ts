import type { Consensus } from '../../src/chain/protocol/generations.js';
import { forkLaw } from '../support/fork-law.js';

const { SEED = '1000', HISTORIES = '1000', CONSENSUS = 'pow' } = process.env;

forkLaw({ from: Number(SEED), count: Number(HISTORIES), consensus: CONSENSUS as Consensus });
