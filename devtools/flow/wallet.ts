/** The steps of a transaction in a flow: build it with the node, sign it, post it, wait for its block. */
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { wrapSigned } from '../../src/chain/serialize/transactions.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask, reasonOf } from './http.js';
import type { Key } from '../key/key.js';
import type { Reader } from './reader.js';

export interface Wallet extends Reader {
  /** ak_ of the key. */
  account: string;
  /** Sends a transaction and waits for its block. Throws `refused` or `dropped` if the node does not accept it, and `timeout`. */
  send(title: string, builder: string, fields: JsonObject): Promise<Sent>;
}

interface Sent {
  hash: string;
  /** Height of its generation. */
  height: number;
  tx: JsonObject;
}

/** Max number of generations that a transaction waits for a block. */
const TTL = 100;

/** `fee`: fee of each transaction, in aettos. */
export async function createWallet(reader: Reader, key: Key, fee: bigint): Promise<Wallet> {
  const { node, internal, print, read, readAny, height, waitFor: until } = reader;
  const networkId = (await read('/v2/status'))['network_id'] as string;

  async function send(title: string, builder: string, fields: JsonObject): Promise<Sent> {
    const body = { ...fields, fee, ttl: (await height()) + TTL };
    const built = await ask(`${internal}/v2/debug/${builder}`, body);
    const unsigned = decodeId(built['tx'] as string, 'tx');
    const signed = encodeId('tx', wrapSigned([key.sign(unsigned, networkId)], unsigned));
    const { tx_hash } = await ask(`${node}/v2/transactions`, { tx: signed });
    const hash = tx_hash as string;
    print(`${title}: posted ${hash}`);
    const envelope = await until(`a block with ${hash}`, async () => {
      const reply = await readAny(`/v2/transactions/${hash}`);
      if (reply.status !== 200) throw new MiddlewareError('dropped', `${hash}: ${reasonOf(reply)}`);
      const found = reply.body as JsonObject;
      return found['block_height'] === -1 ? undefined : found;
    });
    const at = envelope['block_height'] as number;
    print(`${title}: in generation ${at}`);
    return { hash, height: at, tx: envelope['tx'] as JsonObject };
  }

  return { ...reader, account: key.account, send };
}

/** Prints and returns the balance of the account in aettos. Throws `insufficient_balance` if it has no coins. */
export async function printBalance(wallet: Wallet): Promise<bigint> {
  const { account } = wallet;
  const reply = await wallet.readAny(`/v2/accounts/${account}`);
  const balance = reply.status === 200 ? BigInt((reply.body as JsonObject)['balance'] as number | bigint) : 0n;
  wallet.print(`Account ${account} has ${balance} aettos, the height of the chain is ${await wallet.height()}`);
  if (balance > 0n) return balance;
  throw new MiddlewareError('insufficient_balance', `${account} has no coins to pay with`);
}
