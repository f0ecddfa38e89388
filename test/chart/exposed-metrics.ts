import { createMetrics } from '../../src/observe/metrics.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';

/** Labels that Prometheus adds to metrics of pods. */
const SCRAPED = ['namespace', 'job', 'pod', 'instance', 'service', 'container', 'endpoint'];

/** Names of all series that the programs expose, with the labels that each may have. */
export function exposedMetrics(): Record<string, string[]> {
  const exposed: Record<string, string[]> = { up: SCRAPED };
  for (const registry of [createMetrics().registry, createOperatorMetrics().registry]) {
    for (const metric of registry.getMetricsAsArray()) {
      const { name, labelNames, type } = metric as unknown as { name: string; labelNames: string[]; type: string };
      const labels = [...labelNames, ...SCRAPED];
      exposed[name] = labels;
      if (type !== 'histogram' && type !== 'summary') continue;
      for (const part of ['_bucket', '_sum', '_count']) {
        exposed[name + part] = part === '_bucket' ? [...labels, 'le'] : labels;
      }
    }
  }
  return exposed;
}
