'use strict';
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

/**
 * The usual report, and at the end one line `passes failures pending` in the file that TEST_COUNTS names, if it names one. The files of what
 * failed stand in the one beside it that ends in `.files`, what was wrong in `.failed`.
 */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const counts = process.env.TEST_COUNTS;
    if (counts === undefined) return;
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      const file = relative(process.cwd(), test.file ?? '');
      const reason = String(error.stack ?? error.message).slice(0, 2_000);
      appendFileSync(`${counts}.failed`, `${file}: ${test.fullTitle()}\n${reason}\n\n`);
      appendFileSync(`${counts}.files`, `${file}\n`);
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      appendFileSync(counts, `${passes} ${failures} ${pending}\n`);
    });
  }
};
