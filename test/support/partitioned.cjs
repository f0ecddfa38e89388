'use strict';
/** `mocha --config` of the suites that `.ci/run` repeats on copies of the partitioned layout: what reads and writes its tables. */
process.env.PARTITIONED = '1';
const inParallel = require('./files.cjs');
const { suites } = require('./suites.cjs');

const SUITES = [
  'store/plans',
  'store/without-statistics',
  'store/ranks',
  'store/rights',
  'populate/recorded',
  'populate/follow',
  'populate/gaps',
  'populate/repair',
  'populate/heights-at-head',
  'populate/abandoned-branch',
  'populate/fork-law',
  'populate/verify-projections',
  'populate/background-tables',
  'api/account-transactions',
  'api/contracts',
  'api/exports',
  'api/generations',
  'api/interval',
  'api/node-cache',
  'api/plans',
];

module.exports = inParallel(suites((file) => SUITES.includes(file.replace('.test.ts', ''))));
