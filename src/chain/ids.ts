/** Identifiers that no transaction carries because they are computed from what it does. */
import { decodeId, encodeId, hash, withPrefix } from './encoding.js';
import { MalformedError } from './malformed.js';

/** What tells creations of one account apart: its nonce or, authenticated by a generalized account, the authentication id. */
export type Distinction = bigint | Uint8Array;

const NONCE_BYTES = 32;
/** The node accepts at most 253 characters; beyond this it is no name. */
const MAX_NAME_LENGTH = 1000;

/** H(account ++ authentication data). */
export const authenticationId = (account: string, authData: string): Uint8Array =>
  hash(key(account), decodeId(authData, 'cb'));

/** H(owner ++ shortest big-endian nonce). */
export const contractId = (owner: string, nonce: Distinction): string =>
  encodeId('ct', hash(key(owner), typeof nonce === 'bigint' ? shortest(nonce) : nonce));

/** H(initiator ++ nonce in 32 bytes ++ responder). */
export const channelId = (initiator: string, nonce: Distinction, responder: string): string =>
  encodeId('ch', hash(key(initiator), typeof nonce === 'bigint' ? padded(nonce) : nonce, key(responder)));

/** H(sender ++ nonce in 32 bytes ++ oracle). `oracle` is as the transaction has it: asked by name, the name hash counts. */
export const queryId = (sender: string, nonce: Distinction, oracle: string): string =>
  encodeId('oq', typeof nonce === 'bigint' ? hash(key(sender), padded(nonce), key(oracle)) : hash(nonce, key(oracle)));

/** An oracle has the key of its account. */
export const oracleId = (account: string): string => withPrefix('ok', account);

/** Name in the form that is hashed and measured: lower case, other than ASCII letters as punycode (UTS 46). */
export function asciiName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) throw new MalformedError('name: too long');
  if (!/[^\x21-\x7e]/.test(name)) return name.toLowerCase();
  // As a host name; the characters that would end one in an address must not cut the name short.
  const address = `http://${name}`;
  const ascii = /[\s%@:/?#\\[\]]/.test(name) || !URL.canParse(address) ? '' : new URL(address).hostname;
  if (ascii === '') throw new MalformedError(`name: ${JSON.stringify(name)} has no ASCII form`);
  return ascii;
}

/** `nm_` of a name: `.chain` names are hashed whole, all others label by label from the left. */
export function nameHash(name: string): string {
  const ascii = asciiName(name);
  if (ascii.endsWith('.chain')) return encodeId('nm', hash(Buffer.from(ascii)));
  let value: Uint8Array = new Uint8Array(32);
  for (const label of ascii.split('.')) value = hash(value, hash(Buffer.from(label)));
  return encodeId('nm', value);
}

function key(id: string): Uint8Array {
  const bytes = decodeId(id);
  if (bytes.length !== 32) throw new MalformedError(`${id} is no key of 32 bytes`);
  return bytes;
}

function padded(nonce: bigint): Uint8Array {
  return Buffer.from(nonce.toString(16).padStart(NONCE_BYTES * 2, '0'), 'hex');
}

/** Without leading zero bytes; 0 is one zero byte. */
function shortest(nonce: bigint): Uint8Array {
  const hex = nonce.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
