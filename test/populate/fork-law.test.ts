import { forkLaw } from '../support/fork-law.js';

forkLaw({ from: 1, count: 4 });

forkLaw({ from: 1, count: 2, consensus: 'hyperchain' });
