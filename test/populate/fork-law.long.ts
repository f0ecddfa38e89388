import { forkLaw } from '../support/fork-law.js';

forkLaw({ from: Number(process.env.SEED ?? 1_000), count: Number(process.env.HISTORIES ?? 1_000) });
