import type { Tally } from '../encoding/json-walk.js';
import type { Mismatch } from './level.js';

/**
 * What is wrong with how a node printed JSON whose values are proven: programs would read different values from it. `members`: how many
 * members all its objects have.
 */
export function printedMismatch(tally: Tally, members: number): Mismatch | undefined {
  // Some programs read the first one and others the second one.
  if (tally.members !== members) return { reason: 'two members have the same name' };
  // Programs that read integers with all digits refuse 1e15 and 7.0, or read floats.
  return tally.otherNumbers === 0 ? undefined : { reason: 'an integer is not printed as digits' };
}
