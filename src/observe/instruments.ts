import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** A registry with the default metrics of a process, and functions that add metrics to it. */
export function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The names of these gauges end in `_total`, which is for counters. The metrics without that ending have the same values by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const registers = [registry];
  return {
    registry,
    /** A gauge that has no value until it is set, so that a process exports no unknown values. */
    gauge: <L extends string = never>(name: string, help: string, ...labelNames: L[]) => {
      const gauge = new Gauge<L>({ name, help, labelNames, registers });
      // The library sets a gauge without labels to 0.
      if (labelNames.length === 0) gauge.remove();
      return gauge;
    },
    /** A gauge that is not added up over several workers: it has the same value in every process, or is 1 if it is 1 in any. */
    fact: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge<L>({ name, help, labelNames, registers, aggregator: 'max' }),
    counter: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Counter<L>({ name, help, labelNames, registers }),
    histogram: <L extends string = never>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram<L>({ name, help, buckets, labelNames, registers }),
  };
}
