/** Executes transactions on the generator's world: the rules that decide whether one may stand in a block, and what it changes. */
import type { Json, JsonObject } from '../../chain/encoding/json.js';
import { applyChannel } from './apply-channels.js';
import type { Distinction } from '../../chain/protocol/ids.js';
import type { Identities } from './identities.js';
import { authenticationKey, commitmentKey, contractKey, nameKey, queryKey } from '../../chain/protocol/ids.js';
import { auctionLength, endAfterBid, nameLifetime, outbids } from '../../chain/protocol/name-rules.js';
import { lastHeight } from '../../chain/protocol/oracles.js';
import { CERES } from '../../chain/protocol/versions.js';
import { secretOf } from './names.js';
import { accountOf, originMember } from '../origin.js';
import { isInAuction, remember } from './world.js';
import type { Name, World } from './world.js';

/** How a transaction is carried out when it stands inside a GAMetaTx. */
export interface Meta {
  /** H(account ++ auth_data); takes the place of the nonce in identifiers. */
  authId: Uint8Array;
}

type Apply = (world: World, tx: JsonObject, ids: Identities, meta?: Meta) => boolean;

const text = (tx: JsonObject, member: string): string => tx[member] as string;
const number = (tx: JsonObject, member: string): number => Number(tx[member]);

/** Changes the world and returns true; false, with the world unchanged, if the transaction is not valid there. */
export function applyTransaction(world: World, tx: JsonObject, ids: Identities, meta?: Meta): boolean {
  const type = text(tx, 'type');
  if (tx['ttl'] !== undefined && number(tx, 'ttl') < world.height) return false;
  if (type === 'GAMetaTx') return applyMeta(world, tx, ids);
  const effect = type.startsWith('Channel') ? applyChannel : EFFECTS[type];
  if (effect === undefined) return false;
  if (meta !== undefined) return effect(world, tx, ids, meta);
  const origin = ids.indexOf(accountOf(text(tx, originMember(type))));
  if (origin === undefined) return false;
  const spent = world.nonces[origin];
  // Accounts that only ever attach a contract have no counter here: their one nonce is 1.
  if (number(tx, 'nonce') !== (spent ?? 0) + 1) return false;
  if (spent !== undefined) world.nonces[origin] = spent + 1;
  const done = effect(world, tx, ids);
  if (!done && spent !== undefined) world.nonces[origin] = spent;
  return done;
}

/** Whether the contract behind a generalized account accepts; simulated by a byte of what it is given. */
export const authenticates = (authData: string): boolean => authData.charCodeAt(authData.length - 4) % 7 !== 0;

export const authId = (tx: JsonObject, ids: Identities): Uint8Array =>
  authenticationKey(ids.decode(text(tx, 'ga_id')), ids.decode(text(tx, 'auth_data')));

function applyMeta(world: World, tx: JsonObject, ids: Identities): boolean {
  if (!world.generalized.some(({ account }) => account === tx['ga_id'])) return false;
  if (!authenticates(text(tx, 'auth_data'))) return true;
  const inner = (tx['tx'] as JsonObject)['tx'] as JsonObject;
  applyTransaction(world, inner, ids, { authId: authId(tx, ids) });
  return true;
}

/** Identifier of the contract a ContractCreateTx or GAAttachTx makes. */
export const contractId = (tx: JsonObject, ids: Identities, meta?: Meta): string =>
  ids.encode('ct', contractKey(ids.decode(text(tx, 'owner_id')), distinction(tx, meta)));

const queryId = (tx: JsonObject, ids: Identities, meta?: Meta): string =>
  ids.encode(
    'oq',
    queryKey(ids.decode(text(tx, 'sender_id')), distinction(tx, meta), ids.decode(text(tx, 'oracle_id'))),
  );

const distinction = (tx: JsonObject, meta?: Meta): Distinction => meta?.authId ?? BigInt(number(tx, 'nonce'));

/** What a name points to under a key, while it can be used. */
export function pointerOf(world: World, nameId: Json | undefined, key: string): string | undefined {
  const name = world.names.find(({ id }) => id === nameId);
  return name === undefined ? undefined : usablePointer(world, name, key);
}

export const usablePointer = (world: World, name: Name, key: string): string | undefined =>
  isInAuction(name, world.height) ? undefined : name.pointers[key];

function ownName(world: World, tx: JsonObject): Name | undefined {
  const name = world.names.find(({ id }) => id === tx['name_id']);
  if (name === undefined || name.owner !== tx['account_id'] || isInAuction(name, world.height)) return undefined;
  return name;
}

const replaceName = (world: World, name: Name): void =>
  void (world.names[world.names.findIndex(({ id }) => id === name.id)] = name);

