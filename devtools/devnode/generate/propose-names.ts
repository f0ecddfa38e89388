import type { JsonObject } from '../../../src/chain/encoding/json.js';
import type { Maker, Propose } from './maker.js';
import { accountOfId, fee, nextNonce, randomAccount, ttl } from './maker.js';
import { commitmentKey } from '../../../src/chain/protocol/ids.js';
import { nameFee, nameLifetime, registrar } from '../../../src/chain/protocol/name-rules.js';
import { CERES, IRIS, LIMA, ROMA } from '../../../src/chain/protocol/versions.js';
import { nameAndSaltOf } from './names.js';
import { pointerIn } from '../ledger/execution.js';
import type { Name } from '../ledger/types.js';

export const preclaim: Propose = (maker) => {
  const { random, ids, world } = maker;
  const account = randomAccount(maker);
  const nonce = nextNonce(maker, account);
  const { name, salt } = nameAndSaltOf(account.id, nonce, world.version);
  return {
    tx: {
      account_id: account.id,
      commitment_id: ids.encode('cm', commitmentKey(name, BigInt(salt))),
      fee: fee(random),
      nonce,
      ...ttl(maker),
      type: 'NamePreclaimTx',
      version: 1,
    },
    signers: [account],
  };
};

/** A claim of a name whose preclaim is at least one generation old. Names of an old registrar can no longer be claimed. */
export const claim: Propose = (maker) => {
  const { random, world } = maker;
  const ready = world.preclaims.filter(
    ({ record }) => record.height < world.height && record.name.endsWith(registrar(world.version)),
  );
  if (ready.length === 0) return undefined;
  const { owner, name, salt } = random.pickEarly(ready).record;
  const account = accountOfId(maker, owner);
  return { tx: claimOf(maker, account.id, nextNonce(maker, account), name, salt), signers: [account] };
};

/** A higher bid of a random account in a running auction. */
export const bid: Propose = (maker) => {
  const { random, world } = maker;
  const auctions = world.names.filter(({ record }) => record.auction !== undefined);
  if (auctions.length === 0) return undefined;
  const auction = random.pick(auctions).record.auction!;
  const account = randomAccount(maker);
  const offer = (auction.bid * BigInt(random.int(105, 130)) + 99n) / 100n;
  return { tx: claimOf(maker, account.id, nextNonce(maker, account), auction.text, 0, offer), signers: [account] };
};

export function claimOf(
  maker: Maker,
  account: string,
  nonce: number,
  name: string,
  salt: number,
  offer = nameFee(name),
): JsonObject {
  return {
    account_id: account,
    fee: fee(maker.random),
    name,
    ...(maker.world.version >= LIMA ? { name_fee: offer } : {}),
    name_salt: salt,
    nonce,
    ...(nonce === 0 ? {} : ttl(maker)),
    type: 'NameClaimTx',
    version: 2,
  };
}

/** Claimed names without auction whose owner is a generated account that signs its transactions itself. */
const usable = ({ world }: Maker): Name[] =>
  world.names.filter(({ record }) => record.isUsable).map(({ record }) => record.name!);

/** Pointers of an update: usual keys, other keys and, from Ceres on, raw data. */
function pointers(maker: Maker): { key: string; id: string }[] {
  const { random, world, ids } = maker;
  const found: { key: string; id: string }[] = [];
  if (random.chance(0.8)) found.push({ key: 'account_pubkey', id: randomAccount(maker).id });
  if (random.chance(0.4) && world.oracles.length > 0) {
    found.push({ key: 'oracle_pubkey', id: random.pick(world.oracles).id });
  }
  if (random.chance(0.4) && world.contracts.length > 0) {
    found.push({ key: 'contract_pubkey', id: random.pick(world.contracts).id });
  }
  if (random.chance(0.2) && world.channels.length > 0)
    found.push({ key: 'channel', id: random.pick(world.channels).id });
  if (random.chance(0.1)) found.push({ key: 'my "own" kéy', id: randomAccount(maker).id });
  // Before Iris a key may occur twice. The first entry counts.
  if (random.chance(0.1) && world.version < IRIS) found.push({ key: 'account_pubkey', id: randomAccount(maker).id });
  if (random.chance(0.15) && world.version >= CERES) {
    found.push({ key: 'data', id: ids.encode('ba', random.bytes(random.int(0, 40))) });
  }
  return found;
}

export const updateName: Propose = (maker) => {
  const { random, ids } = maker;
  const names = usable(maker);
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  const account = accountOfId(maker, name.owner);
  const listed = pointers(maker);
  const raw = listed.some(({ id }) => id.startsWith('ba_'));
  return {
    tx: {
      account_id: account.id,
      client_ttl: random.pick([0, 50, 3600, 84600]),
      fee: fee(random),
      name_id: name.id,
      name_ttl: random.chance(0.15) ? random.int(1, 30) : random.int(1000, nameLifetime(ROMA)),
      nonce: nextNonce(maker, account),
      pointers: listed.map(({ key, id }) => ({ encoded_key: ids.encode('ba', Buffer.from(key)), id, key })),
      ...ttl(maker),
      type: 'NameUpdateTx',
      version: raw ? 2 : 1,
    },
    signers: [account],
  };
};

export const transferName: Propose = (maker) => {
  const { random } = maker;
  const names = usable(maker);
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  const account = accountOfId(maker, name.owner);
  const pointing = names.filter((other) => other.id !== name.id && pointerIn(other, 'account_pubkey') !== undefined);
  const recipient = random.chance(0.2) && pointing.length > 0 ? random.pick(pointing).id : randomAccount(maker).id;
  return {
    tx: {
      account_id: account.id,
      fee: fee(random),
      name_id: name.id,
      nonce: nextNonce(maker, account),
      recipient_id: recipient,
      ...ttl(maker),
      type: 'NameTransferTx',
      version: 1,
    },
    signers: [account],
  };
};

export const revokeName: Propose = (maker) => {
  const names = usable(maker);
  if (names.length === 0) return undefined;
  const name = maker.random.pickEarly(names);
  const account = accountOfId(maker, name.owner);
  return {
    tx: {
      account_id: account.id,
      fee: fee(maker.random),
      name_id: name.id,
      nonce: nextNonce(maker, account),
      ...ttl(maker),
      type: 'NameRevokeTx',
      version: 1,
    },
    signers: [account],
  };
};
