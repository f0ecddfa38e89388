/** Rules that differ from network to network and from protocol to protocol. */
import { CERES, MINERVA, ROMA } from '../../chain/protocol/versions.js';

/** A protocol and the height from which on it rules. */
export interface Protocol {
  version: number;
  effective_at_height: number;
}

/** `early` are the rules of the specification: `.test` names for 50000 generations without auctions, fees of 1 and more. */
type Profile = 'early' | 'modern';

export interface RuleOptions {
  profile?: Profile;
  protocols?: readonly Protocol[];
  /** Generations after which a generation is paid out. */
  rewardDelay?: number;
  /** Min price of gas that this node takes, in aettos. */
  minerGasPrice?: bigint;
  /** ak_ that gets a share of rewards while the protocol is Fortuna, Lima or Iris; that of all networks but the test network if absent. */
  protocolBeneficiary?: string;
  /** Thousandths of the share. */
  protocolShare?: bigint;
}

export interface Rules {
  profile: Profile;
  protocols: readonly Protocol[];
  protocolAt(height: number): number;
  rewardDelay: number;
  minerGasPrice: bigint;
  protocolBeneficiary: string;
  protocolShare: bigint;
  /** Of the protocol, in aettos. */
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
  const { profile = 'modern', rewardDelay = REWARD_DELAY, minerGasPrice = MINER_GAS_PRICE } = options;
  const protocols = options.protocols ?? PROTOCOLS[profile];
  return {
    profile,
    protocols,
    protocolAt: (height) => protocolAt(protocols, height),
    rewardDelay,
    minerGasPrice,
    protocolBeneficiary: options.protocolBeneficiary ?? PROTOCOL_BENEFICIARY,
    protocolShare: options.protocolShare ?? PROTOCOL_SHARE,
    minimumGasPrice: (version) => (version >= MINERVA ? 1_000_000n : 1n),
  };
}

/** The newest version in effect. */
function protocolAt(protocols: readonly Protocol[], height: number): number {
  let version = ROMA;
  for (const protocol of protocols) {
    if (protocol.effective_at_height <= height) version = Math.max(version, protocol.version);
  }
  return version;
}
