import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** A table of `docs/metrics.md`: the metrics of a registry, without the process metrics of the library. */
export function metricsTable(registry: Registry): string {
  const rows = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map((metric) => {
      const { name, help, labelNames } = metric as typeof metric & { labelNames: string[] };
      const type = metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram';
      return `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
    });
  return ['| Name | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows.sort()].join('\n');
}
