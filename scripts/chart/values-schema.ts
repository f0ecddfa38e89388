import { RESERVED_SCHEMA } from '../../src/config/checks.js';
import { customResourceDefinition } from '../../src/operator/schema/crd.js';

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'object', additionalProperties: text };
const count = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
/** A value that is copied unchanged into Kubernetes objects. Kubernetes checks it. */
const passedThrough: Schema = { type: 'object' };
const list = (items: Schema): Schema => ({ type: 'array', items });
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 };
/** An item of a list that is separated by commas. */
const word: Schema = { type: 'string', pattern: '^[^,\\s]+$' };
const duration: Schema = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };

/** An object with these keys and no others. All but `required` may be omitted. */
const only = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

const resources = only({
  requests: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  limits: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  claims: list(passedThrough),
});

/** The JSON Schema of values.yaml. The part for Middleware resources comes from their CRD. */
export function valuesSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart chain-middleware',
    ...only({
      nameOverride: text,
      fullnameOverride: text,
      commonLabels: texts,
      image: only({
        repository: { type: 'string', minLength: 1 },
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: list(name),
      }),
      crds: only({ install: flag, keep: flag }),
      operator: only({
        replicas: count(0, 9),
        namespaces: { ...list(name), uniqueItems: true },
        concurrency: count(1, 64),
        logLevel: { enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] },
        resources,
        nodeSelector: texts,
        tolerations: list(passedThrough),
        affinity: passedThrough,
        priorityClassName: text,
        podLabels: texts,
        podAnnotations: texts,
        env: list(passedThrough),
        terminationGracePeriodSeconds: count(1, 600),
      }),
      allowed: only({
        ingressAnnotations: list(word),
        serviceTypes: list({ enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }),
        images: list(word),
        ingressClasses: list(name),
        gateways: list({ type: 'string', pattern: '^[a-z0-9][-a-z0-9]*/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' }),
        storageClasses: list(name),
      }),
      trial: only({ enabled: flag }),
      serviceAccount: only({ create: flag, name: text, annotations: texts }),
      rbac: only({ create: flag, aggregate: flag }),
      networkPolicy: only({ enabled: flag, apiServerPorts: list(count(1, 65_535)), monitors: list(passedThrough) }),
      podDisruptionBudget: only({ enabled: flag }),
      metrics: only({ serviceMonitor: only({ enabled: flag, interval: duration, labels: texts }) }),
      alerts: only({ enabled: flag, middlewares: flag, runbookBase: text, labels: texts }),
      dashboards: only({ enabled: flag, labels: texts, annotations: texts }),
      middlewares: list(
        only({ name, namespace: name, labels: texts, annotations: texts, spec: middlewareSpec() }, 'name', 'spec'),
      ),
      test: only({ timeoutSeconds: count(1, 3600) }),
      global: { type: 'object', description: 'Values that Helm hands to all charts; none is used.' },
    }),
  };
}

function middlewareSpec(): Schema {
  const [version] = customResourceDefinition().spec.versions;
  const spec = strict(version!.schema.openAPIV3Schema.properties.spec);
  // In the CRD this check is a rule with its own message, which is not converted.
  Object.assign(at(spec, 'database', 'schema'), { not: { pattern: RESERVED_SCHEMA } });
  return spec;
}

const at = (schema: Schema, ...fields: string[]): Schema =>
  fields.reduce((of, field) => (of['properties'] as Record<string, Schema>)[field]!, schema);

/** Converts a Kubernetes schema to JSON Schema that refuses unknown fields, which Kubernetes would drop. */
function strict(schema: unknown): Schema {
  const from = schema as Schema;
  const open = from['x-kubernetes-preserve-unknown-fields'] === true;
  const to: Schema = {};
  for (const [key, value] of Object.entries(from)) {
    if (key === 'x-kubernetes-validations') Object.assign(to, patternOf(value as { rule: string }[]));
    if (key.startsWith('x-kubernetes-') || key === 'default' || (key === 'format' && value === 'int64')) continue;
    if (key === 'properties') {
      to[key] = Object.fromEntries(Object.entries(value as Schema).map(([field, of]) => [field, strict(of)]));
    } else if (key === 'items') to[key] = strict(value);
    else if (key === 'additionalProperties' && typeof value === 'object') to[key] = strict(value);
    else to[key] = value;
  }
  if (from['type'] === 'object' && from['additionalProperties'] === undefined && !open) {
    to['additionalProperties'] = false;
  }
  return to;
}

/** The pattern of a text. The CRD has it as a rule, so that the API server shows a message instead of the pattern. */
function patternOf(rules: readonly { rule: string }[]): Schema {
  const [, form] =
    rules.map(({ rule }) => /^self\.matches\((".*")\)$/.exec(rule)).find((match) => match !== null) ?? [];
  return form === undefined ? {} : { pattern: JSON.parse(form) as string };
}
