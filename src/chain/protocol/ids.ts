/** Identifiers that are not members of a transaction but computed from it. See docs/protocol/identifiers.md. */
import { decodeId, encodeId, hash, withPrefix } from '../encoding/encoding.js';
import { minimalBytes } from '../encoding/rlp.js';
import { MalformedError } from '../malformed.js';
import type { Distinction } from '../operations.js';

const WORD_BYTES = 32;
/** A longer text is not converted. The node accepts names of up to 253 characters. */
const MAX_NAME_LENGTH = 1000;

/** H(account ++ authentication data). */
const authenticationKey = (account: Uint8Array, authData: Uint8Array): Uint8Array => hash(account, authData);

export const authenticationId = (account: string, authData: string): Uint8Array =>
  authenticationKey(key(account), decodeId(authData, 'cb'));

/** H(owner ++ nonce in as few big-endian bytes as possible). */
export const contractKey = (owner: Uint8Array, nonce: Distinction): Uint8Array =>
  hash(owner, typeof nonce === 'bigint' ? minimalBytes(nonce) : nonce);

export const contractId = (owner: string, nonce: Distinction): string => encodeId('ct', contractKey(key(owner), nonce));

/** H(initiator ++ nonce in 32 bytes ++ responder). */
const channelKey = (initiator: Uint8Array, nonce: Distinction, responder: Uint8Array): Uint8Array =>
  hash(initiator, typeof nonce === 'bigint' ? word(nonce) : nonce, responder);

export const channelId = (initiator: string, nonce: Distinction, responder: string): string =>
  encodeId('ch', channelKey(key(initiator), nonce, key(responder)));

/** H(sender ++ nonce in 32 bytes ++ oracle). `oracle` is the member of the transaction: the name hash if the query goes to a name. */
const queryKey = (sender: Uint8Array, nonce: Distinction, oracle: Uint8Array): Uint8Array =>
  typeof nonce === 'bigint' ? hash(sender, word(nonce), oracle) : hash(nonce, oracle);

export const queryId = (sender: string, nonce: Distinction, oracle: string): string =>
  encodeId('oq', queryKey(key(sender), nonce, key(oracle)));

/** An oracle has the key of its account. */
export const oracleId = (account: string): string => withPrefix('ok', account);

/** The form of a name that is hashed and measured: lower case, characters beyond ASCII as punycode (UTS 46). Throws MalformedError. */
export function asciiName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) throw new MalformedError('name: too long');
  if (!/[^\x21-\x7e]/.test(name)) return name.toLowerCase();
  // These characters would end the host name in the URL, so that only a part of the name would be converted.
  const ascii = /[\s%@:/?#\\[\]]/.test(name) ? '' : hostName(`http://${name}`);
  if (ascii === '') throw new MalformedError(`name: ${JSON.stringify(name)} has no ASCII form`);
  return ascii;
}

/** Host name of a URL; empty if the URL is not valid. `URL.canParse` is not used: in Node.js 20 it refuses Latin-1 texts once it is optimised. */
function hostName(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}

/** Returns 32 bytes: `.chain` names are hashed as a whole, all others label by label from the left. */
function nameKey(name: string): Uint8Array {
  const ascii = asciiName(name);
  if (isWhole(ascii)) return hash(Buffer.from(ascii));
  let value: Uint8Array = new Uint8Array(32);
  for (const label of ascii.split('.')) value = hash(value, hash(Buffer.from(label)));
  return value;
}

/** `nm_` of a name. */
export const nameHash = (name: string): string => encodeId('nm', nameKey(name));

/** The hash that all spellings of a name have; empty text, which no name has, for a text that cannot be a name. */
export function nameHashOf(text: string): string {
  try {
    return nameHash(text);
  } catch (error) {
    if (error instanceof MalformedError) return '';
    throw error;
  }
}

/** The commitment of a preclaim: H(name ++ salt in 32 bytes) for a `.chain` name, H(name hash ++ salt in 32 bytes) for others. */
export function commitmentKey(name: string, salt: bigint): Uint8Array {
  const ascii = asciiName(name);
  return hash(isWhole(ascii) ? Buffer.from(ascii) : nameKey(ascii), word(salt));
}

/** `cm_` of a name and the salt of the claim. */
export const commitmentId = (name: string, salt: bigint): string => encodeId('cm', commitmentKey(name, salt));

/** Whether a name is hashed as a whole. */
const isWhole = (ascii: string): boolean => ascii.endsWith('.chain');

function key(id: string): Uint8Array {
  const bytes = decodeId(id);
  if (bytes.length !== 32) throw new MalformedError(`${id} is not a key of 32 bytes`);
  return bytes;
}

/** Big-endian in 32 bytes. */
function word(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(WORD_BYTES * 2, '0'), 'hex');
}
