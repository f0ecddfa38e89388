/** Secret keys with which transactions are signed: from a file or the environment, never from the command line. */
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { decodeId, encodeId, isId } from '../chain/encoding/encoding.js';
import { signedMessage } from '../chain/protocol/signing.js';
import { MiddlewareError } from '../observe/errors.js';

/** Variable that holds a key when no file is named. */
const KEY_VARIABLE = 'MDW_SECRET_KEY';
const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** `sk_…`, as SDKs have it since their release 14; 128 hexadecimal digits, secret and public key, as older ones and the node's tools have it. */
export const KEY_FORMS = ['sk', 'hex'] as const;
export type KeyForm = (typeof KEY_FORMS)[number];

export interface Key {
  /** ak_ */
  account: string;
  /** Signature of a serialised transaction, as wallets make it: over network id and hash. */
  sign(transaction: Uint8Array, networkId: string): Uint8Array;
  /** The secret itself. */
  secret(form: KeyForm): string;
}

/**
 * Reads `sk_…`, or 32 or 64 bytes in hexadecimal (the latter with the public key at their end). Throws bad_request, without the key in the message.
 * `how` says how a file is named.
 */
export function readKey(file: string | undefined, env: Readonly<Record<string, string | undefined>>, how: string): Key {
  const text = file === undefined ? env[KEY_VARIABLE] : contentOf(file);
  const where = file === undefined ? KEY_VARIABLE : file;
  if (text === undefined || text.trim() === '')
    throw refusal(`no key: name a file with ${how}, or set ${KEY_VARIABLE}`);
  return keyOf(seedOf(text.trim(), where));
}

/** Makes a key and keeps it in a new file, which its owner alone can read. Throws when there is a file already. */
export function newKey(file: string): Key {
  const key = keyOf(randomBytes(KEY_BYTES));
  try {
    writeFileSync(file, `${key.secret('sk')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new MiddlewareError('key_exists', `${file} exists, and no key is ever overwritten: name another file`);
    throw refusal(`cannot write ${file}: ${(cause as Error).message}`, cause);
  }
  return key;
}

/** Whether somebody else than the owner may read the file. */
export const isOpenToOthers = (file: string): boolean => (statSync(file).mode & 0o077) !== 0;

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refusal(`cannot read the key: ${(cause as Error).message}`, cause);
  }
}

const refusal = (message: string, cause?: unknown): MiddlewareError => new MiddlewareError('usage', message, { cause });

function seedOf(text: string, where: string): Uint8Array {
  if (isId(text, 'sk')) return decodeId(text, 'sk');
  if (/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) return Buffer.from(text.slice(0, 64), 'hex');
  throw refusal(`${where}: no secret key (sk_…, or 64 or 128 hexadecimal digits)`);
}

function keyOf(seed: Uint8Array): Key {
  // The public key, x, is worked out from the secret one.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: Buffer.from(seed).toString('base64url'), x: '' };
  const secret = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = Buffer.from(createPublicKey(secret).export({ format: 'jwk' }).x!, 'base64url');
  return {
    account: encodeId('ak', publicKey),
    sign: (transaction, networkId) => sign(null, signedMessage(transaction, networkId), secret),
    secret: (form) => (form === 'sk' ? encodeId('sk', seed) : Buffer.concat([seed, publicKey]).toString('hex')),
  };
}
