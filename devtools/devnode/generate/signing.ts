/** Ed25519 signatures by node:crypto, which is native and about ten times as fast as JavaScript. */
import { createPrivateKey, createPublicKey, sign as signBytes, verify as verifyBytes } from 'node:crypto';

/** DER around the 32 bytes of an ed25519 public key (SPKI). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export interface KeyPair {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** `seed`: the 32 bytes of the secret key. */
export function keyPair(seed: Uint8Array): KeyPair {
  // The key is passed as JWK, because OpenSSL needs ten times as long for DER. It computes the public key (x) from the secret one.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: Buffer.from(seed).toString('base64url'), x: '' };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return {
    publicKey: new Uint8Array(Buffer.from(x!, 'base64url')),
    sign: (message) => signBytes(null, message, key),
  };
}

export function verifySignature(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verifyBytes(null, message, key, signature);
}
