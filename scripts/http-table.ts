import { createOpenApi } from '../src/api/descriptions/openapi.js';
import { endpoints } from '../src/api/endpoints.js';
import type { Endpoint } from '../src/api/endpoint.js';

/** The table of endpoints in `docs/http.md`. `types` is the text of `types/api.d.ts`, to whose lines the table links. */
export function httpTable(types: string): string {
  const lines = types.split('\n');
  const rows = endpoints.map((endpoint) => {
    const { source, test, plan } = endpoint.evidence;
    const line = lines.findIndex((text) => text === `    ${endpoint.operationId}: {`) + 1;
    return [
      `\`${endpoint.method.toUpperCase()} ${endpoint.path}\``,
      `[${shape(endpoint)}](../types/api.d.ts#L${line})`,
      source,
      `[${test}](../test/${test}.test.ts)`,
      plan ?? '—',
    ].join(' | ');
  });
  return [
    '| Endpoint | Answer | Confirmed by | Test | Plan checked |',
    '|---|---|---|---|---|',
    ...rows.map((text) => `| ${text} |`),
  ].join('\n');
}

interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

function shape({ path, method, mediaType = 'application/json' }: Endpoint): string {
  const { paths } = createOpenApi(endpoints) as unknown as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: Schema }> }> }>
    >;
  };
  return mediaType === 'application/json'
    ? named(paths[path]![method]!.responses['200']!.content[mediaType]!.schema)
    : mediaType;
}

function named({ $ref, type, items, anyOf, properties }: Schema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (type === 'array') return `${named(items ?? {})}[]`;
  if (anyOf !== undefined) return anyOf.map(named).join(' or ');
  return properties === undefined ? (type ?? 'any') : `{${Object.keys(properties).join(', ')}}`;
}
