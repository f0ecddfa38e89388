'use strict';
/**
 * `mocha --config` of the run of `.ci/run` on the other line of Node and the oldest PostgreSQL: what a version of either can change. The statements,
 * on PostgreSQL; requests, frames, signals, streams and numbers, on Node. What decides by pure rules about objects and texts is the same on both.
 */
const inParallel = require('./files.cjs');
const { suites } = require('./suites.cjs');

const FOLDERS = ['api/', 'chain/', 'config/', 'events/', 'store/'];

const SUITES = [
  'commands/messages',
  'commands/migrate',
  'commands/roles',
  'commands/signals',
  'commands/streams',
  'commands/usage',
  'e2e/bad-input',
  'e2e/numbers',
  'e2e/service',
  'faults/database',
  'faults/read-only',
  'faults/silence',
  'hardening/idle-connections',
  'hardening/limits-by-address',
  'hardening/logs',
  'hardening/pipelining',
  'hardening/raw-requests',
  'hardening/slow-clients',
  'hardening/websockets',
  'populate/background-tables',
  'populate/crash-law',
  'populate/follow',
  'populate/fork-law',
  'populate/gaps',
  'populate/heights-at-head',
  'populate/node-records',
  'populate/recorded',
  'populate/repair',
  'populate/two-populators',
  'populate/unknown-infos',
  'populate/verify-projections',
  'populate/withdrawn-right',
];

module.exports = inParallel(
  suites((name) => FOLDERS.some((folder) => name.startsWith(folder)) || SUITES.includes(name.replace('.test.ts', ''))),
);
