import type { Document } from './openapi.js';

type Node = { [member: string]: unknown };

const PARAMETER = {
  in: 'query',
  name: 'int-as-string',
  required: true,
  description: 'Every integer of the answer is text.',
  schema: { type: 'boolean', const: true },
};

/** The description of the API under `/middleware` for requests with `int-as-string=true`. */
export function withIntegersAsText({ openapi, info, servers, security, tags, paths, components }: Document): Node {
  const own = Object.entries(paths ?? {}).filter(([path]) => path.startsWith('/middleware/'));
  return withoutUnused({
    openapi,
    info,
    servers,
    security,
    tags,
    paths: Object.fromEntries(
      own.map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations as Record<string, Node>).map(([method, operation]) => [
            method,
            {
              ...operation,
              parameters: [...((operation['parameters'] ?? []) as Node[]), PARAMETER],
              responses: { ...(operation['responses'] as Node), 200: asText((operation['responses'] as Node)['200']) },
            },
          ]),
        ),
      ]),
    ),
    components: { ...components, schemas: asText(components?.schemas) },
  });
}

/** Removes components that nothing refers to, and then those that only a removed one referred to. */
function withoutUnused(document: Node): Node {
  const text = JSON.stringify(document);
  const components = Object.entries(document['components'] as Record<string, Node>).map(([kind, parts]) => [
    kind,
    Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`))),
  ]);
  const rest = { ...document, components: Object.fromEntries(components) as Node };
  return JSON.stringify(rest).length === text.length ? rest : withoutUnused(rest);
}

/** Replaces integers by text in schemas, and drops examples, which show integers. Headers are not changed. */
function asText(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asText);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, minimum, format, example, headers, ...others } = schema as Node;
  const rest = Object.fromEntries(Object.entries(others).map(([member, value]) => [member, asText(value)]));
  return {
    ...rest,
    ...(headers !== undefined && { headers }),
    ...([type].flat().includes('integer')
      ? {
          type: Array.isArray(type) ? ['string', 'null'] : 'string',
          pattern: minimum === 0 ? '^[0-9]+$' : '^-?[0-9]+$',
        }
      : {
          ...(type !== undefined && { type: asText(type) }),
          ...(minimum !== undefined && { minimum }),
          ...(format !== undefined && { format }),
        }),
  };
}
