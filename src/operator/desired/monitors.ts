import { LABEL, childMetadata } from '../names.js';
import type { KubeObject, Basis } from '../types.js';
import { alertRules } from './alerts.js';
import { METRICS_LABEL } from './services.js';

const API = 'monitoring.coreos.com/v1';

/** Objects for the Prometheus operator, of the kinds that the API server has. */
export function monitors({ resource, kinds, runbookBase }: Basis): KubeObject[] {
  const { enabled, kind, interval, labels, rules } = resource.spec.monitoring;
  if (!enabled) return [];
  const { name } = resource.metadata;
  const metadata = { ...childMetadata(resource, name, labels) };
  const endpoint = { port: 'metrics', interval, honorLabels: false };
  const identity = { [LABEL.name]: 'chain-middleware', [LABEL.instance]: name };
  // These labels separate the series of resources and copies.
  const podTargetLabels = [LABEL.instance, LABEL.component, LABEL.color];
  const monitor =
    kind === 'ServiceMonitor'
      ? {
          selector: { matchLabels: { ...identity, ...METRICS_LABEL } },
          endpoints: [endpoint],
          podTargetLabels,
        }
      : { selector: { matchLabels: identity }, podMetricsEndpoints: [endpoint], podTargetLabels };
  const alerts = alertRules(resource, runbookBase);
  return [
    ...(kinds.has(kind) ? [{ apiVersion: API, kind, metadata, spec: monitor }] : []),
    ...(rules && kinds.has('PrometheusRule') && alerts.length > 0
      ? [{ apiVersion: API, kind: 'PrometheusRule', metadata, spec: { groups: [{ name, rules: alerts }] } }]
      : []),
  ];
}
