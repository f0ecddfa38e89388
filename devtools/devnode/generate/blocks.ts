import { encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { SIGNATURE_BYTES, keyHeaderBytes, microHeaderBytes } from '../../../src/chain/serialize/headers.js';
import { PROOF_LENGTH } from '../../../src/chain/protocol/blocks.js';
import type { Consensus } from '../../../src/chain/protocol/generations.js';
import { NO_INFO, keyBlockInfo } from '../key-block-info.js';
import { transactionsRoot } from '../../../src/chain/serialize/txs-root.js';
import { createProver } from './proof-of-work.js';
import { leadersOf } from './genesis-state.js';
import type { Epochs } from '../ledger/epochs.js';
import type { Identities } from './identities.js';
import { createRandom } from './random.js';
import type { Random } from './random.js';

interface BuiltBlock {
  id: string;
  hash: Uint8Array;
  /** As the node prints it. */
  text: string;
}

/** What a block says of the blocks before it. */
export interface PreviousBlocks {
  /** Ids of the parent block and of the previous key block. */
  id: string;
  keyId: string;
  /** Target of the previous key block; only hyperchains read it. */
  target: number;
}

interface KeyBlockPlan {
  height: number;
  version: number;
  target: number;
  time: number;
  /** Absent for the genesis block. */
  previous?: PreviousBlocks;
}

interface MicroBlockPlan {
  height: number;
  version: number;
  time: number;
  previous: PreviousBlocks;
  /** Number of the leader of this generation, which `keyBlock` returned. In a hyperchain the leader of the next one makes the block. */
  leader: number;
  /** The serialised signed transactions. */
  transactions: readonly Uint8Array[];
}

/** Flags of the blocks of a hyperchain. */
const FLAGS = {
  genesis: 0x80000000,
  keyBlock: 0xc0000000,
  lastOfEpoch: 0xd0000000,
  /** The next leader made it for one that stayed away. */
  hole: 0xe0000000,
  microBlock: 0,
};
/** Share of the key blocks that are holes. */
const HOLES = 0.05;

const ZERO = new Uint8Array(32);
const BENEFICIARIES = 5;

interface BlockMaker {
  keyBlock(plan: KeyBlockPlan, random: Random): BuiltBlock & { leader: number; target: number };
  microBlock(plan: MicroBlockPlan, random: Random): BuiltBlock;
}

interface MakerOptions {
  consensus: Consensus;
  /** Only hyperchains have some. */
  epochs: Epochs;
  /** Edge bits of the proof of work that key blocks have; without it, proofs are fake. */
  edgeBits: number | undefined;
}

/** Builds blocks of generated chains. */
export function createBlockMaker(
  ids: Identities,
  seed: string,
  { consensus, epochs, edgeBits }: MakerOptions,
): BlockMaker {
  const withProof = edgeBits === undefined ? undefined : createProver(edgeBits);
  const leaders = leadersOf(seed);
  const beneficiaries = Array.from({ length: BENEFICIARIES }, (_, i) =>
    hash(Buffer.from(`beneficiary ${i} of ${seed}`)),
  );

  function genesis({ height, version, target, time }: KeyBlockPlan): JsonObject {
    return {
      beneficiary: ids.encode('ak', ZERO),
      ...(consensus === 'hyperchain' && { flags: flagsText(FLAGS.genesis) }),
      height,
      info: NO_INFO,
      miner: ids.encode('ak', ZERO),
      prev_hash: ids.encode('kh', ZERO),
      prev_key_hash: ids.encode('kh', ZERO),
      // Chains with different seeds have different genesis blocks, as different networks do.
      state_hash: ids.encode('bs', hash(Buffer.from(seed))),
      target: consensus === 'hyperchain' ? 0 : target,
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
    if (consensus === 'hyperchain') return ledBlock(block, plan, random, leader);
    if (consensus === 'on_demand') return without(block, ['nonce', 'pow']);
    return withProof === undefined ? block : withProof(block, BigInt(random.word()));
  }

  /** The number of the leader of the key block after this one, and of the micro blocks between them. */
  const nextLeader = (keyId: string): number => createRandom(seed, 'leader', keyId).int(0, leaders.length - 1);

  /** The key block of a hyperchain: its leader signs it, and its target says how many key blocks are no holes. */
  function ledBlock(block: JsonObject, { height, previous }: KeyBlockPlan, random: Random, leader: number): JsonObject {
    const isLast = epochs.isLast(height);
    const isMissed = random.chance(HOLES);
    const unsigned: JsonObject = {
      ...without(block, ['nonce', 'pow']),
      beneficiary: block['miner']!,
      flags: flagsText(isMissed ? FLAGS.hole : isLast ? FLAGS.lastOfEpoch : FLAGS.keyBlock),
      target: isMissed ? previous!.target : isLast ? height : previous!.target + 1,
    };
    const signature = Buffer.from(leaders[leader]!.sign(keyHeaderBytes(unsigned, ids.decode)));
    const numbers = Array.from({ length: signature.length / 4 }, (_, i) => signature.readUInt32BE(i * 4));
    const pow = [...numbers, ...Array<number>(PROOF_LENGTH - numbers.length).fill(0)];
    return { ...unsigned, nonce: 0, pow };
  }

  return {
    keyBlock(plan, random) {
      const { previous } = plan;
      const isLed = consensus === 'hyperchain' && previous !== undefined;
      const leader = isLed ? nextLeader(previous.keyId) : random.int(0, leaders.length - 1);
      const block = previous === undefined ? genesis(plan) : minedBlock(plan, random, leader);
      const bytes = hash(keyHeaderBytes(block, ids.decode));
      const id = ids.encode('kh', bytes);
      return { id, hash: bytes, text: withHash(block, id), leader, target: block['target'] as number };
    },

    microBlock({ height, version, time, previous, leader, transactions }, random) {
      const isLed = consensus === 'hyperchain';
      const flags: JsonObject = isLed ? { flags: flagsText(FLAGS.microBlock) } : {};
      const header: JsonObject = {
        ...flags,
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
      const signature = leaders[isLed ? nextLeader(previous.keyId) : leader]!.sign(message);
      const signed: JsonObject = {
        ...flags,
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

/** The text of a block with its hash; members are sorted, as nodes print them. */
const withHash = (block: JsonObject, id: string): string => stringifyExact(sortedMembers({ ...block, hash: id }));

function flagsText(flags: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(flags);
  return encodeId('ba', bytes);
}

/** Whether the flags of a key block say that it is a hole. */
export const isHole = (flags: string | undefined): boolean => flags === flagsText(FLAGS.hole);

const without = (block: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(block).filter(([member]) => !members.includes(member)));

const sortedMembers = (block: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1)));

/** 42 ascending numbers, which look like a proof of work. */
function fakeProof(random: Random): number[] {
  const pow: number[] = [];
  for (let part = random.int(0, 9_000_000); pow.length < PROOF_LENGTH; part += random.int(1, 12_000_000))
    pow.push(part);
  return pow;
}
