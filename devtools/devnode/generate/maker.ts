import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { AETTOS_PER_COIN } from '../../../src/chain/protocol/rewards.js';
import type { Account, Identities } from './identities.js';
import type { Random } from './random.js';
import type { World } from './world.js';

/** What is needed to make transactions. */
export interface Maker {
  readonly world: World;
  readonly random: Random;
  readonly ids: Identities;
  /** Signature `sg_…` of the transaction by an account. `inner`: for the transaction inside a PayingForTx. */
  sign(tx: JsonObject, account: Account, inner?: boolean): string;
}

/** A transaction and the accounts that must sign it. A GAMetaTx has no signers. */
export interface Proposal {
  tx: JsonObject;
  signers: readonly Account[];
}

/** Makes a transaction of one kind that can be executed in the world; undefined if none can. */
export type Propose = (maker: Maker) => Proposal | undefined;

const MILLI = AETTOS_PER_COIN / 1000n;

/** A random amount: usually some coins, sometimes a few aettos or an amount beyond 64 or 128 bits. */
export function amount(random: Random): bigint | number {
  const kind = random.int(0, 99);
  if (kind < 12) return random.int(0, 100_000);
  if (kind < 92) return BigInt(random.int(1, 2_000_000)) * MILLI;
  if (kind < 99) return BigInt(random.int(19, 1_000_000)) * AETTOS_PER_COIN + BigInt(random.word());
  return 2n ** 128n + BigInt(random.word());
}

export const fee = (random: Random, base = 16_000_000_000_000): number => base + random.int(0, 4_000) * 1_000_000_000;

/** Sometimes a `ttl`. The JSON does not contain the member if there is none. */
export const ttl = ({ random, world }: Maker): { ttl?: number } =>
  random.chance(0.25) ? { ttl: world.height + random.int(2, 500) } : {};

/** A random account. The first ones are more frequent, because on real chains few accounts send most transactions. */
export function randomAccount({ random, ids, world }: Maker): Account {
  return ids.account(Math.floor((random.word() / 2 ** 32) ** 2 * world.accounts.length));
}

/** The generated account with this identifier. All accounts in the records of the world are generated ones. */
export const accountOfId = ({ ids }: Maker, id: string): Account => ids.account(ids.indexOf(id)!);

export const nextNonce = ({ world }: Maker, account: Account): number =>
  Number(world.accounts[account.index]!.nonce) + 1;
