/** What is known of each network before a node is asked: its genesis block, its forks, the rules of its key blocks, and its coin. */
import type { Consensus } from './protocol/generations.js';
import { hasRewardTable } from './protocol/rewards.js';
import { CERES, FORTUNA, IRIS, LIMA, MINERVA, ROMA } from './protocol/versions.js';

/** The first height of a protocol version. */
export interface Fork {
  version: number;
  height: number;
}

/** The proof of work of key blocks. */
interface Work {
  /** Size of the graphs, see `cuckoo.ts`. */
  edgeBits: number;
  /** Intended time between key blocks, ms. Absent if it is not known: then targets are not checked. */
  intervalMs?: number | undefined;
}

export interface Network {
  id: string;
  /** Hash of key block 0, if it is known. */
  genesisHash?: string | undefined;
  /** By ascending height; empty if they are not known. */
  forks: readonly Fork[];
  /** Absent if key blocks have no proof of work, or if it is not known. */
  work?: Work | undefined;
}

/** The coin of a network. All amounts are in its smallest unit. */
export interface Currency {
  name: string;
  symbol: string;
  /** Name of the smallest unit. */
  subunit: string;
  /** Digits after the point: one coin has 10^digits of the smallest unit. */
  digits: number;
}

/** The coin of the networks that are built in, and of every network whose nodes have not said another one. */
export const AE: Currency = { name: 'aeternity', symbol: 'AE', subunit: 'aetto', digits: 18 };

/** Intended time between key blocks of the main network and the test network, ms. */
export const INTERVAL_MS = 180_000;

const forks = (...heights: readonly [number, number, number, number, number]): readonly Fork[] =>
  [0, ...heights].map((height, i) => ({ version: [ROMA, MINERVA, FORTUNA, LIMA, IRIS, CERES][i]!, height }));

/** The networks that are built in. */
export const KNOWN: readonly (Network & { genesisHash: string })[] = [
  {
    id: 'ae_mainnet',
    genesisHash: 'kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z',
    forks: forks(47_800, 90_800, 161_150, 441_444, 941_700),
    work: { edgeBits: 29, intervalMs: INTERVAL_MS },
  },
  {
    id: 'ae_uat',
    genesisHash: 'kh_wUCideEB8aDtUaiHCtKcfywU6oHZW6gnyci8Mw6S1RSTCnCRu',
    forks: forks(40_900, 82_900, 154_300, 425_900, 939_750),
    work: { edgeBits: 29, intervalMs: INTERVAL_MS },
  },
];

/** A network that is built in. */
export const knownNetwork = (id: string): (typeof KNOWN)[number] | undefined =>
  KNOWN.find((network) => network.id === id);

/** What the administrator says of the proof of work. A value replaces the known one; 0 edge bits: there is none. */
export interface WorkSettings {
  powEdgeBits: number | undefined;
  powIntervalMs: number | undefined;
}

/** A network by its id. `reported`: the forks that its nodes report, by ascending height; they count if the forks are not known. */
export function networkOf(id: string, settings: WorkSettings, reported: readonly Fork[] = []): Network {
  const known = knownNetwork(id);
  const edgeBits = settings.powEdgeBits ?? known?.work?.edgeBits ?? 0;
  const intervalMs = settings.powIntervalMs ?? known?.work?.intervalMs;
  return {
    id,
    genesisHash: known?.genesisHash,
    forks: known?.forks ?? reported,
    work: edgeBits === 0 ? undefined : { edgeBits, intervalMs },
  };
}

/**
 * The forks to record for a network that is not built in. `recorded`: those of the copy; `reported`: those that a node reports now. At the heights that
 * are stored, the recorded ones stay as long as the stored head agrees with them; above it, a network may plan a fork at any time.
 */
export function recordedForks(
  recorded: readonly Fork[],
  reported: readonly Fork[],
  head: { height: number; version: number } | null,
): readonly Fork[] {
  if (head === null) return reported;
  const agrees = (all: readonly Fork[]): boolean => versionOf(all, head.height) === head.version;
  if (!agrees(recorded)) return agrees(reported) ? reported : [];
  return [
    ...recorded.filter(({ height }) => height <= head.height),
    ...reported.filter(({ height }) => height > head.height),
  ];
}

const versionOf = (forks: readonly Fork[], height: number): number | undefined =>
  forks.findLast((fork) => fork.height <= height)?.version;

/** The protocol version of a height; undefined if the forks of the network are not known. */
export const versionAt = ({ forks: all }: Network, height: number): number | undefined => versionOf(all, height);

/** What the copy holds of its network. */
export interface RecordedNetwork {
  id: string;
  genesisHash: string;
  /** Undefined while there is only the genesis block. */
  consensus: Consensus | undefined;
  /** Mean time between the newest key blocks, ms; undefined if there are too few. */
  measuredMs: number | undefined;
  /** Undefined if no node has told it. */
  currency: Currency | undefined;
}

/** What is said of a network to clients and in reports. */
interface NetworkFacts extends Omit<RecordedNetwork, 'measuredMs' | 'currency'> {
  /** Time between key blocks, ms: the intended one of networks that are built in, and otherwise the measured one. */
  blockMs: number | undefined;
  /** Whether the table of the protocol says what key blocks issue. */
  hasRewardTable: boolean;
  currency: Currency;
}

export function factsOf({ measuredMs, currency, ...recorded }: RecordedNetwork): NetworkFacts {
  const known = knownNetwork(recorded.id);
  return {
    ...recorded,
    blockMs: known?.work?.intervalMs ?? measuredMs,
    hasRewardTable: hasRewardTable(recorded.consensus),
    currency: known === undefined ? (currency ?? AE) : AE,
  };
}