function claim(world: World, tx: JsonObject, ids: Identities): boolean {
  const [name, salt] = [text(tx, 'name'), number(tx, 'name_salt')];
  const id = ids.encode('nm', nameKey(name));
  const fee = BigInt((tx['name_fee'] ?? 0) as number | bigint);
  const known = world.names.find((other) => other.id === id);
  if (salt === 0 && known !== undefined) {
    if (!isInAuction(known, world.height) || !outbids(fee, known.bid)) return false;
    const auctionEnds = endAfterBid(name, known.auctionEnds, world.height, world.version);
    const owner = text(tx, 'account_id');
    replaceName(world, { ...known, owner, bid: fee, auctionEnds, expires: auctionEnds + nameLifetime(world.version) });
    return true;
  }
  if (known !== undefined) return false;
  if (salt !== 0) {
    const commitment = ids.encode('cm', commitmentKey(name, BigInt(salt)));
    const at = world.preclaims.findIndex((preclaim) => preclaim.commitment === commitment);
    const preclaim = world.preclaims[at];
    if (preclaim === undefined || preclaim.account !== tx['account_id'] || preclaim.height >= world.height)
      return false;
    world.preclaims.splice(at, 1);
  } else if (world.version < CERES) return false;
  const length = auctionLength(name, world.version);
  const end = world.height + length;
  remember(world, 'names', {
    id,
    name,
    owner: text(tx, 'account_id'),
    auctionEnds: length === 0 ? 0 : end,
    bid: fee,
    expires: end + nameLifetime(world.version),
    pointers: {},
  });
  return true;
}

const ttlOf = (world: World, ttl: JsonObject): number =>
  lastHeight({ type: text(ttl, 'type'), value: number(ttl, 'value') }, world.height);

const EFFECTS: Readonly<Record<string, Apply>> = {
  SpendTx(world, tx, ids) {
    const recipient = text(tx, 'recipient_id');
    if (recipient.startsWith('nm_')) return pointerOf(world, recipient, 'account_pubkey') !== undefined;
    if (ids.indexOf(recipient) === world.nonces.length + world.endowed) {
      world.endowed += 1;
      remember(world, 'awaiting', { account: recipient });
    }
    return true;
  },

  OracleRegisterTx(world, tx) {
    const account = text(tx, 'account_id');
    if (world.oracles.some((oracle) => oracle.account === account)) return false;
    const expires = ttlOf(world, tx['oracle_ttl'] as JsonObject);
    remember(world, 'oracles', { account, expires, queryFee: number(tx, 'query_fee') });
    return true;
  },

  OracleExtendTx(world, tx) {
    const at = world.oracles.findIndex(({ account }) => account === accountOf(text(tx, 'oracle_id')));
    const oracle = world.oracles[at];
    if (oracle === undefined) return false;
    world.oracles[at] = { ...oracle, expires: oracle.expires + number(tx['oracle_ttl'] as JsonObject, 'value') };
    return true;
  },

  OracleQueryTx(world, tx, ids, meta) {
    const target = text(tx, 'oracle_id').startsWith('nm_')
      ? pointerOf(world, tx['oracle_id'], 'oracle_pubkey')
      : text(tx, 'oracle_id');
    const oracle = world.oracles.find(({ account }) => target !== undefined && account === accountOf(target));
    const expires = ttlOf(world, tx['query_ttl'] as JsonObject);
    const responseTtl = number(tx['response_ttl'] as JsonObject, 'value');
    if (oracle === undefined || expires + responseTtl > oracle.expires) return false;
    remember(world, 'queries', { id: queryId(tx, ids, meta), oracle: oracle.account, expires, responseTtl });
    return true;
  },

  OracleRespondTx(world, tx) {
    const at = world.queries.findIndex(({ id }) => id === tx['query_id']);
    if (world.queries[at]?.oracle !== accountOf(text(tx, 'oracle_id'))) return false;
    world.queries.splice(at, 1);
    return true;
  },

  NamePreclaimTx(world, tx, ids) {
    const [account, commitment] = [text(tx, 'account_id'), text(tx, 'commitment_id')];
    const secret = secretOf(account, number(tx, 'nonce'), world.version);
    // Announced before a change of the protocol, the name is one nobody can claim any more.
    if (ids.encode('cm', commitmentKey(secret.name, BigInt(secret.salt))) === commitment) {
      remember(world, 'preclaims', { commitment, account, ...secret, height: world.height });
    }
    return true;
  },

  NameClaimTx: claim,

  NameUpdateTx(world, tx) {
    const name = ownName(world, tx);
    if (name === undefined) return false;
    const pointers: Record<string, string> = {};
    for (const { key, id } of tx['pointers'] as { key: string; id: string }[]) pointers[key] ??= id;
    replaceName(world, { ...name, expires: world.height + number(tx, 'name_ttl'), pointers });
    return true;
  },

  NameTransferTx(world, tx) {
    const name = ownName(world, tx);
    const recipient = text(tx, 'recipient_id');
    const owner = recipient.startsWith('nm_') ? pointerOf(world, recipient, 'account_pubkey') : recipient;
    if (name === undefined || owner === undefined) return false;
    replaceName(world, { ...name, owner });
    return true;
  },

  NameRevokeTx(world, tx) {
    const name = ownName(world, tx);
    if (name === undefined) return false;
    world.names.splice(world.names.indexOf(name), 1);
    return true;
  },

  ContractCreateTx(world, tx, ids, meta) {
    remember(world, 'contracts', { id: contractId(tx, ids, meta) });
    return true;
  },

  ContractCallTx(world, tx) {
    const called = text(tx, 'contract_id');
    const id = called.startsWith('nm_') ? pointerOf(world, called, 'contract_pubkey') : called;
    return world.contracts.some((contract) => contract.id === id);
  },

  GAAttachTx(world, tx) {
    const at = world.awaiting.findIndex(({ account }) => account === tx['owner_id']);
    if (at < 0) return false;
    remember(world, 'generalized', world.awaiting.splice(at, 1)[0]!);
    return true;
  },

  PayingForTx: (world, tx, ids) => applyTransaction(world, (tx['tx'] as JsonObject)['tx'] as JsonObject, ids),
};
