'use strict';
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const usual = require('../../.mocharc.cjs');

// All processes of a run make the same share of long lists of checks: see share.ts.
process.env.SHARE_FROM ??= String(Math.floor(Date.now() / 86_400_000));

/**
 * A configuration of mocha for all test files that `chosen` takes by their path below `test`, in some processes. `longest` are begun first, so that no
 * process works on alone at the end: SLOWEST=30 shows which these are. FILES_SHARE=2 takes one in two of them, from day to day others.
 */
module.exports = function inParallel({ jobs, chosen, longest, require = [] }) {
  const first = longest.map((name) => `test/${name}.test.ts`);
  const missing = first.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`not there: ${missing.join(', ')}`);
  const found = readdirSync('test', { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && chosen(name))
    .map((name) => join('test', name))
    .sort();
  const { FILES_SHARE: every = 1, SHARE_FROM } = process.env;
  const all = [...first, ...found.filter((file) => !first.includes(file))];
  return {
    ...usual,
    require: [...usual.require, 'test/support/parallel.ts', 'test/support/seconds.ts', ...require],
    parallel: jobs > 1,
    jobs,
    spec: all.filter((_, index) => (index + Number(SHARE_FROM)) % Number(every) === 0),
  };
};
