import { copyStates } from '../support/copy-states.js';

describe('Two copies in any state', () => {
  copyStates({ every: 2503 });
});
