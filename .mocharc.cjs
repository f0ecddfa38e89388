'use strict';

module.exports = {
  extension: ['ts'],
  'node-option': ['import=tsx'],
  require: ['test/support/postgres.ts', 'test/support/statements.ts'],
  // The limit of a test that has stopped: no machine is that slow. See test/support/patience.ts.
  timeout: 1_800_000 * Number(process.env.TEST_PATIENCE ?? 1),
};
