import { crashLaw } from '../support/crash-law.js';

const { KILLS = '40' } = process.env;

crashLaw({ kills: Number(KILLS), generations: 400, hasTokens: true });
