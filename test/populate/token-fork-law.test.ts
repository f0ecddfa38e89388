import { forkLaw } from '../support/fork-law.js';

forkLaw({ from: 1, count: 1, hasTokens: true });

forkLaw({ from: 1, count: 1, consensus: 'hyperchain', hasTokens: true });
