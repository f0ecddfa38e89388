import { serverName } from '../names.js';
import type { CopyPlan, Deployment, KubeObject, Middleware } from '../types.js';
import { copyMetadata, podSelector } from './pod.js';

/** What keeps the servers of a copy there, and lets the load decide how many. */
export function availability(resource: Middleware, copy: CopyPlan, servers: Deployment): KubeObject[] {
  return [...budget(resource, copy, servers), ...(copy.servers === 'spec' ? autoscaler(resource, copy) : [])];
}

/** One server alone has none: it would keep every machine it is on from being drained. */
function budget(resource: Middleware, { color }: CopyPlan, servers: Deployment): KubeObject[] {
  const { enabled, maxUnavailable } = resource.spec.server.disruptionBudget;
  const least = resource.spec.server.autoscaling?.minReplicas ?? servers.spec.replicas ?? 0;
  if (!enabled || least < 2) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: copyMetadata(resource, serverName(resource.metadata.name, color), 'server', color),
      spec: {
        maxUnavailable: Math.min(maxUnavailable, least - 1),
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: podSelector(resource, 'server', color) },
      },
    },
  ];
}

const CPU_PERCENT = 70;

function autoscaler(resource: Middleware, { color }: CopyPlan): KubeObject[] {
  const wanted = resource.spec.server.autoscaling;
  if (wanted === undefined) return [];
  const { minReplicas, maxReplicas, targetCPUUtilization, targetRequestsPerSecond, behavior } = wanted;
  const cpu = targetCPUUtilization ?? (targetRequestsPerSecond === undefined ? CPU_PERCENT : undefined);
  const name = serverName(resource.metadata.name, color);
  return [
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: copyMetadata(resource, name, 'server', color),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas,
        maxReplicas,
        metrics: [
          ...(cpu === undefined
            ? []
            : [
                {
                  type: 'Resource',
                  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpu } },
                },
              ]),
          ...(targetRequestsPerSecond === undefined
            ? []
            : [
                {
                  type: 'Pods',
                  pods: {
                    metric: { name: 'mdw_http_requests_per_second' },
                    target: { type: 'AverageValue', averageValue: String(targetRequestsPerSecond) },
                  },
                },
              ]),
        ],
        ...(behavior && { behavior }),
      },
    },
  ];
}
