type Schema = Record<string, unknown>;

/** JSON Schema keywords that a structural schema of Kubernetes must not have. */
const DROPPED = new Set(['$schema', 'additionalProperties', 'propertyNames', 'anyOf', 'id']);
/** The largest exact integers of JSON. zod adds them to every integer, so they mean that there is no limit. */
const NO_BOUND = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * Converts a schema made by zod into the structural form that the API server accepts. Throws if that is not possible, so
 * that no field silently loses its check.
 */
export function structural(schema: unknown, path = '', description?: unknown): Schema {
  const from = schema as Schema;
  const to: Schema = {};
  for (const [key, value] of Object.entries(from)) {
    if (DROPPED.has(key)) continue;
    if ((key === 'minimum' || key === 'maximum') && NO_BOUND.has(value as number)) continue;
    if (key === 'properties') to[key] = eachOf(value as Schema, path);
    else if (key === 'items') to[key] = structural(value, `${path}[]`);
    else to[key] = value;
  }
  if (from['type'] === 'object' && from['properties'] === undefined) {
    if (from['x-kubernetes-preserve-unknown-fields'] !== true) {
      to['additionalProperties'] = structural(from['additionalProperties'], `${path}{}`);
    }
  }
  if (from['type'] === 'integer') to['format'] = 'int64';
  if (from['anyOf'] !== undefined) {
    const types = (from['anyOf'] as Schema[]).map(({ type }) => type);
    if (String(types) !== 'string,number') throw new Error(`${path || 'the root'} is a union of ${String(types)}`);
    to['x-kubernetes-int-or-string'] = true;
    to['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
  }
  for (const key of ['$ref', 'allOf', 'oneOf', 'not']) {
    if (key in from) throw new Error(`${path || 'the root'} has ${key}, which is not structural`);
  }
  if (description !== undefined) to['description'] ??= description;
  return to;
}

const eachOf = (properties: Schema, path: string): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      structural(schema, path === '' ? name : `${path}.${name}`),
    ]),
  );
