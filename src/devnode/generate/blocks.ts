import { hash } from '../../chain/encoding/encoding.js';
import { stringifyExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import { SIGNATURE_BYTES, keyHeaderBytes, microHeaderBytes } from '../../chain/serialize/headers.js';
import { PROOF_LENGTH } from '../../chain/protocol/blocks.js';
import { NO_INFO, keyBlockInfo } from '../key-block-info.js';
import { transactionsRoot } from '../../chain/serialize/txs-root.js';
import { createProver } from './proof-of-work.js';
import { keyPair } from './signing.js';
import type { KeyPair } from './signing.js';
import type { Identities } from './identities.js';
import type { Random } from './random.js';

interface BuiltBlock {
  id: string;
  hash: Uint8Array;
  /** As the node prints it. */
  text: string;
}

interface KeyBlockPlan {
  height: number;
  version: number;
  target: number;
  time: number;
  /** Ids of the parent block and of the previous key block; absent for the genesis block. */
  previous?: { id: string; keyId: string };
}

interface MicroBlockPlan {
  height: number;
  version: number;
  time: number;
  previous: { id: string; keyId: string };
  /** Number of the leader of this generation, which `keyBlock` returned. */
  leader: number;
  /** The serialised signed transactions. */
  transactions: readonly Uint8Array[];
}

const ZERO = new Uint8Array(32);
const LEADERS = 12;
const BENEFICIARIES = 5;

interface BlockMaker {
  keyBlock(plan: KeyBlockPlan, random: Random): BuiltBlock & { leader: number };
  microBlock(plan: MicroBlockPlan, random: Random): BuiltBlock;
}

/** Builds blocks of generated chains. With `edgeBits`, key blocks have a proof of work. */
export function createBlockMaker(ids: Identities, seed: string, edgeBits: number | undefined): BlockMaker {
  const withProof = edgeBits === undefined ? undefined : createProver(edgeBits);
  const leaders: KeyPair[] = Array.from({ length: LEADERS }, (_, i) =>
    keyPair(hash(Buffer.from(`leader ${i} of ${seed}`))),
  );
  const beneficiaries = Array.from({ length: BENEFICIARIES }, (_, i) =>
    hash(Buffer.from(`beneficiary ${i} of ${seed}`)),
  );

  function genesis({ height, version, target, time }: KeyBlockPlan): JsonObject {
    return {
      beneficiary: ids.encode('ak', ZERO),
      height,
      info: NO_INFO,
      miner: ids.encode('ak', ZERO),
      prev_hash: ids.encode('kh', ZERO),
      prev_key_hash: ids.encode('kh', ZERO),
      // Chains with different seeds have different genesis blocks, as different networks do.
      state_hash: ids.encode('bs', hash(Buffer.from(seed))),
      target,
      time,
      version,
    };
  }

  function minedBlock(plan: KeyBlockPlan, random: Random, leader: number): JsonObject {
    const { height, version, target, time, previous } = plan;
    const block: JsonObject = {
      beneficiary: ids.encode('ak', beneficiaries[random.int(0, BENEFICIARIES - 1)]!),
      height,
      info: keyBlockInfo(version),
      miner: ids.encode('ak', leaders[leader]!.publicKey),
      nonce: random.chance(0.02) ? random.int(0, 9) : (BigInt(random.word()) << 32n) | BigInt(random.word()),
      pow: fakeProof(random),
      prev_hash: previous!.id,
      prev_key_hash: previous!.keyId,
      state_hash: ids.encode('bs', random.bytes(32)),
      target,
      time,
      version,
    };
    return withProof === undefined ? block : withProof(block, BigInt(random.word()));
  }

  return {
    keyBlock(plan, random) {
      const leader = random.int(0, LEADERS - 1);
      const block = plan.previous === undefined ? genesis(plan) : minedBlock(plan, random, leader);
      const bytes = hash(keyHeaderBytes(block, ids.decode));
      const id = ids.encode('kh', bytes);
      return { id, hash: bytes, text: withHash(block, id), leader };
    },

    microBlock({ height, version, time, previous, leader, transactions }, random) {
      const header: JsonObject = {
        height,
        pof_hash: 'no_fraud',
        prev_hash: previous.id,
        prev_key_hash: previous.keyId,
        state_hash: ids.encode('bs', random.bytes(32)),
        time,
        txs_hash: ids.encode('bx', transactionsRoot(transactions)),
        version,
      };
      const message = microHeaderBytes(header, ids.decode);
      const signature = leaders[leader]!.sign(message);
      const signed: JsonObject = {
        height,
        pof_hash: 'no_fraud',
        prev_hash: previous.id,
        prev_key_hash: previous.keyId,
        signature: ids.encode('sg', signature),
        state_hash: header['state_hash']!,
        time,
        txs_hash: header['txs_hash']!,
        version,
      };
      const bytes = hash(message.subarray(0, -SIGNATURE_BYTES), signature);
      const id = ids.encode('mh', bytes);
      return { id, hash: bytes, text: withHash(signed, id) };
    },
  };
}

/** Adds `hash` so that members stay sorted: in key blocks after `beneficiary`, in micro blocks as the first member. */
function withHash(block: JsonObject, id: string): string {
  const { beneficiary, ...rest } = block;
  return stringifyExact(beneficiary === undefined ? { hash: id, ...rest } : { beneficiary, hash: id, ...rest });
}

/** 42 ascending numbers, which look like a proof of work. */
function fakeProof(random: Random): number[] {
  const pow: number[] = [];
  for (let part = random.int(0, 9_000_000); pow.length < PROOF_LENGTH; part += random.int(1, 12_000_000))
    pow.push(part);
  return pow;
}
