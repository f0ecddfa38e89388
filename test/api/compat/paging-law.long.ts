import { pagingLaw } from '../../support/paging-law.js';

const { SEED = '40', FORKS = '60' } = process.env;

// Which ids come up is random, and with them the forms of the statements: those that `make test` sees are compared there.
process.env['STATEMENTS'] ??= '/dev/null';

pagingLaw({ seed: Number(SEED), forks: Number(FORKS) });
