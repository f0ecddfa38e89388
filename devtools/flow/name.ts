import { randomInt } from 'node:crypto';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { asciiName, nameHash } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { nameFault } from '../../src/chain/protocol/name-check.js';
import { auctionLength, nameFee, nameLifetime } from '../../src/chain/protocol/name-rules.js';
import { ROMA } from '../../src/chain/protocol/versions.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask, reasonOf } from './http.js';
import { printBalance } from './wallet.js';
import type { Wallet } from './wallet.js';

interface NameOptions {
  name: string;
  /** ak_ to which the name points; the account of the key if absent. */
  pointTo?: string;
  /** ak_ that gets the name. The name is then not revoked. */
  transferTo?: string;
  /** Aettos that are sent to the name after its update. */
  amount: bigint;
  /** Whether to skip revoking the name at the end. */
  keep: boolean;
}

const MAX_SALT = 2 ** 47;
/** The first protocol version has the shortest max lifetime, so every version allows this one. */
const LIFETIME = nameLifetime(ROMA);
const CLIENT_TTL_SECONDS = 3600;

/** Runs all transactions of a name: preclaim, claim, update, a spend to it, transfer, revoke. */
export async function nameFlow(wallet: Wallet, options: NameOptions): Promise<void> {
  const { name } = options;
  const fault = nameFault(name);
  if (fault !== undefined)
    throw new MiddlewareError('usage', `${name} is not a valid name: ${fault.replaceAll('_', ' ')}`);
  const { account } = wallet;
  const id = nameHash(name);
  await printBalance(wallet);
  const free = await wallet.readAny(`/v2/names/${name}`);
  if (free.status !== 404) throw new MiddlewareError('name_taken', `${name} is taken: ${show(free.body)}`);
  wallet.print(`${name} (${id}) is free: ${reasonOf(free)}`);

  const claimed = await claim(wallet, name);
  const version = (await wallet.read('/v2/key-blocks/current'))['version'] as number;
  if (auctionLength(name, version) > 0) {
    wallet.print(
      `${name} is short: its auction runs for ${auctionLength(name, version)} generations, so the flow ends here`,
    );
    return printAnswers(wallet, claimed.hash, name);
  }
  const own = { account_id: account, name_id: id };
  await printName(wallet, name);

  const pointers = [{ key: 'account_pubkey', id: options.pointTo ?? account }];
  const update = { ...own, name_ttl: LIFETIME, client_ttl: CLIENT_TTL_SECONDS, pointers };
  await wallet.send('update', 'names/update', update);
  await printName(wallet, name);
  let last = await wallet.send(`spend ${options.amount} aettos to ${name}`, 'transactions/spend', {
    sender_id: account,
    recipient_id: id,
    amount: options.amount,
    payload: '',
  });

  last = await wallet.send('transfer', 'names/transfer', { ...own, recipient_id: options.transferTo ?? account });
  await printName(wallet, name);
  if (options.transferTo === undefined && !options.keep) {
    last = await wallet.send('revoke', 'names/revoke', own);
    const afterRevoke = await wallet.readAny(`/v2/names/${name}`);
    wallet.print(`${name} is revoked: ${reasonOf(afterRevoke)}`);
  }
  await printAnswers(wallet, last.hash, name);
}

async function claim(wallet: Wallet, name: string): Promise<{ hash: string }> {
  const { account } = wallet;
  const salt = randomInt(1, MAX_SALT);
  const url = `${wallet.internal}/v2/debug/names/commitment-id?name=${encodeURIComponent(name)}&salt=${salt}`;
  const { commitment_id } = await ask(url);
  wallet.print(`Commitment ${commitment_id as string}, salt ${salt}`);
  const announced = await wallet.send('preclaim', 'names/preclaim', {
    account_id: account,
    commitment_id: commitment_id!,
  });
  await wallet.waitForHeight(announced.height + 1, 'there must be a key block between preclaim and claim');
  const ascii = asciiName(name);
  return wallet.send('claim', 'names/claim', {
    account_id: account,
    name: encodeId('nm', Buffer.from(name)),
    name_salt: salt,
    // Only names that end in `.chain` have a fee.
    ...(ascii.endsWith('.chain') ? { name_fee: nameFee(name) } : {}),
  });
}

async function printName(wallet: Wallet, name: string): Promise<void> {
  const { owner, ttl, pointers } = await wallet.read(`/v2/names/${name}`);
  wallet.print(`${name} belongs to ${show(owner)} until generation ${show(ttl)}, pointers ${show(pointers)}`);
}

const show = (value: JsonObject[string] | undefined): string =>
  typeof value === 'string' ? value : stringifyExact(value ?? null);

const printAnswers = (wallet: Wallet, hash: string, name: string): Promise<void> =>
  wallet.printAnswers(
    hash,
    `/middleware/transactions/account/${wallet.account}?limit=1&page=1`,
    `/middleware/names/${encodeURIComponent(name)}`,
    `/middleware/names/reverse/${wallet.account}`,
  );
