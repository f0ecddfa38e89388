/** Rules that depend on the network and the protocol version. */
import { microHeightAfter } from '../../../src/chain/protocol/generations.js';
import type { Consensus } from '../../../src/chain/protocol/generations.js';
import { CERES, MINERVA, ROMA } from '../../../src/chain/protocol/versions.js';
import { createEpochs } from './epochs.js';
import type { Epochs } from './epochs.js';

/** A protocol version and the height from which it is in effect. */
export interface Protocol {
  version: number;
  effective_at_height: number;
}

/** `early`: the rules of the specification, with `.test` names for 50000 generations, without auctions, and with fees of at least 1. */
type Profile = 'early' | 'modern';

export interface RuleOptions {
  profile?: Profile;
  /** `pow` if absent. */
  consensus?: Consensus | undefined;
  /** Of a hyperchain: key blocks of each epoch in turn. */
  epochs?: readonly number[] | undefined;
  protocols?: readonly Protocol[];
  /** Number of generations after which the rewards of a generation are paid. */
  rewardDelay?: number;
  /** Min gas price that this node accepts, in aettos. */
  minerGasPrice?: bigint;
  /** ak_ that gets a share of rewards under Fortuna, Lima and Iris; if absent, that of all networks except the test network. */
  protocolBeneficiary?: string;
  /** This share, in thousandths. */
  protocolShare?: bigint;
}

export interface Rules {
  profile: Profile;
  consensus: Consensus;
  /** Only hyperchains have some. */
  epochs: Epochs;
  protocols: readonly Protocol[];
  protocolAt(height: number): number;
  /** Height of the micro blocks after the key block of a height. */
  microHeightAfter(height: number): number;
  rewardDelay: number;
  minerGasPrice: bigint;
  protocolBeneficiary: string;
  protocolShare: bigint;
  /** Min gas price of the protocol, in aettos. */
  minimumGasPrice(version: number): bigint;
}

const PROTOCOLS: Readonly<Record<Profile, readonly Protocol[]>> = {
  early: [{ version: ROMA, effective_at_height: 0 }],
  modern: [
    { version: CERES, effective_at_height: 1 },
    { version: ROMA, effective_at_height: 0 },
  ],
};
const REWARD_DELAY = 180;
const MINER_GAS_PRICE = 1_000_000_000n;
const PROTOCOL_BENEFICIARY = 'ak_2KAcA2Pp1nrR8Wkt3FtCkReGzAi8vJ9Snxa4PcmrthVx8AhPe8';
const PROTOCOL_SHARE = 109n;

export function createRules(options: RuleOptions = {}): Rules {
  const { profile = 'modern', consensus = 'pow' } = options;
  const { rewardDelay = REWARD_DELAY, minerGasPrice = MINER_GAS_PRICE } = options;
  const protocols = options.protocols ?? PROTOCOLS[profile];
  return {
    profile,
    consensus,
    epochs: createEpochs(options.epochs),
    protocols,
    microHeightAfter: (height) => microHeightAfter(height, consensus),
    protocolAt: (height) => protocolAt(protocols, height),
    rewardDelay,
    minerGasPrice,
    protocolBeneficiary: options.protocolBeneficiary ?? PROTOCOL_BENEFICIARY,
    protocolShare: options.protocolShare ?? PROTOCOL_SHARE,
    minimumGasPrice: (version) => (version >= MINERVA ? 1_000_000n : 1n),
  };
}

/** The newest version in effect at a height. */
function protocolAt(protocols: readonly Protocol[], height: number): number {
  let version = ROMA;
  for (const protocol of protocols) {
    if (protocol.effective_at_height <= height) version = Math.max(version, protocol.version);
  }
  return version;
}
