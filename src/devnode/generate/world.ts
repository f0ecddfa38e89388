/**
 * What the generator knows of the state of the chain after some block. Records are never changed but replaced, so that a copy of the lists is a copy of
 * the world: every block has its own, and a fork starts from there. Old records are forgotten to keep it small.
 */
import { PRECLAIM_LIFETIME } from '../../chain/protocol/name-rules.js';

interface Preclaim {
  commitment: string;
  account: string;
  name: string;
  salt: number;
  height: number;
}

export interface Name {
  id: string;
  name: string;
  owner: string;
  /** Last height of the auction; 0 for none. */
  auctionEnds: number;
  bid: bigint;
  expires: number;
  pointers: Readonly<Record<string, string>>;
}

interface Oracle {
  /** Account that is the oracle. */
  account: string;
  expires: number;
  queryFee: number;
}

interface Query {
  id: string;
  oracle: string;
  expires: number;
  responseTtl: number;
}

interface Contract {
  id: string;
}

/** Generalized account. */
interface Generalized {
  account: string;
}

export interface Channel {
  id: string;
  initiator: string;
  responder: string;
  /** Coins in it, in aettos, and how many of them stay in it while it is open. */
  amount: bigint;
  reserve: bigint;
  round: number;
  lockPeriod: number;
  /** Height from which it can be settled; 0 while nobody closes it. */
  lockedUntil: number;
  /** How many of the steps of its life it has taken. */
  step: number;
}

export interface World {
  height: number;
  version: number;
  nonces: Uint32Array;
  preclaims: Preclaim[];
  names: Name[];
  oracles: Oracle[];
  queries: Query[];
  contracts: Contract[];
  generalized: Generalized[];
  channels: Channel[];
  /** Accounts that were given coins to become generalized ones, so far, and those of them that have not yet. */
  endowed: number;
  awaiting: Generalized[];
}

/** How many records of each kind are remembered. An oracle that was forgotten would look like an account that may become one. */
const LIMITS = {
  preclaims: 128,
  names: 256,
  oracles: 4096,
  queries: 96,
  contracts: 48,
  generalized: 24,
  channels: 16,
  awaiting: 24,
};

export const newWorld = (accounts: number): World => ({
  height: 0,
  version: 1,
  nonces: new Uint32Array(accounts),
  preclaims: [],
  names: [],
  oracles: [],
  queries: [],
  contracts: [],
  generalized: [],
  channels: [],
  endowed: 0,
  awaiting: [],
});

export const copyWorld = (world: World): World => ({
  ...world,
  nonces: world.nonces.slice(),
  preclaims: world.preclaims.slice(),
  names: world.names.slice(),
  oracles: world.oracles.slice(),
  queries: world.queries.slice(),
  contracts: world.contracts.slice(),
  generalized: world.generalized.slice(),
  channels: world.channels.slice(),
  awaiting: world.awaiting.slice(),
});

/** Adds a record and forgets the oldest ones beyond the limit. */
export function remember<K extends keyof typeof LIMITS>(world: World, kind: K, record: World[K][number]): void {
  const records: unknown[] = world[kind];
  records.push(record);
  if (records.length > LIMITS[kind]) records.shift();
}

/** What a key block does before anything else in its generation: things that lived until the height before are gone. */
export function startGeneration(world: World, height: number, version: number): void {
  world.height = height;
  world.version = version;
  world.preclaims = world.preclaims.filter((preclaim) => preclaim.height + PRECLAIM_LIFETIME >= height);
  world.names = world.names.filter((name) => name.expires >= height);
  world.oracles = world.oracles.filter((oracle) => oracle.expires >= height);
  world.queries = world.queries.filter((query) => query.expires >= height);
}

export const isInAuction = (name: Name, height: number): boolean => name.auctionEnds >= height && name.auctionEnds > 0;
