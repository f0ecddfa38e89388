/** Least price of a name by the length of its label, from protocol 4 (Lima) on. */
const UNIT = 10n ** 14n;
/** Labels of this length or longer cost 3 units; each character less takes one step up the Fibonacci numbers. */
const CHEAPEST_LENGTH = 31;

/** Of a claim or first bid, in aettos; `ascii` is the whole name, as `asciiName` gives it. */
export function nameFee(ascii: string): bigint {
  let [fee, next] = [3n, 5n];
  for (let length = ascii.indexOf('.'); length < CHEAPEST_LENGTH; length += 1) [fee, next] = [next, fee + next];
  return fee * UNIT;
}
