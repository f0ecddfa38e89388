import { requestLaw } from '../support/request-law.js';

const { SEED = '1000', HISTORIES = '250', DRAWS = String(2 * Number(HISTORIES)) } = process.env;

requestLaw({ from: Number(SEED), count: Number(DRAWS) });
