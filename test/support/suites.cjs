'use strict';
/** The suites that need only Node, in two runs: a process of the tests does the work, or programs do that it starts. */

/** Folders with suites of their own, and their own targets of the Makefile. */
const APART = ['chaos', 'chart', 'clients', 'cluster', 'realnode'];

/** What starts the built program, browsers and pages for some seconds and more: folders and files. */
const OF_PROGRAMS = [
  'commands',
  'e2e',
  'explorer',
  'flow',
  'guide',
  'api/real-compiler.test.ts',
  'events/processes.test.ts',
  'faults/clocks.test.ts',
  'faults/replicas.test.ts',
  'populate/held-reorg.test.ts',
  'populate/simulated-money.test.ts',
  'populate/two-populators.test.ts',
  'populate/verify-journal.test.ts',
  'store/pgbouncer.test.ts',
  'store/rights.test.ts',
];

const LONGEST = [
  'faults/silence',
  'commands/silence',
  'faults/node',
  'store/silence',
  'populate/verify-journal',
  'commands/demo',
  'guide/examples',
  'populate/background',
  'populate/fault-law',
  'populate/verify-projections',
  'populate/lying-nodes',
  'populate/cheap-blocks',
  'populate/decode',
  'commands/waiting',
  'commands/roles',
  'commands/copies',
  'commands/workers',
  'populate/follow',
  'populate/fork-choice',
  'populate/repair',
  'populate/background-tables',
  'faults/slow-reorg',
  'commands/trial-upgrade',
  'populate/crash-law',
  'commands/streams',
  'commands/demo-folder',
  'flow/flows',
  'explorer/pages',
  'commands/terminal',
  'populate/recorded',
  'store/rights',
  'devnode/kept-chain',
  'populate/first-load',
  'store/ranks',
  'populate/fork-law',
  'faults/replicas',
  'populate/unsigned-blocks',
  'populate/lying-node',
  'operator/reload-crashes',
  'commands/migrate',
  'store/without-statistics',
];

const isOf = (name, list) => list.some((one) => name === one || name.startsWith(`${one}/`));

/** Files below `test` that `isWanted` takes of those of both runs. */
const suites = (isWanted) => {
  const chosen = (name) => !isOf(name, APART) && isWanted(name);
  return { jobs: 5, chosen, longest: LONGEST.filter((name) => chosen(`${name}.test.ts`)) };
};

module.exports = {
  withinProcess: suites((name) => !isOf(name, OF_PROGRAMS)),
  ofPrograms: suites((name) => isOf(name, OF_PROGRAMS)),
  suites,
};
