/** How many arguments the operations of the FATE machine have, to find the functions in its code: each operation has a length of its own. */

/** A digit (base 16) for each operation code, in rows of 64; a dot for one that no machine knows. */
const ARGUMENTS = [
  '0115161234211011010133333322223333333322341344332222322213322222',
  '2332433010123332333111211111111112345278635524356432442145222143',
  '2222233222233233323322222221222222734521234333233...............',
  '..........................................................011000',
].join('');

/** Undefined for an unknown operation. */
export function argumentCount(operation: number): number | undefined {
  const digit = ARGUMENTS[operation];
  return digit === undefined || digit === '.' ? undefined : parseInt(digit, 16);
}
