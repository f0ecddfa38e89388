/** Parameters of a statement whose text depends on what is asked for. */

interface Parameters {
  values: unknown[];
  /** Of the values. */
  types: string[];
  /** Adds a value. Returns the expression for it. */
  add(value: unknown, type: string): string;
  /** The same for texts or numbers without commas: an expression for their array, which is one value, so that requests are joined. */
  addWords(all: readonly unknown[]): string;
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  const types: string[] = [];
  const add = (value: unknown, type: string): string => {
    types.push(type);
    return `$${values.push(value)}::${type}`;
  };
  return { values, types, add, addWords: (all) => `string_to_array(${add(all.join(), 'text')}, ',')` };
}
