import { crashLaw } from '../support/crash-law.js';

crashLaw({ kills: 1, generations: 60, hasTokens: true });
