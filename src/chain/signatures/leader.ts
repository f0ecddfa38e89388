/**
 * The signatures of leaders. The leader of a micro block signs the header, with a signature of zeros. By `txs_hash` the signature binds all
 * transactions of the block. Who the leader is says `signerOf`. In a hyperchain leaders also sign their key blocks.
 */
import { decodeId } from '../encoding/encoding.js';
import { MalformedError } from '../malformed.js';
import type { Flaw } from '../proof/level.js';
import { SIGNATURE_BYTES, sealOf } from '../serialize/headers.js';
import { isValidSignature } from './ed25519.js';

/** A block: its hash, and the bytes of its header, of which this is the hash. */
interface SignedHeader {
  hash: string;
  header: Uint8Array;
}

/** What is wrong with the signature of a micro block; undefined if this leader signed it. */
export async function leaderFlaw({ hash, header }: SignedHeader, leader: string): Promise<Flaw | undefined> {
  const key = leaderKey(leader);
  const message = Uint8Array.from(header).fill(0, header.length - SIGNATURE_BYTES);
  if (key !== undefined && (await isValidSignature(message, header.subarray(-SIGNATURE_BYTES), key))) return undefined;
  return { block: hash, field: 'signature', reason: `${leader}, the leader of its generation, did not sign it` };
}

/** What is wrong with the signature of a key block of a hyperchain; undefined if this leader signed it. */
export async function keyBlockFlaw({ hash, header }: SignedHeader, leader: string): Promise<Flaw | undefined> {
  const key = leaderKey(leader);
  const { message, signature } = sealOf(header);
  if (key !== undefined && (await isValidSignature(message, signature, key))) return undefined;
  return { block: hash, field: 'pow', reason: `${leader}, its leader, did not sign it` };
}

/** Undefined if it is no account. */
function leaderKey(leader: string): Uint8Array | undefined {
  try {
    return decodeId(leader, 'ak');
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}
