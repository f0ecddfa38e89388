/** The two hash functions of the protocol. Their instances are reused, because creating one costs more than hashing. */
import { createBLAKE2b, createSHA256 } from 'hash-wasm';

const BLAKE2B_BITS = 256;

const [blake2bState, sha256State] = await Promise.all([createBLAKE2b(BLAKE2B_BITS), createSHA256()]);

/** BLAKE2b (RFC 7693) of the concatenated parts, 32 bytes, without a key. */
export function blake2b(...parts: readonly Uint8Array[]): Uint8Array {
  blake2bState.init();
  for (const part of parts) blake2bState.update(part);
  return blake2bState.digest('binary');
}

/** SHA-256 (FIPS 180-4), 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => sha256State.init().update(bytes).digest('binary');
