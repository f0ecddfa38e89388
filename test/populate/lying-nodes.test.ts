import { writeSection } from '../../bench/readme.js';
import { describeFigures, honestLaw, lyingLaw } from '../support/lying-law.js';
import { RECORDINGS } from '../support/recording.js';

/** `make lying-nodes` runs 1,000 rounds and writes the figures; a failed round is repeated with `SEED` and `FROM`. */
const { SEED = '35', FROM = '0', ROUNDS = '5', FIGURES } = process.env;

lyingLaw({ seed: Number(SEED), from: Number(FROM), rounds: Number(ROUNDS) }, (figures) => {
  if (FIGURES !== '1') return;
  writeSection('lying nodes', [
    '',
    `## Malicious nodes (\`make lying-nodes SEED=${SEED} ROUNDS=${ROUNDS}\`)`,
    '',
    `${describeFigures(figures)}. No altered copy was stored or announced, and nothing was suspected without a liar.`,
    '',
  ]);
});

describe('a populator', () => {
  for (const of of RECORDINGS) honestLaw(of);
});
