import { stringify } from 'yaml';
import { z } from 'zod';
import { API_VERSION, GROUP, KIND, PLURAL, SERVED_VERSIONS, VERSION } from './group.js';
import { structural } from './structural.js';
import { specSchema } from './spec.js';
import type { MiddlewareSpecInput } from './spec.js';
import { statusSchema } from './status.js';

/** Max length of a resource's name: the names of its children contain it, and may have 63 characters. */
const MAX_NAME = 40;

const column = (name: string, type: string, jsonPath: string, description: string, priority = 0) => ({
  name,
  type,
  jsonPath,
  description,
  ...(priority > 0 && { priority }),
});

/** What `kubectl get` shows; the last ones with `-o wide`. */
const COLUMNS = [
  column('Phase', 'string', '.status.phase', 'Where the resource is'),
  column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status', 'Whether clients are served'),
  column('Height', 'integer', '.status.height', 'Top key block in the database'),
  column('Lag', 'integer', '.status.lag', 'Key blocks behind the node; empty when nobody knows'),
  column('Seen', 'date', '.status.nodeSeenAt', 'Time since the lag was known last; empty while it is known'),
  column('Color', 'string', '.status.activeColor', 'Copy that serves'),
  column('Servers', 'string', '.status.servers', 'Ready servers of those wanted'),
  column('Image', 'string', '.status.image', 'Image that the servers run', 1),
  column('Outdated', 'string', '.status.conditions[?(@.type=="Outdated")].status', 'Whether an upgrade is due', 1),
  column(
    'Verified',
    'string',
    '.status.conditions[?(@.type=="Verified")].status',
    'Whether everything that was verified follows from the chain',
    1,
  ),
  column('Reason', 'string', '.status.conditions[?(@.type=="Ready")].reason', 'Why it is ready or not', 1),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since the resource was made'),
];

const NAME_RULES = [
  {
    rule: `size(self.metadata.name) <= ${MAX_NAME}`,
    message: `metadata.name may have ${MAX_NAME} characters at most`,
  },
  {
    rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message: 'metadata.name must begin with a small letter and hold small letters, digits and - only',
  },
];

/** The CustomResourceDefinition, as the API server stores it. */
export function customResourceDefinition() {
  const spec = structural(z.toJSONSchema(specSchema, { target: 'openapi-3.0', io: 'input', reused: 'inline' }));
  const status = structural(z.toJSONSchema(statusSchema, { target: 'openapi-3.0', io: 'input', reused: 'inline' }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${PLURAL}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        kind: KIND,
        listKind: `${KIND}List`,
        plural: PLURAL,
        singular: 'middleware',
        shortNames: ['mdw'],
        categories: ['all'],
      },
      versions: SERVED_VERSIONS.map((name) => ({
        name,
        served: true,
        storage: name === VERSION,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.server.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: COLUMNS,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A middleware for one chain: its database schema, its populator and its servers.',
            required: ['spec'],
            properties: {
              apiVersion: { type: 'string', description: 'Group and version of the resource.' },
              kind: { type: 'string', description: 'Kind of the resource.' },
              metadata: { type: 'object' },
              spec,
              status,
            },
            'x-kubernetes-validations': NAME_RULES,
          },
        },
      })),
    },
  };
}

/** The smallest useful resource. */
export const sample = {
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: { name: 'sample' },
  spec: {
    node: { urls: ['http://node:3013'] },
    database: { secret: { name: 'sample-db' } },
  } satisfies MiddlewareSpecInput,
};

/** The value as YAML. Texts such as `off`, which YAML 1.1 (kubectl) reads as a boolean, are quoted. */
export const asYaml = (value: unknown): string =>
  stringify(value, { version: '1.1', lineWidth: 120, aliasDuplicateObjects: false });
