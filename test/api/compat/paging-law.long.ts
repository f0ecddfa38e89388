import { pagingLaw } from '../../support/paging-law.js';

const { SEED = '40', FORKS = '60' } = process.env;

pagingLaw({ seed: Number(SEED), forks: Number(FORKS) });
