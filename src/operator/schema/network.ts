import { z } from 'zod';
import {
  annotations,
  anyKeys,
  described,
  duration,
  labels,
  objectName,
  passedThrough,
  rules,
  matching,
} from './parts.js';

const path = () => matching(/^\//, 'must be a path such as /websocket, with / at its beginning').max(256);

const host = () =>
  matching(
    /^(\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
    'must be a host such as chain.example.com, in small letters, without scheme, port and path',
  ).max(253);

const paths = {
  path: described(path().default('/'), 'Path under which HTTP is served.'),
  websocketPath: described(path().default('/websocket'), 'Path of the websocket.'),
};

const differentPaths = (field: string) => ({
  rule: 'self.path != self.websocketPath',
  message: `${field}.websocketPath must differ from ${field}.path`,
  fieldPath: '.websocketPath',
});

export const ingress = z
  .object({
    className: described(objectName().optional(), 'Class of the Ingress; the default one unless given.'),
    host: described(host(), 'Host under which clients reach HTTP and websockets.'),
    ...paths,
    compatibleHost: described(
      host().optional(),
      'A second host, whose root is the compatible API with its websocket, for clients that are set up with a bare host; the certificate of tls must name it, too.',
    ),
    tls: described(
      z.object({ secretName: described(objectName(), 'Secret with certificate and key.') }).optional(),
      'Encryption; none unless given.',
    ),
    annotations: described(annotations().optional(), 'Further annotations of the Ingress.'),
  })
  .meta(
    rules(differentPaths('ingress'), {
      rule: '!has(self.compatibleHost) || self.compatibleHost != self.host',
      message: 'ingress.compatibleHost must differ from ingress.host',
      fieldPath: '.compatibleHost',
    }),
  );

export const httpRoute = z
  .object({
    parentRefs: described(
      z
        .array(described(passedThrough(), 'A Gateway, as in an HTTPRoute.', anyKeys))
        .min(1)
        .max(16),
      'Gateways that the route is of, as in an HTTPRoute.',
    ),
    hostnames: described(
      z.array(described(host(), 'A host.')).max(16).optional(),
      'Hosts under which clients reach HTTP and websockets; those of the Gateways unless given.',
    ),
    ...paths,
    compatibleHostnames: described(
      z.array(described(host(), 'A host.')).min(1).max(16).optional(),
      'Further hosts, whose root is the compatible API with its websocket, for clients that are set up with a bare host; they get a route of their own.',
    ),
    annotations: described(annotations().optional(), 'Further annotations of the HTTPRoute.'),
  })
  .meta(rules(differentPaths('httpRoute')));

const peers = (what: string) =>
  described(
    z
      .array(described(passedThrough(), 'A peer, as in a NetworkPolicy.', anyKeys))
      .max(64)
      .optional(),
    `${what} Peers as in a NetworkPolicy.`,
  );

export const networkPolicy = z.object({
  enabled: described(
    z.boolean().default(false),
    'Make a NetworkPolicy: only the ports of the pods, and only the ports of node, compiler, database and DNS. Most networks judge by the port of the pod behind a Service: name it in egress where it is another one.',
  ),
  clients: peers('Who may reach HTTP and websockets; everybody unless given.'),
  monitors: peers('Who may reach metrics and health, besides the operator; every pod of the cluster unless given.'),
  egress: described(
    z
      .array(described(passedThrough(), 'An egress rule, as in a NetworkPolicy.', anyKeys))
      .max(64)
      .optional(),
    'Further connections that the pods may open.',
  ),
});

export const monitoring = z.object({
  enabled: described(z.boolean().default(true), 'Make the objects when their kinds are there.'),
  kind: described(
    z.enum(['ServiceMonitor', 'PodMonitor']).default('ServiceMonitor'),
    'How Prometheus finds the metrics.',
  ),
  interval: described(duration().default('30s'), 'Pause between two readings.'),
  labels: described(labels().optional(), 'Further labels of the objects, by which a Prometheus selects them.'),
  rules: described(z.boolean().default(true), 'Make a PrometheusRule with alerts for this resource.'),
  runbookBase: described(
    matching(/^https?:\/\/[^\s"\\{}]+\/$/, 'must be an address with a slash at the end, such as https://docs.example/')
      .max(2048)
      .optional(),
    'Address before docs/runbooks/… in the links of these alerts; that of the operator unless given. Without both they have no links.',
  ),
});
