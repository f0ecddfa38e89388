'use strict';
/** `mocha --config` of `make test-cluster`: each process has a control plane of its own. Many suites share that of KUBECONFIG. */
const inParallel = require('../support/files.cjs');

module.exports = inParallel({
  jobs: process.env.KUBECONFIG === undefined ? 2 : 1,
  chosen: (name) => ['chart', 'cluster'].includes(name.split('/')[0]),
  longest: ['cluster/crash-points', 'cluster/healing', 'cluster/reload', 'cluster/false-status', 'cluster/faults'],
  require: ['test/cluster/support/planes.ts'],
});
