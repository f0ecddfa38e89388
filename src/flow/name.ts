import { randomInt } from 'node:crypto';
import { encodeId } from '../chain/encoding/encoding.js';
import { asciiName, nameHash } from '../chain/protocol/ids.js';
import type { JsonObject } from '../chain/encoding/json.js';
import { stringifyExact } from '../chain/encoding/json.js';
import { nameFault } from '../chain/protocol/name-check.js';
import { auctionLength, nameFee, nameLifetime } from '../chain/protocol/name-rules.js';
import { ROMA } from '../chain/protocol/versions.js';
import { MiddlewareError } from '../observe/errors.js';
import { ask, reasonOf } from './http.js';
import { begin } from './walk.js';
import type { Walk } from './walk.js';

interface NameOptions {
  name: string;
  /** ak_ that the name points to; the own account if absent. */
  pointTo?: string;
  /** ak_ that gets the name, which is not revoked then. */
  transferTo?: string;
  /** Aettos that are sent to the name once it points somewhere. */
  amount: bigint;
  /** Not revoked in the end. */
  keep: boolean;
}

const MAX_SALT = 2 ** 47;
/** The first protocol allows the shortest lifetime, so every protocol allows this one. */
const LIFETIME = nameLifetime(ROMA);
const CLIENT_TTL_SECONDS = 3600;

/** A name from preclaim over claim, update, a spend to it and transfer to revoke. */
export async function nameFlow(walk: Walk, options: NameOptions): Promise<void> {
  const { name } = options;
  const fault = nameFault(name);
  if (fault !== undefined) throw new MiddlewareError('usage', `${name} is no name: ${fault.replaceAll('_', ' ')}`);
  const { account } = walk;
  const id = nameHash(name);
  await begin(walk);
  const free = await walk.look(`/v2/names/${name}`);
  if (free.status !== 404) throw new MiddlewareError('name_taken', `${name} is taken: ${show(free.body)}`);
  walk.print(`${name} (${id}) is free: ${reasonOf(free)}`);

  const claimed = await claim(walk, name);
  const version = (await walk.read('/v2/key-blocks/current'))['version'] as number;
  if (auctionLength(name, version) > 0) {
    walk.print(`${name} is short: an auction runs for ${auctionLength(name, version)} generations, here the flow ends`);
    return printAnswers(walk, claimed.hash, name);
  }
  const own = { account_id: account, name_id: id };
  await printName(walk, name);

  const pointers = [{ key: 'account_pubkey', id: options.pointTo ?? account }];
  const update = { ...own, name_ttl: LIFETIME, client_ttl: CLIENT_TTL_SECONDS, pointers };
  await walk.send('update', 'names/update', update);
  await printName(walk, name);
  let last = await walk.send(`spend ${options.amount} aettos to ${name}`, 'transactions/spend', {
    sender_id: account,
    recipient_id: id,
    amount: options.amount,
    payload: '',
  });

  last = await walk.send('transfer', 'names/transfer', { ...own, recipient_id: options.transferTo ?? account });
  await printName(walk, name);
  if (options.transferTo === undefined && !options.keep) {
    last = await walk.send('revoke', 'names/revoke', own);
    const gone = await walk.look(`/v2/names/${name}`);
    walk.print(`${name} is over: ${reasonOf(gone)}`);
  }
  await printAnswers(walk, last.hash, name);
}

async function claim(walk: Walk, name: string): Promise<{ hash: string }> {
  const { account } = walk;
  const salt = randomInt(1, MAX_SALT);
  const url = `${walk.internal}/v2/debug/names/commitment-id?name=${encodeURIComponent(name)}&salt=${salt}`;
  const { commitment_id } = await ask(url);
  walk.print(`Commitment ${commitment_id as string}, salt ${salt}`);
  const announced = await walk.send('preclaim', 'names/preclaim', {
    account_id: account,
    commitment_id: commitment_id!,
  });
  await walk.waitForHeight(announced.height + 1, 'a key block must lie between preclaim and claim');
  const ascii = asciiName(name);
  return walk.send('claim', 'names/claim', {
    account_id: account,
    name: encodeId('nm', Buffer.from(name)),
    name_salt: salt,
    // What names cost came with the registrar `.chain`.
    ...(ascii.endsWith('.chain') ? { name_fee: nameFee(name) } : {}),
  });
}

async function printName(walk: Walk, name: string): Promise<void> {
  const { owner, ttl, pointers } = await walk.read(`/v2/names/${name}`);
  walk.print(`${name} belongs to ${show(owner)} until generation ${show(ttl)}, pointers ${show(pointers)}`);
}

const show = (value: JsonObject[string] | undefined): string =>
  typeof value === 'string' ? value : stringifyExact(value ?? null);

const printAnswers = (walk: Walk, hash: string, name: string): Promise<void> =>
  walk.printAnswers(
    hash,
    `/middleware/transactions/account/${walk.account}?limit=1&page=1`,
    `/middleware/names/${encodeURIComponent(name)}`,
    `/middleware/names/reverse/${walk.account}`,
  );
