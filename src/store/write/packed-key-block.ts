/** Key blocks of hyperchains in the form in which they are stored; migration 0041 says it. The view `key_block_texts` unpacks them. */
import { decodeId } from '../../chain/encoding/encoding.js';
import { isObject, parsePlain } from '../../chain/encoding/json.js';
import type { Json } from '../../chain/encoding/json.js';
import type { KeyBlock } from '../../chain/facts.js';
import { MalformedError } from '../../chain/malformed.js';
import { PROOF_LENGTH } from '../../chain/protocol/blocks.js';
import { SIGNATURE_NUMBERS } from '../../chain/protocol/generations.js';

/** Columns of `key_blocks`. */
interface Stored {
  prevKeyHash: string;
  body: string;
}

/** Length of the decoded `flags` and `info`, bytes. */
const WORD = 4;

/** Words by their identifiers: nearly all key blocks have the same few. */
const words = new Map<string, Uint8Array>();
const MAX_WORDS = 100;

/** Packs a key block of a hyperchain whose text is exactly what the view makes of its columns; others are stored with their text. */
export function packed({ consensus, body, hash, height, prevHash, prevKeyHash, ...block }: KeyBlock): Stored {
  const asTold = { prevKeyHash, body };
  if (consensus !== 'hyperchain') return asTold;
  const members = parsePlain(body);
  if (!isObject(members)) return asTold;
  const { flags, info, pow, state_hash } = members;
  const [flagWord, infoWord] = [wordIn(flags, 'ba'), wordIn(info, 'cb')];
  // An identifier has one spelling alone, so the view prints the same ones.
  if (flagWord === undefined || infoWord === undefined || !isRoot(state_hash)) return asTold;
  const { beneficiary, target, time, version } = block;
  const unpacked = {
    ...{ beneficiary, flags, hash, height, info },
    ...{ miner: beneficiary, nonce: 0, pow: signatureIn(pow) },
    ...{ prev_hash: prevHash, prev_key_hash: prevKeyHash, state_hash, target: Number(target), time, version },
  };
  if (JSON.stringify(unpacked) !== body) return asTold;
  const bytes = Buffer.alloc(2 * WORD + SIGNATURE_NUMBERS * WORD);
  bytes.set(flagWord);
  bytes.set(infoWord, WORD);
  for (const [i, number] of unpacked.pow.slice(0, SIGNATURE_NUMBERS).entries())
    bytes.writeUInt32BE(number, (2 + i) * WORD);
  return {
    prevKeyHash: prevKeyHash === prevHash ? '' : prevKeyHash,
    body: bytes.toString('base64') + state_hash.slice('bs_'.length),
  };
}

const isRoot = (id: Json | undefined): id is string => typeof id === 'string' && /^bs_[1-9A-HJ-NP-Za-km-z]+$/.test(id);

function wordIn(id: Json | undefined, prefix: 'ba' | 'cb'): Uint8Array | undefined {
  if (typeof id !== 'string' || !id.startsWith(`${prefix}_`)) return undefined;
  try {
    const bytes = words.get(id) ?? decodeId(id);
    if (bytes.length !== WORD) return undefined;
    if (words.size < MAX_WORDS) words.set(id, bytes);
    return bytes;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

/** `pow` with the numbers of the signature alone, so that any other one is not what was told. */
function signatureIn(pow: Json | undefined): number[] {
  const numbers = Array.isArray(pow) ? pow.slice(0, SIGNATURE_NUMBERS) : [];
  const words = numbers.map((part) => (typeof part === 'number' && Number.isInteger(part) ? part >>> 0 : 0));
  return [...words, ...Array<number>(PROOF_LENGTH - words.length).fill(0)];
}
