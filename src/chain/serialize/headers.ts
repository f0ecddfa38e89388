import { CERES } from '../protocol/versions.js';
import { decodeId } from '../encoding/encoding.js';
import type { IdPrefix } from '../encoding/encoding.js';
import type { Json } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { PROOF_LENGTH } from '../protocol/blocks.js';
import type { Decode } from './fields.js';
import { isSpelling } from './spellings.js';

/** Newest protocol version whose header format is known. Later protocols may change it. */
export const NEWEST_VERSION = CERES;
/** Size of a serialised key block header without `info`. */
const KEY_HEADER_BYTES = 364;
const MICRO_HEADER_BYTES = 216;
/** Where `pow` and the nonce begin in the header of a key block. */
const SEAL_AT = 180;
/** Size of the signature at the end of a micro block header. */
export const SIGNATURE_BYTES = 64;
const KEY_FLAG = 0x80000000;
const EXTRA_FLAG = 0x40000000;

/** Identifiers in the order of the header. */
const LINKS = [
  ['prev_hash', undefined],
  ['prev_key_hash', 'kh'],
  ['state_hash', 'bs'],
] as const;
const KEY_IDS = [...LINKS, ['miner', 'ak'], ['beneficiary', 'ak']] as const;
const MICRO_IDS = [...LINKS, ['txs_hash', 'bx']] as const;

type Members = { readonly [key: string]: Json };

/**
 * Serialises the header of a key block from the node's JSON, for all six protocol versions. The BLAKE2b hash of the bytes is the hash of the
 * block. Absent `nonce` and `pow`, as in the genesis block and in candidates, count as zero. Throws `MalformedError`, which names the wrong member.
 */
export function keyHeaderBytes(block: Members, decode: Decode = decodeId): Uint8Array {
  const version = small(block, 'version');
  const isWithoutInfo = block['info'] === undefined && isSpelling('withoutInfo', version);
  const info = isWithoutInfo ? new Uint8Array(0) : bytesOf(block, 'info', 'cb', decode);
  if (info.length !== 0 && info.length !== 4) throw new MalformedError('info: neither 0 nor 4 bytes');
  const out = Buffer.alloc(KEY_HEADER_BYTES + info.length);
  out.writeUInt32BE(version, 0);
  out.writeUInt32BE(flagsOf(block, info.length === 4 ? KEY_FLAG + EXTRA_FLAG : KEY_FLAG, decode), 4);
  out.writeBigUInt64BE(long(block, 'height'), 8);
  let at = 16;
  for (const [member, prefix] of KEY_IDS) {
    out.set(bytes32(block, member, prefix, decode), at);
    at += 32;
  }
  out.writeUInt32BE(small(block, 'target'), at);
  at += 4;
  if (block['pow'] !== undefined || block['nonce'] !== undefined) writeSeal(block, out.subarray(at));
  at += PROOF_LENGTH * 4;
  out.writeBigUInt64BE(long(block, 'time'), at + 8);
  out.set(info, at + 16);
  return out;
}

/**
 * The flags as they are printed, because hyperchains have more of them, which follow from nothing else in the block; without `flags`, those that
 * follow from the other members. `expected`: these.
 */
function flagsOf(block: Members, expected: number, decode: Decode): number {
  if (block['flags'] === undefined) return expected;
  const bytes = bytesOf(block, 'flags', 'ba', decode);
  if (bytes.length !== 4) throw new MalformedError('flags: not 4 bytes');
  const flags = Buffer.from(bytes).readUInt32BE();
  // These two decide how the bytes are read.
  const isSame = [KEY_FLAG, EXTRA_FLAG].every((flag) => flags % (flag * 2) >= flag === expected % (flag * 2) >= flag);
  if (!isSame) throw new MalformedError('flags: not those of such a block');
  return flags;
}

