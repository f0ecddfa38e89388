import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

interface Documented {
  registry: Registry;
  /** Values of the labels of counters, by metric and label; text if they are known only when they occur. */
  labelValues: ReadonlyMap<string, Record<string, readonly string[] | string>>;
}

const code = (text: string): string => `\`${text}\``;

/** A table of `docs/metrics.md`: the metrics of a registry, without the process metrics of the library. */
export function metricsTable({ registry, labelValues }: Documented): string {
  const rows = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map((metric) => {
      const { name, help, labelNames } = metric as typeof metric & { labelNames: string[] };
      const type = metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram';
      const known = labelValues.get(name);
      const labels =
        known === undefined
          ? labelNames.map(code).join(', ')
          : Object.entries(known)
              .map(
                ([label, values]) =>
                  `${code(label)}: ${typeof values === 'string' ? values : values.map(code).join(', ')}`,
              )
              .join('; ');
      return `| \`${name}\` | ${type} | ${labels} | ${help} |`;
    });
  return ['| Name | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows.sort()].join('\n');
}
