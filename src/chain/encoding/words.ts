/** Words of 256 bits, as contracts and their events have identifiers. */
import { decodeId, encodeId } from './encoding.js';

/** Digits of a word, hexadecimal. */
const DIGITS = 64;

/** The bytes of an identifier as an integer. */
export const wordOf = (id: string): bigint => BigInt(`0x${Buffer.from(decodeId(id)).toString('hex') || '0'}`);

/** All digits of a word, hexadecimal: the order of such texts is that of the words. */
export const hexOfWord = (word: bigint | string): string => BigInt(word).toString(16).padStart(DIGITS, '0');

/** The 32 bytes of a word. */
export const bytesOfWord = (word: bigint | string): Buffer => Buffer.from(hexOfWord(word), 'hex');

/** ak_ of the 32 bytes of a word. */
export const accountOfWord = (word: bigint | string): string => encodeId('ak', bytesOfWord(word));
