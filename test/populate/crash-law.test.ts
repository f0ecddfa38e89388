import { crashLaw } from '../support/crash-law.js';

crashLaw({ kills: 2, generations: 60 });

crashLaw({ kills: 1, generations: 60, consensus: 'hyperchain' });