/** The header of a key block of a hyperchain as its leader signs it, and the signature, which is at the place of the proof of work. */
export const sealOf = (header: Uint8Array): { message: Uint8Array; signature: Uint8Array } => ({
  message: Uint8Array.from(header).fill(0, SEAL_AT, SEAL_AT + PROOF_LENGTH * 4 + 8),
  signature: header.subarray(SEAL_AT, SEAL_AT + SIGNATURE_BYTES),
});

function writeSeal(block: Members, out: Buffer): void {
  const { pow } = block;
  if (!Array.isArray(pow) || pow.length !== PROOF_LENGTH) throw new MalformedError('pow: not 42 integers');
  const parts = pow.map((part) => Number(integer(part, 'pow', 0xffffffffn)));
  parts.forEach((part, index) => out.writeUInt32BE(part, index * 4));
  const nonce = long(block, 'nonce');
  out.writeBigUInt64BE(nonce, PROOF_LENGTH * 4);
  if (nonce === 0n && parts.every((part) => part === 0))
    throw new MalformedError('pow: zeros, which nodes do not print');
}

/**
 * Serialises the header of a micro block from the node's JSON. The BLAKE2b hash of the bytes is the hash of the block. The leader signs the same
 * bytes with a signature of zeros, so an absent `signature` returns the bytes to sign. Throws `MalformedError`, which names the wrong member.
 */
export function microHeaderBytes(header: Members, decode: Decode = decodeId): Uint8Array {
  const fraud = header['pof_hash'] === 'no_fraud' ? undefined : bytes32(header, 'pof_hash', 'bf', decode);
  const out = Buffer.alloc(MICRO_HEADER_BYTES + (fraud === undefined ? 0 : 32));
  out.writeUInt32BE(small(header, 'version'), 0);
  out.writeUInt32BE(flagsOf(header, fraud === undefined ? 0 : EXTRA_FLAG, decode), 4);
  out.writeBigUInt64BE(long(header, 'height'), 8);
  let at = 16;
  for (const [member, prefix] of MICRO_IDS) {
    out.set(bytes32(header, member, prefix, decode), at);
    at += 32;
  }
  out.writeBigUInt64BE(long(header, 'time'), at);
  at += 8;
  if (fraud !== undefined) {
    out.set(fraud, at);
    at += 32;
  }
  if (header['signature'] !== undefined) {
    const signature = decodeId(text(header, 'signature'), 'sg');
    if (signature.length !== SIGNATURE_BYTES) throw new MalformedError('signature: not 64 bytes');
    out.set(signature, at);
  }
  return out;
}

function text(object: Members, member: string): string {
  const value = object[member];
  if (typeof value !== 'string') throw new MalformedError(`${member}: not a text`);
  return value;
}

/** `prefix`: undefined for the hash of the block before. */
function bytes32(object: Members, member: string, prefix: IdPrefix | undefined, decode: Decode): Uint8Array {
  const bytes = bytesOf(object, member, prefix ?? prefixOfPrevious(object, text(object, member)), decode);
  if (bytes.length !== 32) throw new MalformedError(`${member}: not 32 bytes`);
  return bytes;
}

function bytesOf(object: Members, member: string, prefix: IdPrefix, decode: Decode): Uint8Array {
  const id = text(object, member);
  if (!id.startsWith(`${prefix}_`)) throw new MalformedError(`${member}: not ${prefix}_…`);
  return decode(id);
}

/** The block before is a key block if it is the previous key block. Before the genesis block there is none, and its hash is printed as that of a key block. */
const prefixOfPrevious = (object: Members, id: string): IdPrefix =>
  object['height'] === 0 || text(object, 'prev_key_hash').slice(3) === id.slice(3) ? 'kh' : 'mh';

const small = (object: Members, member: string): number => Number(integer(object[member], member, 0xffffffffn));
const long = (object: Members, member: string): bigint => integer(object[member], member, 0xffffffffffffffffn);

function integer(value: Json | undefined, member: string, max: bigint): bigint {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value)))
    throw new MalformedError(`${member}: not an integer`);
  const exact = BigInt(value);
  if (exact < 0n || exact > max) throw new MalformedError(`${member}: out of range`);
  return exact;
}
