import { faultLaw } from '../support/fault-law.js';

faultLaw({ from: 1, count: 4 });
