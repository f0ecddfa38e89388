/**
 * The signature of a micro block. The leader of a generation is the miner of its key block: it signs the header of each of its micro blocks,
 * with a signature of zeros. By `txs_hash` the signature binds all transactions of the block.
 */
import { decodeId } from '../encoding/encoding.js';
import type { KeyBlock } from '../facts.js';
import { MalformedError } from '../malformed.js';
import type { Flaw } from '../proof/level.js';
import { SIGNATURE_BYTES } from '../serialize/headers.js';
import { isValidSignature } from './ed25519.js';

/** A micro block: its hash, and the bytes of its header, of which this is the hash. */
interface SignedHeader {
  hash: string;
  header: Uint8Array;
}

/** What is wrong with the signature of a micro block of this generation; undefined if the leader signed it. */
export async function leaderFlaw(
  { hash, header }: SignedHeader,
  { miner }: Pick<KeyBlock, 'miner'>,
): Promise<Flaw | undefined> {
  const key = leaderKey(miner);
  const message = Uint8Array.from(header).fill(0, header.length - SIGNATURE_BYTES);
  if (key !== undefined && (await isValidSignature(message, header.subarray(-SIGNATURE_BYTES), key))) return undefined;
  return { block: hash, field: 'signature', reason: `${miner}, the leader of its generation, did not sign it` };
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
