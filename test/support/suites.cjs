'use strict';
/** The suites of `npm test`: all tests that need only Node. */

/** Folders with suites of their own, and their own targets of the Makefile. */
const APART = ['chaos', 'chart', 'clients', 'cluster', 'realnode'];

module.exports = {
  jobs: 3,
  chosen: (name) => !APART.includes(name.split('/')[0]),
  longest: [
    'populate/background',
    'faults/node',
    'populate/verify-journal',
    'populate/fault-law',
    'commands/demo',
    'populate/decode',
    'commands/waiting',
    'commands/workers',
    'populate/follow',
    'populate/fork-choice',
    'populate/repair',
    'populate/background-tables',
    'faults/slow-reorg',
    'populate/crash-law',
    'commands/streams',
    'commands/demo-folder',
    'explorer/pages',
    'populate/verify-projections',
    'commands/terminal',
    'commands/roles',
    'populate/recorded',
    'store/rights',
    'commands/copies',
    'devnode/kept-chain',
    'populate/first-load',
    'store/ranks',
    'populate/fork-law',
    'faults/replicas',
    'populate/lying-node',
    'operator/reload-crashes',
    'commands/migrate',
    'store/without-statistics',
  ],
};
