import { z } from 'zod';
import { database } from './database.js';
import { ingress, monitoring, networkPolicy } from './network.js';
import { reload, retention, verification } from './reload.js';
import { migration, populator, server, websocket } from './workloads.js';
import { objectName, rules, texts, told } from './parts.js';

const url = () =>
  z
    .string()
    .regex(/^https?:\/\/[^\s,?#]+$/)
    .max(2048);

const node = z.object({
  urls: told(
    z.array(told(url(), 'External interface of a node, without /v2, for example http://node:3013.')).min(1).max(16),
    'Nodes of one network; one is followed, the others take its place when it fails.',
    { 'x-kubernetes-list-type': 'set' },
  ),
  internalUrl: told(url().optional(), 'Internal interface of a node; when given, /v2/debug is forwarded there.'),
  api: told(z.enum(['auto', 'v2', 'v3']).default('auto'), 'Paths the nodes answer under; auto finds out.'),
  timeoutMs: told(z.int().min(100).max(600_000).default(10_000), 'Time a node has for one answer, in milliseconds.'),
});

const compiler = z.object({
  urls: told(
    z.array(told(url(), 'Address of a compiler service, for example http://compiler:3080.')).min(1).max(16),
    'Compiler services; they decode contract calls that the bytecode alone does not tell.',
    { 'x-kubernetes-list-type': 'set' },
  ),
});

/** Settings that the operator itself gives the pods. */
const MANAGED = [
  ...['NODE_URL', 'NODE_API', 'NODE_TIMEOUT_MS', 'NODE_INTERNAL_URL', 'COMPILER_URL', 'AESOPHIA_URL'],
  ...['DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_SCHEMA', 'HTTP_ADDRESS', 'METRICS_ADDRESS', 'WEBSOCKET_ADDRESS'],
  ...['PID_FILE', 'LOG_DIR', 'LOG_LEVEL', 'TERMINATION_LOG', 'PROGRESS_ADDRESS'],
];
const managedList = `[${MANAGED.map((name) => `'${name}'`).join(', ')}]`;

/** What a user asks for. */
export const specSchema = z
  .object({
    image: told(
      z.string().min(1).max(512).optional(),
      'Image of the middleware; the one the operator was released with unless given.',
    ),
    imagePullPolicy: told(z.enum(['Always', 'IfNotPresent', 'Never']).optional(), 'When the image is pulled.'),
    imagePullSecrets: told(
      z
        .array(z.object({ name: told(objectName(), 'Name of a Secret.') }).meta({ description: 'A Secret.' }))
        .optional(),
      'Secrets for the registry of the image.',
    ),
    node: told(node, 'The chain: nodes that are followed and forwarded to.'),
    compiler: told(compiler.optional(), 'Compiler services; none unless given.'),
    database: told(
      database.schema,
      'The PostgreSQL database that holds the chain. What tells which one it is cannot be changed.',
      database.rules,
    ),
    migration: told(migration.prefault({}), 'The Job that brings the database schema up to date.'),
    populator: told(populator.prefault({}), 'The one process that loads the chain and follows it.'),
    server: told(server.schema.prefault({}), 'The processes that serve clients.', server.rules),
    websocket: told(websocket.prefault({}), 'Chain events pushed to clients.'),
    ingress: told(ingress.optional(), 'One host for HTTP and websockets, from outside the cluster; none unless given.'),
    networkPolicy: told(networkPolicy.prefault({}), 'Which connections the pods may have.'),
    monitoring: told(monitoring.prefault({}), 'Objects for the Prometheus operator, made when it knows their kinds.'),
    reload: told(reload.prefault({}), 'Loading the chain anew beside the copy that serves.'),
    verification: told(verification.prefault({}), 'Comparing the database with the chain from time to time.'),
    retention: told(retention.prefault({}), 'How long what is no longer needed is kept.'),
    paused: told(
      z.boolean().default(false),
      'The operator changes nothing while this is true; what runs goes on running.',
    ),
    labels: told(texts().optional(), 'Further labels of everything that is made for the resource.'),
    annotations: told(
      texts().optional(),
      'Further annotations of everything that is made for the resource, pods included.',
    ),
    logLevel: told(
      z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
      'Least important log lines that the pods write.',
    ),
    settings: told(
      texts().optional(),
      'Further settings of the middleware by their variable, for example LIMIT_CAP: "1000".',
      {
        maxProperties: 64,
        ...rules(
          { rule: `self.all(name, name.matches('^[A-Z][A-Z0-9_]*$'))`, message: 'settings are named in capitals' },
          {
            rule: `!self.exists(name, name in ${managedList})`,
            message: `settings must not hold ${MANAGED.join(', ')}: they have fields of their own`,
          },
        ),
      },
    ),
  })
  .meta({ description: 'What is wanted.' });

export type MiddlewareSpec = z.output<typeof specSchema>;
export type MiddlewareSpecInput = z.input<typeof specSchema>;
