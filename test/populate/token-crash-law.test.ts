import { crashLaw } from '../support/crash-law.js';

crashLaw({ kills: 3, generations: 60, hasTokens: true });
