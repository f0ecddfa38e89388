'use strict';
/** `mocha --config` of the run of `.ci/run` on the other line of Node and the oldest PostgreSQL. */
const inParallel = require('./files.cjs');
const { suites } = require('./suites.cjs');

/** What `npm test` and `npm run test:programs` have run, and what another version of Node or of PostgreSQL cannot change. */
const SAME_ON_ALL = [
  // What a page makes of answers is up to the browser. The answers, with their queries, are those of test/api.
  'explorer/pages.test.ts',
  'explorer/faults.test.ts',
  'explorer/format.test.ts',
  // They read the source and the documents.
  'lint/dependencies.test.ts',
  'lint/rules.test.ts',
  'lint/structure.test.ts',
  'docs.test.ts',
  'operations.test.ts',
  // What a node may not say is decided by pure rules. Those are in test/chain and test/node, which run on both.
  'populate/lying-node.test.ts',
  'populate/lying-nodes.test.ts',
  'populate/unsigned-blocks.test.ts',
  'populate/cheap-blocks.test.ts',
  'populate/fork-choice.test.ts',
  'populate/unproven-branches.test.ts',
  'hardening/node-answers.test.ts',
  // A journal in a file.
  'populate/verify-journal.test.ts',
];

/**
 * Folders with the same: the operator decides by functions of objects, the chart is text, the demo brings a PostgreSQL of its own, the simulated
 * node has none and is the node of all suites, and what documents and flows call has suites that run on both.
 */
const FOLDERS = ['operator/', 'chart/', 'commands/demo', 'devnode/', 'guide/', 'flow/'];

module.exports = inParallel(
  suites((name) => !SAME_ON_ALL.includes(name) && !FOLDERS.some((folder) => name.startsWith(folder))),
);
