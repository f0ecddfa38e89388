import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** A registry with the metrics of the process, and what makes more in it. */
export function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges whose names end as those of counters do; those without the ending have the same figures by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const registers = [registry];
  return {
    registry,
    /** Without a series until it is set: a process exports nothing that it does not know. */
    gauge: <L extends string = never>(name: string, help: string, ...labelNames: L[]) => {
      const gauge = new Gauge<L>({ name, help, labelNames, registers });
      // The library begins with 0 where there are no labels.
      if (labelNames.length === 0) gauge.remove();
      return gauge;
    },
    /** A gauge that says the same in every process: those of several are not added up. */
    fact: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge<L>({ name, help, labelNames, registers, aggregator: 'max' }),
    counter: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Counter<L>({ name, help, labelNames, registers }),
    histogram: <L extends string = never>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram<L>({ name, help, buckets, labelNames, registers }),
  };
}
