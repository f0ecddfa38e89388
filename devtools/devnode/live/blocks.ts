/** Builds key blocks and micro blocks of a live chain, with the hashes that a node computes. */
import { encodeId, decodeId, hash } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { keyHeaderBytes, microHeaderBytes } from '../../../src/chain/serialize/headers.js';
import { transactionsRoot } from '../../../src/chain/serialize/txs-root.js';
import type { KeyPair } from '../generate/signing.js';
import { HIGHEST_TARGET } from '../../../src/chain/work/target.js';
import { NO_INFO, keyBlockInfo } from '../key-block-info.js';
import type { KeyBlockChoice } from './types.js';

const NOBODY = 'ak_11111111111111111111111111111111273Yts';
const NO_BLOCK = 'kh_11111111111111111111111111111111273Yts';

interface BuiltBlock {
  id: string;
  hash: Uint8Array;
  /** As the node prints it. */
  text: string;
}

/** The block on which a new block is built. */
export interface ParentInfo {
  /** Hash of the parent block. */
  id: string;
  /** Hash of the previous key block. */
  keyId: string;
  height: number;
  version: number;
  /** bs_ of the parent block. */
  stateHash: string;
}

/**
 * State hashes here only distinguish states. They are made of the previous state hash and the content of the block. In a real node they are the
 * roots of state trees, which the simulated node does not have.
 */
const nextStateHash = (before: string, ...parts: readonly Uint8Array[]): string =>
  encodeId('bs', hash(decodeId(before, 'bs'), ...parts));

export function genesisBlock(seed: string, time: number, version: number): BuiltBlock {
  return hashedKeyBlock({
    beneficiary: NOBODY,
    height: 0,
    info: NO_INFO,
    miner: NOBODY,
    prev_hash: NO_BLOCK,
    prev_key_hash: NO_BLOCK,
    state_hash: encodeId('bs', hash(Buffer.from(seed))),
    target: HIGHEST_TARGET,
    time,
    version,
  });
}

/** The next key block without `hash`, `nonce` and `pow`. */
export function keyBlockOn(
  place: ParentInfo,
  { beneficiary, miner, target, time }: KeyBlockChoice,
  nodeId: string,
): JsonObject {
  return {
    beneficiary,
    height: place.height + 1,
    info: keyBlockInfo(place.version),
    miner: miner ?? nodeId,
    prev_hash: place.id,
    prev_key_hash: place.keyId,
    state_hash: nextStateHash(place.stateHash, decodeId(beneficiary, 'ak')),
    target,
    time,
    version: place.version,
  };
}

/** A complete key block with its hash; members are sorted by name. */
export function hashedKeyBlock(block: JsonObject): BuiltBlock {
  const { beneficiary, hash: _, ...rest } = block;
  const bytes = hash(keyHeaderBytes(block));
  const id = encodeId('kh', bytes);
  return { id, hash: bytes, text: stringifyExact({ beneficiary, hash: id, ...sorted(rest) }) };
}

const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

export function microBlockOn(
  place: ParentInfo,
  time: number,
  transactions: readonly Uint8Array[],
  leader: KeyPair,
): BuiltBlock {
  const header: JsonObject = {
    height: place.height,
    pof_hash: 'no_fraud',
    prev_hash: place.id,
    prev_key_hash: place.keyId,
    state_hash: nextStateHash(place.stateHash, ...transactions.map((signed) => hash(signed))),
    time,
    txs_hash: encodeId('bx', transactionsRoot(transactions)),
    version: place.version,
  };
  const signature = encodeId('sg', leader.sign(microHeaderBytes(header)));
  const bytes = hash(microHeaderBytes({ ...header, signature }));
  const id = encodeId('mh', bytes);
  return { id, hash: bytes, text: stringifyExact({ hash: id, ...sorted({ ...header, signature }) }) };
}
