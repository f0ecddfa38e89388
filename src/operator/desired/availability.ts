import { serverName } from '../names.js';
import type { CopyPlan, Deployment, KubeObject, Middleware } from '../types.js';
import { copyMetadata, podSelector } from './pod.js';

/** The disruption budget and the autoscaler of the servers of a copy. */
export function availability(resource: Middleware, copy: CopyPlan, servers: Deployment): KubeObject[] {
  return [...budget(resource, copy, servers), ...(copy.servers === 'spec' ? autoscaler(resource, copy) : [])];
}

/** A single server has no budget, because the budget would prevent every drain of its machine. */
function budget(resource: Middleware, { color }: CopyPlan, servers: Deployment): KubeObject[] {
  const { enabled, maxUnavailable } = resource.spec.server.disruptionBudget;
  const min = resource.spec.server.autoscaling?.minReplicas ?? servers.spec.replicas ?? 0;
  if (!enabled || min < 2) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: copyMetadata(resource, serverName(resource.metadata.name, color), 'server', color),
      spec: {
        maxUnavailable: Math.min(maxUnavailable, min - 1),
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
