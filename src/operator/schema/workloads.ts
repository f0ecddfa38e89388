import { z } from 'zod';
import { PORT } from '../../config/ports.js';
import { settings } from '../../config/settings.js';
import { annotations, anyKeys, described, duration, matching, objectName, passedThrough, rules } from './parts.js';
import { podFields } from './pod-fields.js';
import { choiceField, depthField, helpOf, integerField, optionalIntegerField } from './setting-fields.js';

export const migration = z.object({
  timeout: described(duration().default('30m'), 'Time one attempt has, for example 30m.'),
  ...podFields({ cpu: '50m', memory: '128Mi' }, '512Mi'),
});

export const network = z.object({
  id: described(
    matching(/^[!-~]+$/, 'must be the id of a network, such as ae_mainnet: characters without blanks')
      .max(64)
      .optional(),
    helpOf(settings.networkId),
  ),
  blockTime: described(
    duration().optional(),
    'Time between key blocks, for example 3s; 3m unless given. The limits of the head and the alerts follow from it.',
  ),
  genesisAccounts: described(
    z
      .object({
        name: described(objectName(), 'Name of the ConfigMap, in the namespace of the resource.'),
        key: described(z.string().min(1).max(253).default('accounts.json'), 'Key in the ConfigMap.'),
      })
      .optional(),
    `ConfigMap with the ${helpOf(settings.genesisAccountsFile)
      .replace(/^File with the /, '')
      .replace(/\.$/, '')}. A populator reads it when it starts.`,
  ),
});

export const head = z.object({
  maxLag: described(
    z.int().min(0).max(1_000_000_000).optional(),
    'Key blocks behind the node above which the conditions say so: Populated is False, and Degraded is True. Unless given, as many as come in 15 minutes by network.blockTime, at least 5.',
  ),
  maxAge: described(
    duration().optional(),
    'Max age of the newest key block in the database; Degraded is True when it is older. Unless given, ten times network.blockTime, at least 2m: 30m on the main network. For a chain that has stopped, set more than its age.',
  ),
});

export const populator = z.object({
  enabled: described(
    z.boolean().default(true),
    'Load and follow the chain; false when somebody else does so for this database.',
  ),
  pollIntervalMs: integerField(settings.pollIntervalMs),
  nodeConcurrency: integerField(settings.nodeConcurrency),
  proof: choiceField(settings.proof),
  powEdgeBits: optionalIntegerField(settings.powEdgeBits),
  powIntervalMs: optionalIntegerField(settings.powIntervalMs),
  maxUnprovenReorg: depthField(settings.maxUnprovenReorg),
  tokenDryRuns: choiceField(settings.tokenDryRuns),
  ...podFields({ cpu: '200m', memory: '256Mi' }, '1Gi'),
});

const autoscaling = z.object({
  minReplicas: described(z.int().min(1).max(1000).default(2), 'Min servers.'),
  maxReplicas: described(z.int().min(1).max(1000), 'Max servers.'),
  targetCPUUtilization: described(
    z.int().min(1).max(1000).optional(),
    'Average use of the requested CPU to aim at, in percent; 70 when no other target is given.',
  ),
  targetRequestsPerSecond: described(
    z.int().min(1).max(1_000_000).optional(),
    'Requests per second and server to aim at; needs an adapter that serves the metric mdw_http_requests_per_second.',
  ),
  behavior: described(
    passedThrough().optional(),
    'How fast servers are added and removed, as in a HorizontalPodAutoscaler.',
    anyKeys,
  ),
});

const service = z.object({
  type: described(z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP'), 'Type of the Service.'),
  annotations: described(annotations().optional(), 'Further annotations of the Service.'),
});

const budget = z.object({
  enabled: described(z.boolean().default(true), 'Make a PodDisruptionBudget when there is more than one server.'),
  maxUnavailable: described(z.int().min(1).max(1000).default(1), 'Max servers that a drain may take away at a time.'),
});

/** Default number of servers. */
const SERVERS = 2;

export const server = {
  schema: z.object({
    replicas: described(
      z.int().min(0).max(1000).default(SERVERS),
      'Number of servers, which kubectl scale and an autoscaler of your own write; must not be given with autoscaling.',
    ),
    autoscaling: described(autoscaling.optional(), 'Let the load decide the number of servers.', {
      ...rules({
        rule: 'self.minReplicas <= self.maxReplicas',
        message: 'server.autoscaling.minReplicas must not be more than maxReplicas',
        fieldPath: '.minReplicas',
      }),
    }),
    maxLag: described(
      z.int().min(0).max(1_000_000_000).optional(),
      'Key blocks behind the node above which a server takes no requests. Unless given, servers answer from what is ' +
        'stored also when node or populator are away.',
    ),
    firstLoad: described(
      z.enum(['Serve', 'Wait']).default('Wait'),
      'What servers do until the chain is loaded for the first time: Wait takes no requests; Serve answers from what is loaded, and forwards to the node what it can.',
    ),
    streamDrainMs: integerField(settings.streamDrainMs),
    compatibleApi: described(
      z.boolean().default(false),
      `Serve the compatible API also at the root of port ${PORT.compat} of the Service. Below /mdw it is served in any case; a host for it in ingress or httpRoute means true.`,
    ),
    service: described(service.prefault({}), 'The Service for HTTP and websockets.'),
    disruptionBudget: described(budget.prefault({}), 'How many servers may be away on purpose.'),
    ...podFields({ cpu: '100m', memory: '192Mi' }, '768Mi'),
  }),
  rules: rules({
    // The default is also set with autoscaling, because the scale subresource always needs a number.
    rule: `!has(self.autoscaling) || self.replicas == ${SERVERS}`,
    message: 'server.replicas and server.autoscaling exclude each other: remove one of them',
    reason: 'FieldValueForbidden',
    fieldPath: '.replicas',
  }),
};

export const websocket = z.object({
  maxConnections: integerField(settings.websocketMaxConnections),
  maxPerAddress: integerField(settings.websocketMaxPerAddress),
  maxTargets: integerField(settings.websocketMaxTargets),
  greeting: described(z.string().min(1).max(256).optional(), helpOf(settings.websocketGreeting)),
  drainMs: integerField(settings.websocketDrainMs),
});
