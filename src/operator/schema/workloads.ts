import { z } from 'zod';
import { anyKeys, duration, passedOn, podFields, rules, texts, told } from './parts.js';

export const migration = z.object({
  timeout: told(duration().default('30m'), 'Time one attempt has, for example 30m.'),
  ...podFields({ cpu: '50m', memory: '128Mi' }, '512Mi'),
});

export const populator = z.object({
  enabled: told(
    z.boolean().default(true),
    'Load and follow the chain; false when somebody else does so for this database.',
  ),
  pollIntervalMs: told(
    z.int().min(50).max(600_000).default(1000),
    'Pause between two looks at the top of the chain, in milliseconds.',
  ),
  nodeConcurrency: told(z.int().min(1).max(256).default(16), 'Most requests open to a node while loading.'),
  ...podFields({ cpu: '200m', memory: '256Mi' }, '1Gi'),
});

const autoscaling = z.object({
  minReplicas: told(z.int().min(1).max(1000).default(2), 'Fewest servers.'),
  maxReplicas: told(z.int().min(1).max(1000), 'Most servers.'),
  targetCPUUtilization: told(
    z.int().min(1).max(1000).optional(),
    'Average use of the requested CPU to aim at, in percent; 70 when no other target is given.',
  ),
  targetRequestsPerSecond: told(
    z.int().min(1).max(1_000_000).optional(),
    'Requests per second and server to aim at; needs an adapter that serves the metric mdw_http_requests_per_second.',
  ),
  behavior: told(passedOn().optional(), 'How fast servers come and go, as in a HorizontalPodAutoscaler.', anyKeys),
});

const service = z.object({
  type: told(z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP'), 'Type of the Service.'),
  annotations: told(texts().optional(), 'Further annotations of the Service.'),
});

const budget = z.object({
  enabled: told(z.boolean().default(true), 'Make a PodDisruptionBudget when there is more than one server.'),
  maxUnavailable: told(z.int().min(1).max(1000).default(1), 'Most servers that a drain may take away at a time.'),
});

/** Servers when the resource says nothing of their number. */
const SERVERS = 2;

export const server = {
  schema: z.object({
    replicas: told(
      z.int().min(0).max(1000).default(SERVERS),
      'Number of servers, which kubectl scale and an autoscaler of your own write; must not be given with autoscaling.',
    ),
    autoscaling: told(autoscaling.optional(), 'Let the load decide the number of servers.', {
      ...rules({
        rule: 'self.minReplicas <= self.maxReplicas',
        message: 'server.autoscaling.minReplicas must not be more than maxReplicas',
        fieldPath: '.minReplicas',
      }),
    }),
    maxLag: told(
      z.int().min(0).max(1_000_000_000).optional(),
      'Key blocks behind the node above which a server takes no requests. Unless given, servers go on answering from ' +
        'what is stored when node or populator are away.',
    ),
    streamDrainMs: told(
      z.int().min(0).max(600_000).default(120_000),
      'Time that exports (CSV, NDJSON) and downloads from the node under way have when a server ends, in milliseconds.',
    ),
    service: told(service.prefault({}), 'The Service for HTTP and websockets.'),
    disruptionBudget: told(budget.prefault({}), 'How many servers may be away on purpose.'),
    ...podFields({ cpu: '100m', memory: '192Mi' }, '768Mi'),
  }),
  rules: rules({
    // With autoscaling the default is there all the same: the scale subresource must always find a number.
    rule: `!has(self.autoscaling) || self.replicas == ${SERVERS}`,
    message: 'server.replicas and server.autoscaling exclude each other: remove one of them',
    reason: 'FieldValueForbidden',
    fieldPath: '.replicas',
  }),
};

export const websocket = z.object({
  maxConnections: told(
    z.int().min(0).max(1_000_000).default(10_000),
    'Most connections for events of one server; 0 for no limit.',
  ),
  maxPerAddress: told(
    z.int().min(0).max(1_000_000).default(0),
    'Most of them from one address; 0 for no limit, as behind a proxy, whose address all clients have.',
  ),
  maxTargets: told(z.int().min(1).max(1_000_000).default(10_000), 'Most object subscriptions of one connection.'),
  greeting: told(
    z.string().min(1).max(256).optional(),
    'First frame of each websocket, for clients that wait for the word connected.',
  ),
  drainMs: told(
    z.int().min(0).max(600_000).default(5000),
    'Time over which connections are closed when a server ends, in milliseconds.',
  ),
});
