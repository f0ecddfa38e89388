import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The values of a label: all of them, or in words what they are if they are known only when they occur. */
type LabelValues = readonly string[] | string;

/** Labels with one of their values each. */
type Labels<L extends Record<string, LabelValues>> = {
  [Name in keyof L]: L[Name] extends readonly string[] ? L[Name][number] : string;
};

interface LabelledCounter<L extends Record<string, LabelValues>> {
  inc(labels: Labels<L>, by?: number): void;
  labels(labels: Labels<L>): { inc(by?: number): void };
  get: Counter['get'];
}

/** A registry with the default metrics of a process, and functions that add metrics to it. */
export function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The names of these gauges end in `_total`, which is for counters. The metrics without that ending have the same values by type.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const registers = [registry];
  const labelValues = new Map<string, Record<string, LabelValues>>();
  return {
    registry,
    /** The values of the labels of each counter that has labels. */
    labelValues,
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
    counter: (name: string, help: string) => new Counter<never>({ name, help, registers }),
    /**
     * A counter with labels. If all their values are known, each combination begins at 0: Prometheus sees no increase in a
     * series that begins with its first count.
     */
    labelledCounter: <const L extends Record<string, LabelValues>>(
      name: string,
      help: string,
      labels: L,
    ): LabelledCounter<L> => {
      const counter = new Counter<string>({ name, help, labelNames: Object.keys(labels), registers });
      labelValues.set(name, labels);
      for (const combination of combinations(labels)) counter.inc(combination, 0);
      return counter;
    },
    histogram: <L extends string = never>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram<L>({ name, help, buckets, labelNames, registers }),
  };
}

/** All combinations of the values; none if those of a label are not known. */
function combinations(labels: Record<string, LabelValues>): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    all = all.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return all;
}
