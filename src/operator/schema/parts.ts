import { z } from 'zod';

/** Rules in the Common Expression Language, as the API server evaluates them on write. */
interface Rule {
  rule: string;
  message: string;
  /** Where in the value the message points to, for example `.replicas`. */
  fieldPath?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired';
}

/** Adds a description to a field; `extra` is copied unchanged into its schema. */
export const described = <S extends z.ZodType>(
  schema: S,
  description: string,
  extra: Record<string, unknown> = {},
): S => schema.meta({ description, ...extra });

export const rules = (...list: Rule[]) => ({ 'x-kubernetes-validations': list });

/** A Kubernetes object that is copied unchanged into children. The API server checks it when the children are written. */
export const passedThrough = () => z.record(z.string(), z.unknown());
export const anyKeys = { 'x-kubernetes-preserve-unknown-fields': true };

/** A text that matches `form`. The message says what is allowed; for a pattern, the API server would show the pattern itself. */
export const matching = (form: RegExp, message: string, ...more: Rule[]) =>
  z
    .string()
    .refine((text) => form.test(text), message)
    .meta(rules({ rule: isOfForm(form), message }, ...more));

/** The same check as a rule of the API server. */
export const isOfForm = (form: RegExp): string => `self.matches(${JSON.stringify(form.source)})`;

const DURATION = /^([0-9]{1,6}h([0-9]{1,6}m)?([0-9]{1,6}s)?|[0-9]{1,6}m([0-9]{1,6}s)?|[0-9]{1,6}s)$/;

/** A duration such as `90s`, `15m`, `1h30m`. */
export const duration = () =>
  matching(DURATION, 'must be a time such as 90s, 15m or 1h30m: hours, minutes and seconds, in this order').max(20);

/** Milliseconds of a duration text. */
export function durationMs(text: string): number {
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
}

/** Name of an object in the namespace of the resource. */
export const objectName = () =>
  matching(
    /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
    'must be the name of an object such as chain-db: small letters, digits, - and ., with a letter or digit at both ends',
  ).max(253);

export const imageName = () =>
  matching(/^\S+$/, 'must be an image such as registry.example/team/chain-middleware:1.0.0, without blanks').max(512);

export const texts = () => z.record(z.string(), z.string());

const LABEL_NAME = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const keyRule = {
  rule: `self.all(key, key.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?${LABEL_NAME}$'))`,
  message:
    'each key must be a name of up to 63 letters, digits, -, _ and . that begins and ends with a letter or digit, ' +
    'such as team or example.com/team',
};
const valueRule = {
  rule: `self.all(key, self[key].matches('^(${LABEL_NAME})?$'))`,
  message: 'each value must be up to 63 letters, digits, -, _ and ., and begin and end with a letter or digit',
};

/** Labels of objects, or labels that select machines. */
export const labels = () =>
  z.record(z.string(), z.string().max(63)).meta({ maxProperties: 64, ...rules(keyRule, valueRule) });
export const annotations = () => texts().meta({ maxProperties: 64, ...rules(keyRule) });

const QUANTITY = 'must be a number with a unit such as 500m, 2, 512Mi or 1G; GB and MB are no units';

export const quantity = () => z.union([z.string(), z.number()]).meta({ maxLength: 32 });

export const isQuantity = rules({ rule: 'isQuantity(string(self))', message: QUANTITY });

export const quantities = () =>
  z.record(z.string(), quantity()).meta({
    maxProperties: 16,
    ...rules({ rule: 'self.all(name, isQuantity(string(self[name])))', message: `each ${QUANTITY}` }),
  });

export const secretKey = (what: string, key: string) =>
  z.object({
    name: described(objectName(), `Name of the Secret that holds ${what}, in the namespace of the resource.`),
    key: described(z.string().min(1).max(253).default(key), 'Key in the Secret.'),
  });

/** The certificates of an authority (CA) that must have signed the certificate of the other side. */
export const authority = () => {
  const key = described(z.string().min(1).max(253).default('ca.crt'), 'Key of the certificates.');
  return z
    .object({
      secret: described(z.object({ name: described(objectName(), 'Name of a Secret.'), key }).optional(), 'A Secret.'),
      configMap: described(
        z.object({ name: described(objectName(), 'Name of a ConfigMap.'), key }).optional(),
        'A ConfigMap.',
      ),
    })
    .meta(
      rules({
        rule: 'has(self.secret) != has(self.configMap)',
        message: 'ca needs exactly one of secret and configMap',
      }),
    );
};
