/** Verifies Ed25519 signatures as nodes do: by the same rules as libsodium. OpenSSL, which Node uses, accepts keys that libsodium refuses. */
import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The highest bit of a point is the sign of its x. */
const WITHOUT_SIGN = 2n ** 255n - 1n;
const P = 2n ** 255n - 19n;

/**
 * The y of all points of small order. Anybody can make signatures that are valid for such a key without its secret key: some of the messages
 * that one tries are valid. The account of 32 zero bytes is one of them.
 */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  2707385501144840649318225287225658788936804267575313519463743609750303021n,
  55188659117513257062467267217118295137698188065244968500265048394206261417927n,
  P - 1n,
]);

/** Whether the signature of the message is valid. The work is done in a thread of its own. */
export function isValidSignature(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
  const key = keyFor(signature, publicKey);
  if (key === undefined) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, message, key, signature, (error, isValid) => (error === null ? resolve(isValid) : reject(error)));
  });
}

/** As `isValidSignature`, but in this thread. */
export function isValidSignatureSync(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = keyFor(signature, publicKey);
  return key !== undefined && verify(null, message, key, signature);
}

/** The key in the form that `verify` takes; undefined if no signature like this is valid for it. */
function keyFor(signature: Uint8Array, publicKey: Uint8Array): KeyObject | undefined {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return undefined;
  return isUsablePoint(signature.subarray(0, KEY_BYTES)) ? knownKey(publicKey) : undefined;
}

/** Max number of keys that are kept: the leaders of a hyperchain are few, and busy accounts sign often. */
const MAX_KEPT = 500;
/** Least recently used first. */
const kept = new Map<string, KeyObject | undefined>();

/** The key that these bytes are, made once; undefined if no signature is valid for it. */
function knownKey(publicKey: Uint8Array): KeyObject | undefined {
  const x = Buffer.from(publicKey).toString('base64url');
  // OpenSSL needs seven times as long for a key in DER.
  const key = kept.has(x)
    ? kept.get(x)
    : isUsablePoint(publicKey)
      ? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
      : undefined;
  kept.delete(x);
  kept.set(x, key);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return key;
}

/** Whether the bytes are the one encoding of a point, and this point is not of small order. */
function isUsablePoint(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & WITHOUT_SIGN;
  return y < P && !SMALL_ORDER.has(y);
}
