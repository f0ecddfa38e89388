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
  'store/silence',
  'populate/node-money',
  'populate/read-ahead-faults',
  'populate/tokens',
  'populate/node-records',
  'store/movements',
  'operator/reload-orders',
  'populate/hyperchain',
  'populate/projections',
  'populate/unproven-branches',
  'faults/node',
  'populate/verify-journal',
  'commands/demo',
  'guide/examples',
  'faults/slow-reorg',
  'store/plans',
  'store/serving',
  'commands/waiting',
  'commands/roles',
  'commands/copies',
  'commands/workers',
  'populate/token-crash-law',
  'populate/token-fork-law',
  'populate/second-opinion',
  'populate/generation-changes',
  'populate/gaps',
  'populate/changed-chain',
  'populate/new-genesis',
  'commands/trial-upgrade',
  'commands/streams',
  'commands/demo-folder',
  'flow/flows',
  'populate/cheap-blocks',
  'populate/unsigned-blocks',
  'populate/verify-projections',
  'explorer/pages',
  'commands/terminal',
  'api/compat/paging',
  'populate/token-checks',
  'populate/seen-accounts',
  'devnode/kept-chain',
  'store/rights',
  'faults/replicas',
  'commands/migrate',
  'populate/statistics',
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
