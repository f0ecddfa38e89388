import { copyStates } from '../support/copy-states.js';

describe('Two copies in any state, many of them', () => {
  copyStates({ every: 41, from: 3 });
});
