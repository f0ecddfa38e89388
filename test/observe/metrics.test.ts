import { expect } from 'chai';
import { createMetrics } from '../../src/observe/metrics.js';

/** Words a name may end in: units and what is counted; counters end in `_total`. */
const ENDINGS = /_(seconds|blocks|height|heights|second|calls|epoch|role|state|connections|subscriptions|info|in_use)$/;

describe('the metrics', () => {
  it('have names that report their unit, and a help text', async () => {
    const own = (await createMetrics().registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('mdw_'));

    for (const { name, type, help } of own) {
      expect(name).to.match(String(type) === 'counter' ? /_total$/ : ENDINGS);
      expect(help).not.to.equal('');
    }
    expect(own.length).to.be.above(20);
  });

  it('can be made more than once in a process', async () => {
    const [first, second] = [createMetrics(), createMetrics()];

    first.forks.inc({ kind: 'key' });

    expect(await first.registry.metrics()).to.contain('mdw_forks_total{kind="key"} 1');
    expect(await second.registry.metrics()).not.to.contain('mdw_forks_total{kind="key"}');
  });
});
