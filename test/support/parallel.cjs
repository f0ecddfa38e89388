'use strict';
/** `mocha --config` of `npm test`. */
const inParallel = require('./files.cjs');

module.exports = inParallel(require('./suites.cjs').withinProcess);
