import { z } from 'zod';
import { settings } from '../../config/settings.js';
import { database } from './database.js';
import { httpRoute, ingress, monitoring, networkPolicy } from './network.js';
import { reload, retention, verification } from './reload.js';
import { head, migration, network, populator, server, websocket } from './workloads.js';
import { choiceField, helpOf, integerField } from './setting-fields.js';
import { FIELDS, MANAGED } from './settings.js';
import {
  annotations,
  authority,
  described,
  imageName,
  labels,
  objectName,
  rules,
  secretKey,
  texts,
  matching,
} from './parts.js';

const URL_FORM = /^https?:\/\/[^\s,?#/\\][^\s,?#\\]*$/;
const URL_MESSAGE = 'must be an address such as http://node:3013: http or https, without blanks, commas, ? and #';
const URLS_FORM = new RegExp(`${URL_FORM.source.slice(0, -1)}(,${URL_FORM.source.slice(1, -1)})*$`);
const URLS_MESSAGE = `${URL_MESSAGE}; several are separated by commas`;
const url = () => matching(URL_FORM, URL_MESSAGE).max(2048);

const NODE_MESSAGE =
  'must be the address of a node without /v2 or /v3, such as http://node:3013: paths are added to it';
const nodeUrl = () => {
  const rule = `!self.matches('/v[23]/*$')`;
  return matching(URL_FORM, URL_MESSAGE, { rule, message: NODE_MESSAGE })
    .refine((text) => !/\/v[23]\/*$/.test(text), NODE_MESSAGE)
    .max(2048);
};

const node = z.object({
  urls: described(
    z
      .array(described(nodeUrl(), 'External interface of a node, without /v2, for example http://node:3013.'))
      .min(1)
      .max(16),
    'Nodes of one network; one is followed, the others take its place when it fails.',
    { 'x-kubernetes-list-type': 'set' },
  ),
  ca: described(
    authority().optional(),
    'Certificates (PEM) of the authorities that nodes under https must be signed by; the public ones unless given.',
  ),
  internalUrl: described(url().optional(), helpOf(settings.nodeInternalUrl)),
  rosettaUrl: described(matching(URLS_FORM, URLS_MESSAGE).max(2048).optional(), helpOf(settings.rosettaUrls)),
  rosettaSecret: described(
    secretKey('the URL of the Rosetta interface', 'url').optional(),
    'Secret that holds that URL, or several separated by commas, in place of rosettaUrl, if it has a user and a password. A populator reads it when it starts.',
  ),
  api: choiceField(settings.nodeApi),
  timeoutMs: integerField(settings.nodeTimeoutMs),
});

const compiler = z.object({
  urls: described(
    z.array(described(url(), 'Address of a compiler service, for example http://compiler:3080.')).min(1).max(16),
    'Compiler services; they decode contract calls that cannot be decoded from the bytecode alone.',
    { 'x-kubernetes-list-type': 'set' },
  ),
  ca: described(
    authority().optional(),
    'Certificates (PEM) of the authorities that compilers under https must be signed by; the public ones unless given.',
  ),
});

const managedList = `[${MANAGED.map((name) => `'${name}'`).join(', ')}]`;

/** What a user asks for. */
export const specSchema = z
  .object({
    image: described(
      imageName().optional(),
      'Image of the middleware; the one the operator was released with unless given.',
    ),
    upgrade: described(
      z.enum(['Auto', 'Manual']).default('Auto'),
      'When the pods get the image of a newer operator, where the resource names none: one resource after the other (Auto), or when an annotation says so (Manual), see the condition Outdated.',
    ),
    imagePullPolicy: described(z.enum(['Always', 'IfNotPresent', 'Never']).optional(), 'When the image is pulled.'),
    imagePullSecrets: described(
      z
        .array(z.object({ name: described(objectName(), 'Name of a Secret.') }).meta({ description: 'A Secret.' }))
        .max(16)
        .optional(),
      'Secrets for the registry of the image.',
    ),
    node: described(node, 'The chain: nodes that are followed and forwarded to.', {
      ...rules({
        rule: '!has(self.rosettaUrl) || !has(self.rosettaSecret)',
        message: 'node.rosettaUrl and node.rosettaSecret exclude each other: remove one of them',
        reason: 'FieldValueForbidden',
        fieldPath: '.rosettaUrl',
      }),
    }),
    compiler: described(compiler.optional(), 'Compiler services; none unless given.'),
    database: described(
      database.schema,
      'The PostgreSQL database that holds the chain. What identifies it cannot be changed.',
      database.rules,
    ),
    migration: described(migration.prefault({}), 'The Job that brings the database schema up to date.'),
    populator: described(populator.prefault({}), 'The one process that loads the chain and follows it.'),
    network: described(network.optional(), 'The network that is meant, and how fast its blocks come.'),
    head: described(head.prefault({}), 'How far the head of the database may be from that of the chain.'),
    server: described(server.schema.prefault({}), 'The processes that serve clients.', server.rules),
    websocket: described(websocket.prefault({}), 'Chain events pushed to clients.'),
    ingress: described(
      ingress.optional(),
      'One host for HTTP and websockets, from outside the cluster; none unless given.',
    ),
    httpRoute: described(httpRoute.optional(), 'The same by a Gateway of the Gateway API; none unless given.'),
    networkPolicy: described(networkPolicy.prefault({}), 'Which connections the pods may have.'),
    monitoring: described(
      monitoring.prefault({}),
      'Objects for the Prometheus operator, made when it knows their kinds.',
    ),
    acceptReorg: described(
      matching(
        /^kh_[1-9A-HJ-NP-Za-km-z]{38,60}$/,
        'must be the hash of a key block: kh_ and what follows it, as the condition ReorgHeld gives it',
      )
        .max(64)
        .optional(),
      'A key block of the reorg that is held back, see the condition ReorgHeld: its branch is accepted, once. Ignored while no such reorg is held back.',
    ),
    reload: described(reload.prefault({}), 'Loading the chain again beside the copy that serves.'),
    verification: described(verification.prefault({}), 'Comparing the database with the chain from time to time.'),
    retention: described(retention.prefault({}), 'How long what is no longer needed is kept.'),
    paused: described(
      z.boolean().default(false),
      'The operator changes nothing while this is true; running pods continue.',
    ),
    hibernated: described(
      z.boolean().default(false),
      'No servers and no populator run while this is true; the database and everything else stay, and Jobs of spec.reload still run.',
    ),
    labels: described(labels().optional(), 'Further labels of everything that is made for the resource.'),
    annotations: described(
      annotations().optional(),
      'Further annotations of everything that is made for the resource, pods included.',
    ),
    logLevel: choiceField(settings.logLevel),
    settings: described(
      texts().optional(),
      'Further settings of the middleware by their variable, for example LIMIT_CAP: "1000"; each wins over a field for the same.',
      {
        maxProperties: 64,
        ...rules(
          { rule: `self.all(name, name.matches('^[A-Z][A-Z0-9_]*$'))`, message: 'settings are named in capitals' },
          {
            rule: `!self.exists(name, name in ${managedList})`,
            message: `settings must not hold ${MANAGED.join(', ')}: they have fields of their own`,
          },
          ...Object.entries(FIELDS).map(([name, field]) => ({
            rule: `!('${name}' in self)`,
            message: `settings must not hold ${name}: use spec.${field}`,
          })),
        ),
      },
    ),
  })
  .meta({ description: 'The wanted state.' });

export type MiddlewareSpec = z.output<typeof specSchema>;
export type MiddlewareSpecInput = z.input<typeof specSchema>;
