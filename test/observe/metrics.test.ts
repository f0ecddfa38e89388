import { expect } from 'chai';
import { AggregatorRegistry } from 'prom-client';
import { createMetrics } from '../../src/observe/metrics.js';

/** Allowed last words of a name: units and counted things; counters end in `_total`. */
const ENDINGS =
  /_(seconds|blocks|height|heights|second|calls|rows|epoch|role|state|connections|subscriptions|records|opinions|accounts|tokens|generations|ratio|info|in_use)$/;

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
    expect(await second.registry.metrics()).to.contain('mdw_forks_total{kind="key"} 0');
  });

  it('say of several workers that a replica is in use, not how many use it', async () => {
    const workers = [createMetrics(), createMetrics(), createMetrics()];
    for (const { replicaInUse } of workers) replicaInUse.set({ replica: 'one:5432' }, 1);

    const all = await Promise.all(workers.map(({ registry }) => registry.getMetricsAsJSON()));

    expect(await AggregatorRegistry.aggregate(all).metrics()).to.contain('mdw_replica_in_use{replica="one:5432"} 1\n');
  });
});
