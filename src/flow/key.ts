/** The secret key with which a flow signs: from a file or the environment, never from the command line. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeId, encodeId, isId } from '../chain/encoding/encoding.js';
import { signedMessage } from '../chain/protocol/signing.js';
import { MiddlewareError } from '../observe/errors.js';

/** Variable that holds a key when no file is named. */
const KEY_VARIABLE = 'MDW_SECRET_KEY';

export interface FlowKey {
  /** ak_ */
  account: string;
  /** Signature of a serialised transaction, as wallets make it: over network id and hash. */
  sign(transaction: Uint8Array, networkId: string): Uint8Array;
}

/** Reads `sk_…`, or 32 or 64 bytes in hexadecimal (the latter with the public key at their end). Throws bad_request, without the key in the message. */
export function readKey(file: string | undefined, env: Readonly<Record<string, string | undefined>>): FlowKey {
  const text = file === undefined ? env[KEY_VARIABLE] : contentOf(file);
  const where = file === undefined ? KEY_VARIABLE : file;
  if (text === undefined || text.trim() === '')
    throw refusal(`no key: name a file with --key-file, or set ${KEY_VARIABLE}`);
  return keyOf(seedOf(text.trim(), where));
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refusal(`--key-file: cannot read ${file}: ${(cause as Error).message}`, cause);
  }
}

const refusal = (message: string, cause?: unknown): MiddlewareError => new MiddlewareError('usage', message, { cause });

function seedOf(text: string, where: string): Uint8Array {
  if (isId(text, 'sk')) return decodeId(text, 'sk');
  if (/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) return Buffer.from(text.slice(0, 64), 'hex');
  throw refusal(`${where}: no secret key (sk_…, or 64 or 128 hexadecimal digits)`);
}

function keyOf(seed: Uint8Array): FlowKey {
  // The public key, x, is worked out from the secret one.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: Buffer.from(seed).toString('base64url'), x: '' };
  const secret = createPrivateKey({ key: jwk, format: 'jwk' });
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  return {
    account: encodeId('ak', Buffer.from(x!, 'base64url')),
    sign: (transaction, networkId) => sign(null, signedMessage(transaction, networkId), secret),
  };
}
