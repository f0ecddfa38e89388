import { crashLaw } from '../support/crash-law.js';

crashLaw({ kills: Number(process.env.KILLS ?? 200), generations: 1_500 });
