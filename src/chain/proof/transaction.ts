import { decodeId, encodeId } from '../encoding/encoding.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { readEnvelope } from '../facts.js';
import type { Transaction } from '../facts.js';
import { MalformedError } from '../malformed.js';
import { parseSigned } from '../serialize/parse.js';
import type { ParsedSigned } from '../serialize/parse.js';
import { isSpelling } from '../serialize/spellings.js';
import { serializeSigned, signedTransactionHash } from '../serialize/transactions.js';
import type { Decode, Extra } from '../serialize/fields.js';
import type { Mismatch, ProofLevel } from './level.js';
import { differenceOf } from './members.js';
import { printedMismatch } from './printed.js';

/** `signed`: the bytes of the signed transaction, whose hash is the transaction hash. */
type TransactionProof =
  | { mismatch: Mismatch }
  | {
      signed: Uint8Array;
      /** Paths of members of the envelope that the bytes do not contain. */
      extra: readonly string[];
      /** Why its JSON cannot be proven. */
      unproven?: string;
    };

/** All members that a node prints in the envelope. */
const ENVELOPE: ReadonlySet<string> = new Set(['block_hash', 'block_height', 'encoded_tx', 'hash', 'signatures', 'tx']);

/**
 * Proves that a transaction matches its hash. The level `full` serialises the JSON and hashes the bytes. The level `hashes` only hashes
 * `encoded_tx`; nodes before 6.13 do not send it, so for them the JSON is serialised, too.
 */
export function proveTransaction(
  transaction: Transaction,
  block: { hash: string; height: number; version: number },
  level: Exclude<ProofLevel, 'off' | 'headers'>,
  decode: Decode,
): TransactionProof {
  // The inner transaction of this envelope may have lost digits. `tx` of the transaction is exact.
  const { value: envelope, tally } = transaction.envelope ?? readEnvelope(transaction.body);
  if (envelope['encoded_tx'] === undefined && !isSpelling('withoutEncodedTx', block.version))
    return { mismatch: { field: 'encoded_tx', reason: 'missing' } };
  if (level === 'hashes' && envelope['encoded_tx'] !== undefined)
    return proveByEncodedTx(transaction, envelope['encoded_tx']);
  if (level === 'full') {
    const wrong = blockMismatch(envelope, block) ?? printedMismatch(tally, memberCount(envelope));
    if (wrong !== undefined) return { mismatch: wrong };
  }
  const extra = level === 'full' ? extraOf(envelope) : [];
  const signed = bytesFromMembers(transaction, envelope, level, {
    decode,
    protocol: block.version,
    extra: (path) => extra.push(path),
  });
  if (signed instanceof Uint8Array) return { signed, extra };
  return compareWithBytes(transaction, envelope, block.version, signed);
}

const extraOf = (envelope: JsonObject): string[] => Object.keys(envelope).filter((member) => !ENVELOPE.has(member));

function blockMismatch(envelope: JsonObject, { hash, height }: { hash: string; height: number }): Mismatch | undefined {
  if (envelope['block_hash'] !== hash) return { field: 'block_hash', reason: `it is in block ${hash}` };
  return envelope['block_height'] === height
    ? undefined
    : { field: 'block_height', reason: `it is in a block of height ${height}` };
}

function memberCount(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += memberCount(item);
    return count;
  }
  for (const member in value) count += 1 + memberCount(value[member]!);
  return count;
}

/** Serialises the JSON. Returns the bytes if their hash is that of the transaction, otherwise what is wrong. */
function bytesFromMembers(
  { hash: claimed, tx }: Transaction,
  envelope: JsonObject,
  level: ProofLevel,
  options: { decode: Decode; protocol: number; extra: Extra },
): Uint8Array | Mismatch {
  try {
    const signatures = envelope['signatures'];
    const signed = serializeSigned(signatures === undefined ? { tx } : { signatures, tx }, options);
    if (signedTransactionHash(signed) !== claimed) return { reason: 'the hash of its members is different' };
    if (level !== 'full') return signed;
    const encoded = envelope['encoded_tx'];
    if (encoded !== undefined && encoded !== encodeId('tx', signed))
      return { field: 'encoded_tx', reason: 'these are not the bytes of the transaction' };
    return signed;
  } catch (error) {
    if (error instanceof MalformedError) return { reason: error.message };
    throw error;
  }
}

function proveByEncodedTx({ hash: claimed }: Transaction, encoded: Json): TransactionProof {
  const wrong = { mismatch: { field: 'encoded_tx', reason: 'the hash of these bytes is not that of the transaction' } };
  try {
    if (typeof encoded !== 'string') return wrong;
    const signed = decodeId(encoded, 'tx');
    return signedTransactionHash(signed) === claimed ? { signed, extra: [] } : wrong;
  } catch (error) {
    if (error instanceof MalformedError) return wrong;
    throw error;
  }
}

/**
 * Decides what is wrong with JSON that does not serialise to the signed bytes. It may be false, of an unknown type, or contain texts that are
 * not UTF-8. Compares the JSON with the bytes that the node sends as `encoded_tx`.
 */
function compareWithBytes(
  transaction: Transaction,
  envelope: JsonObject,
  protocol: number,
  why: Mismatch,
): TransactionProof {
  if (envelope['encoded_tx'] === undefined) return { mismatch: why };
  const proof = proveByEncodedTx(transaction, envelope['encoded_tx']);
  if (!('signed' in proof)) return proof;
  let parsed;
  try {
    parsed = parseSigned(proof.signed);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    return { ...proof, unproven: error.message };
  }
  const extra = extraOf(envelope);
  const mismatch =
    differenceOf(transaction.tx, parsed.tx, { protocol, extra: (path) => extra.push(`tx.${path}`) }) ??
    signatureMismatch(envelope['signatures'], parsed, protocol);
  return mismatch === undefined ? { ...proof, extra } : { mismatch };
}

/** Nodes print signatures in any order, and print none for a GAMetaTx. */
function signatureMismatch(
  claimed: Json | undefined,
  { tx, signatures: proven }: ParsedSigned,
  protocol: number,
): Mismatch | undefined {
  if (tx['type'] === 'GAMetaTx')
    return claimed === undefined ? undefined : { field: 'signatures', reason: 'a GAMetaTx has none' };
  const sorted = Array.isArray(claimed) ? [...claimed].sort() : undefined;
  return differenceOf(sorted, [...proven].sort(), { protocol }, 'signatures');
}
