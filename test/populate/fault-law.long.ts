import { faultLaw } from '../support/fault-law.js';

faultLaw({ from: Number(process.env.SEED ?? 1_000), count: Number(process.env.HISTORIES ?? 500) });
