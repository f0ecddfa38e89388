import type { JsonObject } from '../../chain/encoding/json.js';
import { AETTOS_PER_COIN } from '../../chain/protocol/rewards.js';
import type { Account, Identities } from './identities.js';
import type { Random } from './random.js';
import type { World } from './world.js';

/** What transactions are made of and with. */
export interface Maker {
  readonly world: World;
  readonly random: Random;
  readonly ids: Identities;
  /** `sg_…` over the transaction as that account signs it; `inner` for the one inside a PayingForTx. */
  sign(tx: JsonObject, account: Account, inner?: boolean): string;
}

/** A transaction and who must sign it; GAMetaTx has no signers. */
export interface Proposal {
  tx: JsonObject;
  signers: readonly Account[];
}

/** Makes a transaction that fits the world; undefined when none of its kind does. */
export type Propose = (maker: Maker) => Proposal | undefined;

const MILLI = AETTOS_PER_COIN / 1000n;

/** Mostly some coins, at times a handful of aettos, beyond 64 or beyond 128 bits. */
export function amount(random: Random): bigint | number {
  const kind = random.int(0, 99);
  if (kind < 12) return random.int(0, 100_000);
  if (kind < 92) return BigInt(random.int(1, 2_000_000)) * MILLI;
  if (kind < 99) return BigInt(random.int(19, 1_000_000)) * AETTOS_PER_COIN + BigInt(random.word());
  return 2n ** 128n + BigInt(random.word());
}

export const fee = (random: Random, base = 16_000_000_000_000): number => base + random.int(0, 4_000) * 1_000_000_000;

/** Now and then a last height, which the JSON leaves out when there is none. */
export const ttl = ({ random, world }: Maker): { ttl?: number } =>
  random.chance(0.25) ? { ttl: world.height + random.int(2, 500) } : {};

/** Most transactions come from few accounts. */
export function randomAccount({ random, ids, world }: Maker): Account {
  return ids.account(Math.floor((random.word() / 2 ** 32) ** 2 * world.accounts.length));
}

/** The account behind an identifier in the world's records; those are all accounts that were made here. */
export const accountOfId = ({ ids }: Maker, id: string): Account => ids.account(ids.indexOf(id)!);

export const nextNonce = ({ world }: Maker, account: Account): number =>
  Number(world.accounts[account.index]!.nonce) + 1;
