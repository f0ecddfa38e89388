/** Names for generated claims. */
import { AUCTIONED_LENGTH, registrar } from '../../../src/chain/protocol/name-rules.js';
import { LIMA } from '../../../src/chain/protocol/versions.js';
import { createRandom } from './random.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Name and salt of the preclaim that an account makes with a nonce. They depend only on members of the transaction, so that they are known
 * again when it is executed again.
 */
export function nameAndSaltOf(account: string, nonce: number, version: number): { name: string; salt: number } {
  const random = createRandom('name', account, String(nonce));
  const auctioned = version >= LIMA && random.chance(0.25);
  const length = auctioned ? random.int(4, AUCTIONED_LENGTH) : random.int(AUCTIONED_LENGTH + 1, 32);
  let label = LETTERS[random.int(0, 25)]!;
  while (label.length < length) label += LETTERS[random.int(0, LETTERS.length - 1)]!;
  if (!auctioned && random.chance(0.05)) label = `ü${label}é`;
  return { name: `${label}${registrar(version)}`, salt: random.int(1, 2 ** 31) };
}
