/** Secret keys that sign transactions. They are read from a file or the environment, never from the command line. */
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { decodeId, encodeId, isId } from '../../src/chain/encoding/encoding.js';
import { signedMessage } from '../../src/chain/protocol/signing.js';
import { MiddlewareError } from '../../src/observe/errors.js';

/** Environment variable with the key, if no file is given. */
const KEY_VARIABLE = 'MDW_SECRET_KEY';
const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * Formats of a key. `sk`: `sk_…`, used by SDKs since release 14. `hex`: 128 hexadecimal digits of secret and public key, used by older SDKs and the
 * tools of the node.
 */
export const KEY_FORMS = ['sk', 'hex'] as const;
export type KeyForm = (typeof KEY_FORMS)[number];

export interface Key {
  /** ak_ */
  account: string;
  /** Signs a serialised transaction as wallets do: network id and hash. */
  sign(transaction: Uint8Array, networkId: string): Uint8Array;
  /** The secret key as text. */
  secret(form: KeyForm): string;
}

/**
 * Reads a key: `sk_…`, or 32 or 64 bytes in hexadecimal (64 bytes end with the public key). Throws `usage`; the message never contains the key.
 * `how`: the option that names a file, for the message.
 */
export function readKey(file: string | undefined, env: Readonly<Record<string, string | undefined>>, how: string): Key {
  const text = file === undefined ? env[KEY_VARIABLE] : contentOf(file);
  const where = file === undefined ? KEY_VARIABLE : file;
  if (text === undefined || text.trim() === '')
    throw refusal(`no key: give a file with ${how}, or set ${KEY_VARIABLE}`);
  return keyOf(seedOf(text.trim(), where));
}

/** Makes a key and writes it to a new file that only its owner can read. Throws if the file exists. */
export function newKey(file: string): Key {
  const key = keyOf(randomBytes(KEY_BYTES));
  try {
    writeFileSync(file, `${key.secret('sk')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new MiddlewareError('key_exists', `${file} exists, and keys are never overwritten: give another file`);
    throw refusal(`cannot write ${file}: ${(cause as Error).message}`, cause);
  }
  return key;
}

/** Whether other users have any access to the file. */
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
  throw refusal(`${where}: not a secret key (sk_…, or 64 or 128 hexadecimal digits)`);
}

function keyOf(seed: Uint8Array): Key {
  // OpenSSL computes the public key (x) from the secret one.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: Buffer.from(seed).toString('base64url'), x: '' };
  const secret = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = Buffer.from(createPublicKey(secret).export({ format: 'jwk' }).x!, 'base64url');
  return {
    account: encodeId('ak', publicKey),
    sign: (transaction, networkId) => sign(null, signedMessage(transaction, networkId), secret),
    secret: (form) => (form === 'sk' ? encodeId('sk', seed) : Buffer.concat([seed, publicKey]).toString('hex')),
  };
}
