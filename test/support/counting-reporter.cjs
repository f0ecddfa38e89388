'use strict';
const { appendFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/** The usual report, and at the end one line `passes failures pending` in the file that TEST_COUNTS names. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      appendFileSync(process.env.TEST_COUNTS, `${passes} ${failures} ${pending}\n`);
    });
  }
};
