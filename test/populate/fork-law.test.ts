import { forkLaw } from '../support/fork-law.js';

forkLaw({ from: 1, count: 4 });
