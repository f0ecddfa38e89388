import type { Consensus } from '../../src/chain/protocol/generations.js';
import { crashLaw } from '../support/crash-law.js';

const { KILLS = '200', CONSENSUS = 'pow' } = process.env;

crashLaw({ kills: Number(KILLS), generations: 1_500, consensus: CONSENSUS as Consensus });
