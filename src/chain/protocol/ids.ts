/** Identifiers that no transaction carries because they are computed from what it does. See docs/protocol/identifiers.md. */
import { decodeId, encodeId, hash, withPrefix } from '../encoding/encoding.js';
import { MalformedError } from '../malformed.js';
import { minimalBytes } from '../serialize/rlp.js';

/** What distinguishes creations of one account: its nonce or, authenticated by a generalized account, the authentication id. */
export type Distinction = bigint | Uint8Array;

const WORD_BYTES = 32;
/** The node accepts up to 253 characters; a longer text than this is no name. */
const MAX_NAME_LENGTH = 1000;

/** H(account ++ authentication data). */
const authenticationKey = (account: Uint8Array, authData: Uint8Array): Uint8Array => hash(account, authData);

export const authenticationId = (account: string, authData: string): Uint8Array =>
  authenticationKey(key(account), decodeId(authData, 'cb'));

/** H(owner ++ shortest big-endian nonce). */
const contractKey = (owner: Uint8Array, nonce: Distinction): Uint8Array =>
  hash(owner, typeof nonce === 'bigint' ? minimalBytes(nonce) : nonce);

export const contractId = (owner: string, nonce: Distinction): string => encodeId('ct', contractKey(key(owner), nonce));

/** H(initiator ++ nonce in 32 bytes ++ responder). */
const channelKey = (initiator: Uint8Array, nonce: Distinction, responder: Uint8Array): Uint8Array =>
  hash(initiator, typeof nonce === 'bigint' ? word(nonce) : nonce, responder);

export const channelId = (initiator: string, nonce: Distinction, responder: string): string =>
  encodeId('ch', channelKey(key(initiator), nonce, key(responder)));

/** H(sender ++ nonce in 32 bytes ++ oracle). `oracle` is as the transaction has it: asked by name, the name hash counts. */
const queryKey = (sender: Uint8Array, nonce: Distinction, oracle: Uint8Array): Uint8Array =>
  typeof nonce === 'bigint' ? hash(sender, word(nonce), oracle) : hash(nonce, oracle);

export const queryId = (sender: string, nonce: Distinction, oracle: string): string =>
  encodeId('oq', queryKey(key(sender), nonce, key(oracle)));

/** An oracle has the key of its account. */
export const oracleId = (account: string): string => withPrefix('ok', account);

/** Name in the form that is hashed and measured: lower case, other than ASCII letters as punycode (UTS 46). */
export function asciiName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) throw new MalformedError('name: too long');
  if (!/[^\x21-\x7e]/.test(name)) return name.toLowerCase();
  // The characters that would end a host name in an address must not cut the name short.
  const ascii = /[\s%@:/?#\\[\]]/.test(name) ? '' : hostName(`http://${name}`);
  if (ascii === '') throw new MalformedError(`name: ${JSON.stringify(name)} has no ASCII form`);
  return ascii;
}

/** Empty for what is no address. Not by `URL.canParse`: of Node.js 20 it says no to Latin-1 texts once it is optimised. */
function hostName(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}

/** 32 bytes: `.chain` names are hashed whole, all others label by label from the left. */
function nameKey(name: string): Uint8Array {
  const ascii = asciiName(name);
  if (isWhole(ascii)) return hash(Buffer.from(ascii));
  let value: Uint8Array = new Uint8Array(32);
  for (const label of ascii.split('.')) value = hash(value, hash(Buffer.from(label)));
  return value;
}

/** `nm_` of a name. */
export const nameHash = (name: string): string => encodeId('nm', nameKey(name));

/** What a preclaim announces: H(`.chain` name, or hash of another ++ salt in 32 bytes). */
export function commitmentKey(name: string, salt: bigint): Uint8Array {
  const ascii = asciiName(name);
  return hash(isWhole(ascii) ? Buffer.from(ascii) : nameKey(ascii), word(salt));
}

/** `cm_` of a name and the salt of who will claim it. */
export const commitmentId = (name: string, salt: bigint): string => encodeId('cm', commitmentKey(name, salt));

/** Whether a name is hashed as one text. */
const isWhole = (ascii: string): boolean => ascii.endsWith('.chain');

function key(id: string): Uint8Array {
  const bytes = decodeId(id);
  if (bytes.length !== 32) throw new MalformedError(`${id} is no key of 32 bytes`);
  return bytes;
}

/** Big-endian in 32 bytes. */
function word(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(WORD_BYTES * 2, '0'), 'hex');
}
