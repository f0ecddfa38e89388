import { copyStates } from '../support/copy-states.js';

describe('Two copies in any state, many of them', () => {
  copyStates({ every: Number(process.env.EVERY_STATE ?? 41), from: 3 });
});
