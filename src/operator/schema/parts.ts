import { z } from 'zod';

/** Rules in the Common Expression Language, as the API server evaluates them on write. */
interface Rule {
  rule: string;
  message: string;
  /** Where in the value the message points to, for example `.replicas`. */
  fieldPath?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired';
}

/** Describes a field; `extra` goes into its schema as it is. */
export const described = <S extends z.ZodType>(
  schema: S,
  description: string,
  extra: Record<string, unknown> = {},
): S => schema.meta({ description, ...extra });

export const rules = (...list: Rule[]) => ({ 'x-kubernetes-validations': list });

/** An object of Kubernetes that is handed on unchanged to the pods; the API server checks it when the pods are made. */
export const passedOn = () => z.record(z.string(), z.unknown());
export const anyKeys = { 'x-kubernetes-preserve-unknown-fields': true };

/** `90s`, `15m`, `1h30m` */
export const duration = () =>
  z
    .string()
    .regex(/^([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$/)
    .min(2)
    .max(20);

/** Milliseconds of a text that `duration` allows. */
export function durationMs(text: string): number {
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
}

/** Name of an object in the namespace of the resource. */
export const objectName = () =>
  z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
    .max(253);

export const texts = () => z.record(z.string(), z.string());

export const quantity = () => z.union([z.string(), z.number()]);

export const secretKey = (what: string, key: string) =>
  z.object({
    name: described(objectName(), `Name of the Secret that holds ${what}, in the namespace of the resource.`),
    key: described(z.string().min(1).max(253).default(key), 'Key in the Secret.'),
  });

const resources = z.object({
  requests: described(z.record(z.string(), quantity()).optional(), 'What a container is sure to get, by resource.'),
  limits: described(z.record(z.string(), quantity()).optional(), 'What a container may use as a maximum, by resource.'),
});

/** Settings of the pods of a component. `requests` are the defaults measured for it. */
export const podFields = (requests: { cpu: string; memory: string }, limit: string) => ({
  resources: described(
    resources.prefault({ requests, limits: { memory: limit } }),
    'Requests and limits of the container; giving one replaces the defaults of all.',
  ),
  nodeSelector: described(texts().optional(), 'Labels that a machine must have for the pods to run there.'),
  tolerations: described(
    z
      .array(described(passedOn(), 'A toleration, as in a pod.', anyKeys))
      .max(64)
      .optional(),
    'Taints of machines that the pods bear.',
  ),
  affinity: described(passedOn().optional(), 'Affinity, as in a pod; replaces the default.', anyKeys),
  topologySpreadConstraints: described(
    z
      .array(described(passedOn(), 'A constraint, as in a pod.', anyKeys))
      .max(16)
      .optional(),
    'How the pods spread; replaces the default, which spreads servers over machines and zones where it can.',
  ),
  priorityClassName: described(objectName().optional(), 'Priority class of the pods.'),
  podLabels: described(texts().optional(), 'Further labels of the pods of this component.'),
  podAnnotations: described(texts().optional(), 'Further annotations of the pods of this component.'),
});
