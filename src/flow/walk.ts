/** What flows of transactions do: have one built, sign it, post it, wait for its block. */
import { decodeId, encodeId } from '../chain/encoding/encoding.js';
import type { JsonObject } from '../chain/encoding/json.js';
import { wrapSigned } from '../chain/serialize/transactions.js';
import { MiddlewareError } from '../observe/errors.js';
import { ask, reasonOf } from './http.js';
import type { Key } from '../key/key.js';
import type { Reader } from './reader.js';

export interface Walk extends Reader {
  /** ak_ of the key. */
  account: string;
  /** Throws for a transaction that is refused, and unavailable when no block takes it in. */
  send(title: string, builder: string, fields: JsonObject): Promise<Sent>;
}

interface Sent {
  hash: string;
  /** Of the generation in which it stands. */
  height: number;
  tx: JsonObject;
}

/** Heights for which a transaction may wait. */
const TTL = 100;

/** `fee` is that of every transaction, in aettos. */
export async function createWalk(reader: Reader, key: Key, fee: bigint): Promise<Walk> {
  const { node, internal, print, read, look, height, until } = reader;
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
      const reply = await look(`/v2/transactions/${hash}`);
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

/** Prints what a flow starts with, and returns the balance; refuses an account that cannot pay. */
export async function begin(walk: Walk): Promise<bigint> {
  const { account } = walk;
  const reply = await walk.look(`/v2/accounts/${account}`);
  const balance = reply.status === 200 ? BigInt((reply.body as JsonObject)['balance'] as number | bigint) : 0n;
  walk.print(`Account ${account} has ${balance} aettos, the chain height ${await walk.height()}`);
  if (balance > 0n) return balance;
  throw new MiddlewareError('insufficient_balance', `${account} has no coins to pay with`);
}
