/** Rules of names that generated claims obey (protocol rules, chapter "Names"). */
import { domainToASCII } from 'node:url';
import { hash } from '../../chain/encoding.js';
import { be32 } from './identities.js';
import { createRandom } from './random.js';

const LIMA = 4;
const CERES = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const UNIT = 10n ** 14n;
/** Labels of this length or longer cost 3 units; each character less takes one step up the Fibonacci numbers. */
const CHEAPEST_LENGTH = 31;

/** Longest label that is auctioned. */
const AUCTIONED_LENGTH = 12;

export const isAuctioned = (name: string, version: number): boolean =>
  version >= LIMA && labelLength(name) <= AUCTIONED_LENGTH;

/** Generations from a first bid to the end of the auction. */
export function auctionLength(name: string, version: number): number {
  const length = labelLength(name);
  if (length <= 4) return version >= CERES ? 2400 : 29760;
  if (length <= 8) return version >= CERES ? 960 : 14880;
  return 480;
}

/** Least `name_fee` of a first bid or claim, in aettos. */
export function nameFee(name: string): bigint {
  let [fee, next] = [3n, 5n];
  for (let length = labelLength(name); length < CHEAPEST_LENGTH; length += 1) [fee, next] = [next, fee + next];
  return fee * UNIT;
}

const ascii = (name: string): string => domainToASCII(name);
const labelLength = (name: string): number => ascii(name).indexOf('.');

export function nameHash(name: string): Uint8Array {
  const text = ascii(name);
  if (text.endsWith('.chain')) return hash(Buffer.from(text));
  return text
    .split('.')
    .reduce<Uint8Array>((value, label) => hash(value, hash(Buffer.from(label))), new Uint8Array(32));
}

export function commitmentHash(name: string, salt: number): Uint8Array {
  const text = ascii(name);
  return hash(text.endsWith('.chain') ? Buffer.from(text) : nameHash(name), be32(salt));
}

/**
 * The name and salt behind the preclaim an account makes with a nonce. Since they follow from what the transaction shows, whoever replays it
 * knows what it announces.
 */
export function secretOf(account: string, nonce: number, version: number): { name: string; salt: number } {
  const random = createRandom('name', account, String(nonce));
  const auctioned = version >= LIMA && random.chance(0.25);
  const length = auctioned ? random.int(4, AUCTIONED_LENGTH) : random.int(AUCTIONED_LENGTH + 1, 32);
  let label = LETTERS[random.int(0, 25)]!;
  while (label.length < length) label += LETTERS[random.int(0, LETTERS.length - 1)]!;
  if (!auctioned && random.chance(0.05)) label = `ü${label}é`;
  return { name: `${label}${version >= LIMA ? '.chain' : '.test'}`, salt: random.int(1, 2 ** 31) };
}
