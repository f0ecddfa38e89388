/**
 * The signature of a micro block. The leader of a generation is the miner of its key block: it signs the header of each of its micro blocks,
 * with a signature of zeros. By `txs_hash` the signature binds all transactions of the block.
 */
import { decodeId } from '../encoding/encoding.js';
import { isObject, parseExact } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import type { KeyBlock, MicroBlock } from '../facts.js';
import { MalformedError } from '../malformed.js';
import type { Flaw } from '../proof/level.js';
import { SIGNATURE_BYTES, microHeaderBytes } from '../serialize/headers.js';
import { isValidSignature } from './ed25519.js';

/** What is wrong with the signature of a micro block of this generation; undefined if the leader signed it. */
export async function leaderFlaw(
  { body, hash }: Pick<MicroBlock, 'body' | 'hash'>,
  { miner }: Pick<KeyBlock, 'miner'>,
): Promise<Flaw | undefined> {
  const header = parseExact(body);
  if (isObject(header) && (await isSignedBy(header, miner))) return undefined;
  return { block: hash, field: 'signature', reason: `${miner}, the leader of its generation, did not sign it` };
}

async function isSignedBy(header: JsonObject, leader: string): Promise<boolean> {
  let message, key;
  try {
    if (header['signature'] === undefined) return false;
    message = microHeaderBytes(header);
    key = decodeId(leader, 'ak');
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
  // A copy: the bytes are overwritten.
  const signature = new Uint8Array(message.subarray(-SIGNATURE_BYTES));
  message.fill(0, message.length - SIGNATURE_BYTES);
  return isValidSignature(message, signature, key);
}
