import { requestLaw } from '../support/request-law.js';

requestLaw({ from: Number(process.env.SEED ?? 1), count: Number(process.env.DRAWS ?? 4) });
