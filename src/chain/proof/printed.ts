import { countKeys } from '../encoding/json.js';
import type { Mismatch } from './level.js';

/** A number with a fraction or an exponent, or -0. */
const OTHER_NUMBER = /[[:,]\s*-?(?:\d+[.eE]|(?<=-)0\b)/;
const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * What is wrong with how a node printed JSON whose values are proven: programs would read different values from it. `members`: how many
 * members all its objects have.
 */
export function printedMismatch(text: string, members: number): Mismatch | undefined {
  // Some programs read the first one and others the second one.
  if (countKeys(text) !== members) return { reason: 'two members have the same name' };
  // Programs that read integers with all digits refuse 1e15 and 7.0, or read floats. Most texts have no such number in strings either.
  const isOther = OTHER_NUMBER.test(text) && OTHER_NUMBER.test(text.replace(STRING, '""'));
  return isOther ? { reason: 'an integer is not printed as digits' } : undefined;
}
