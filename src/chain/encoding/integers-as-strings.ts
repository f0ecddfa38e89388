/** Matches whole strings and whole numbers, so that digits within a string are not taken for a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/** Turns every integer of a JSON text into a decimal string, as nodes do with `int-as-string=true`. Other numbers stay as they are. */
export const integersAsStrings = (json: string): string =>
  json.replace(TOKEN, (token) => (INTEGER.test(token) ? `"${token}"` : token));
