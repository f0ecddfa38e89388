/**
 * Coins that the genesis block, and the first key blocks of Minerva, Fortuna and Lima, gave to accounts of the main network and the test network. They stand in
 * no block: the source of the node has lists of them, and so has this package, in `presets`.
 */
import { knownNetwork } from '../networks.js';
import { FORTUNA, LIMA, MINERVA, ROMA } from '../protocol/versions.js';
import type { Kind } from './kinds.js';
import { accountOf } from './movement.js';
import type { Movement } from './movement.js';

/** The lists of a network, by the kind of their movements, with the protocol version whose first key block gives the coins; in the order of the node. */
const VERSIONS = {
  preset: ROMA,
  preset_minerva: MINERVA,
  preset_fortuna: FORTUNA,
  preset_lima: LIMA,
  preset_extra_lima: LIMA,
  preset_contract_lima: LIMA,
} as const satisfies Partial<Record<Kind, number>>;

type PresetKind = keyof typeof VERSIONS;

export const PRESET_KINDS = Object.keys(VERSIONS) as PresetKind[];

interface Listed {
  /** SHA-256 of the file. */
  checksum: string;
  /** What each list gives. */
  sums: Readonly<Record<PresetKind, bigint>>;
}

/** Networks of which there are lists. */
const LISTED: ReadonlyMap<string, Listed> = new Map([
  [
    'ae_mainnet',
    {
      checksum: '641328192dd5f62bb5a4658cdaf3efa26f56c73adbcbf54519bcef3db3673427',
      sums: {
        preset: 89_451_376_822_397_976_634_367_408n,
        preset_minerva: 27_051_422_546_127_651_538_826_703n,
        preset_fortuna: 72_681_157_406_723_951_132_840_970n,
        preset_lima: 54_562_067_124_008_719_421_502_532n,
        preset_extra_lima: 2_764_503_334_993_231_524_607_282n,
        preset_contract_lima: 29_622_067_581_238_053_773_524_138n,
      },
    },
  ],
  [
    'ae_uat',
    {
      checksum: '0bf4c7e46e0299d21ed770b5d6da6c71b5c617bbdc15ba08790f289197b62958',
      sums: {
        preset: 100_000_000_000_001n,
        preset_minerva: 2_100_000_000_000_000_000_000_011n,
        preset_fortuna: 0n,
        preset_lima: 0n,
        preset_extra_lima: 1_000_000_000_000_000_000_000n,
        preset_contract_lima: 2_448_618_414_302_482_322n,
      },
    },
  ],
]);

/** Of the file of a network; undefined if there is none. */
export const presetsChecksum = (networkId: string): string | undefined => LISTED.get(networkId)?.checksum;

/** Heights whose key blocks give coins, as the lists of the network say. */
export const presetHeights = (networkId: string): number[] =>
  LISTED.has(networkId) ? forksOf(networkId).map(({ height }) => height) : [];

/** What all key blocks below a height gave; undefined if there are no lists of the network. */
export function presetsBelow(networkId: string, height: number): bigint | undefined {
  const listed = LISTED.get(networkId);
  if (listed === undefined) return undefined;
  const begun = forksOf(networkId).filter((fork) => fork.height < height);
  const given = PRESET_KINDS.filter((kind) => begun.some(({ version }) => version === VERSIONS[kind]));
  return given.reduce((sum, kind) => sum + listed.sums[kind], 0n);
}

const forksOf = (networkId: string): { version: number; height: number }[] =>
  (knownNetwork(networkId)?.forks ?? []).filter(({ version }) =>
    (Object.values(VERSIONS) as number[]).includes(version),
  );

/** What the first key block of a protocol version gives, from a file: lines with the kind of a list, and below it with an id and an amount. */
export function readPresets(text: string, version: number): Movement[] {
  const found: Movement[] = [];
  let kind: PresetKind | undefined;
  for (const line of text.trim().split('\n')) {
    const [id = '', amount] = line.split(' ');
    if (amount === undefined) kind = PRESET_KINDS.find((one) => one === id);
    // Some accounts were created without coins.
    else if (kind !== undefined && VERSIONS[kind] === version && amount !== '0')
      found.push({ account: accountOf(id), kind, amount: BigInt(amount), counterparty: null });
  }
  return found;
}
