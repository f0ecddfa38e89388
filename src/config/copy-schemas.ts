const GREEN = '_green';

/** Schema of the second copy of a resource, which a reload loads beside the first one. */
export const greenSchema = (schema: string): string => `${schema}${GREEN}`;

/** Schema of the other copy. */
export const otherSchema = (schema: string): string =>
  schema.endsWith(GREEN) ? schema.slice(0, -GREEN.length) : greenSchema(schema);
