import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** A registry with the metrics of the process, and what makes more in it. */
export function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    gauge: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge<L>({ name, help, labelNames, registers }),
    counter: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Counter<L>({ name, help, labelNames, registers }),
    histogram: <L extends string = never>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram<L>({ name, help, buckets, labelNames, registers }),
  };
}
