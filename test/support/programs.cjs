'use strict';
/** `mocha --config` of `npm run test:programs`. */
const inParallel = require('./files.cjs');

module.exports = inParallel(require('./suites.cjs').ofPrograms);
