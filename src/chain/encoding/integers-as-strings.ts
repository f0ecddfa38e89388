/** Integers outside of strings, with what precedes them; numbers with point or exponent are no integers and stay. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/** Every integer of a JSON text as a decimal string, as nodes do with `int-as-string=true`. */
export const integersAsStrings = (json: string): string =>
  json.replace(TOKEN, (token) => (INTEGER.test(token) ? `"${token}"` : token));
