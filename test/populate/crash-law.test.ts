import { crashLaw } from '../support/crash-law.js';

crashLaw({ kills: 5, generations: 60 });
