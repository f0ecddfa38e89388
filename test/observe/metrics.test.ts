import { expect } from 'chai';
import { createMetrics } from '../../src/observe/metrics.js';

/** Allowed last words of a name: units and counted things; counters end in `_total`. */
const ENDINGS = /_(seconds|blocks|height|heights|second|calls|epoch|role|state|connections|subscriptions|info|in_use)$/;

describe('the metrics', () => {
  it('have a unit in their names, and a help text', async () => {
    const own = (await createMetrics().registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('mdw_'));

    for (const { name, type, help } of own) {
      expect(name).to.match(String(type) === 'counter' ? /_total$/ : ENDINGS);
      expect(help).not.to.equal('');
    }
    expect(own.length).to.be.above(20);
  });

  it('can be created more than once in a process', async () => {
    const [first, second] = [createMetrics(), createMetrics()];

    first.forks.inc({ kind: 'key' });

    expect(await first.registry.metrics()).to.contain('mdw_forks_total{kind="key"} 1');
    expect(await second.registry.metrics()).not.to.contain('mdw_forks_total{kind="key"}');
  });
});
