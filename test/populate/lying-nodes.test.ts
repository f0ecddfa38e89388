import { lyingLaw } from '../support/lying-law.js';

lyingLaw({ seed: Number(process.env.SEED ?? 35), rounds: Number(process.env.ROUNDS ?? 30) });
