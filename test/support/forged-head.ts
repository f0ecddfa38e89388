/** A node that adds a micro block of its own to the head generation of an honest one. */
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { transactionsRoot } from '../../src/chain/serialize/txs-root.js';
import { signedMessage } from '../../src/chain/protocol/signing.js';
import { serializeTransaction, wrapSigned } from '../../src/chain/serialize/transactions.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import type { KeyPair } from '../../devtools/devnode/generate/signing.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { read } from './devnode.js';
import { reply, startServer } from './http-server.js';
import type { TestServer } from './http-server.js';

export const THIEF = keyPair(Buffer.alloc(32, 42));
const NETWORK = 'ae_dev';

/** Key of the leader of a generated chain with this seed: a real leader may lie, too. */
export function leaderKey(seed: string, miner: string): KeyPair {
  for (let i = 0; i < 12; i++) {
    const pair = keyPair(hash(Buffer.from(`leader ${i} of ${seed}`)));
    if (encodeId('ak', pair.publicKey) === miner) return pair;
  }
  throw new Error('no leader of this chain');
}

export interface Forgery {
  hash: string;
  /** Hash of the key block of its generation. */
  keyHash: string;
  header: JsonObject;
  transactions: string;
}

export interface ForgeOptions {
  /** Makes the signature of the header. */
  signsBlock: (message: Uint8Array, miner: string) => Uint8Array;
  /** Makes the signatures of the payment. */
  signsPayment: (message: Uint8Array) => Uint8Array[];
  /** The block has a payment that is in the chain already, or one of the thief twice. */
  repeats?: 'stored' | 'itself';
}

/** A micro block with a payment of an account of the chain to the thief, on the newest block of the node. All hashes are right. */
export async function forge(devnode: Devnode, options: ForgeOptions): Promise<Forgery> {
  const current = await read(devnode, '/v3/generations/current');
  const keyBlock = current['key_block'] as JsonObject;
  const hashes = current['micro_blocks'] as string[];
  return forgeOn(keyBlock, hashes.at(-1), await anySpend(devnode), options);
}

/** The same on a key block, or on the last micro block of its generation. `stored`: the envelope of a payment of the chain. */
export function forgeOn(
  keyBlock: JsonObject,
  last: string | undefined,
  stored: JsonObject,
  { signsBlock, signsPayment, repeats }: ForgeOptions,
): Forgery {
  const thief = encodeId('ak', THIEF.publicKey);
  const sender: JsonObject = repeats === undefined ? {} : { sender_id: thief };
  const tx: JsonObject = { ...(stored['tx'] as JsonObject), amount: 10n ** 24n, recipient_id: thief, ...sender };
  const unsigned = serializeTransaction(tx);
  const signatures = signsPayment(signedMessage(unsigned, NETWORK));
  const made = wrapSigned(signatures, unsigned);
  const signed = repeats === 'stored' ? decodeId(stored['encoded_tx'] as string) : made;
  const count = repeats === 'itself' ? 2 : 1;
  const plain: JsonObject = {
    height: keyBlock['height']!,
    pof_hash: 'no_fraud',
    prev_hash: last ?? (keyBlock['hash'] as string),
    prev_key_hash: keyBlock['hash']!,
    state_hash: encodeId('bs', Buffer.alloc(32, 1)),
    time: (keyBlock['time'] as number) + 60_000,
    txs_hash: encodeId('bx', transactionsRoot(Array<Uint8Array>(count).fill(signed))),
    version: keyBlock['version']!,
  };
  const signature = encodeId('sg', signsBlock(microHeaderBytes(plain), keyBlock['miner'] as string));
  const header = { ...plain, signature };
  const id = encodeId('mh', hash(microHeaderBytes(header)));
  const payment =
    repeats === 'stored'
      ? stored
      : {
          encoded_tx: encodeId('tx', signed),
          hash: encodeId('th', hash(signed)),
          signatures: signatures.map((bytes) => encodeId('sg', bytes)),
          tx,
        };
  const envelope: JsonObject = { ...payment, block_hash: id, block_height: keyBlock['height']! };
  return {
    hash: id,
    keyHash: keyBlock['hash'] as string,
    header: { hash: id, ...header },
    transactions: stringifyExact({ transactions: Array<JsonObject>(count).fill(envelope) }),
  };
}

/** The envelope of a payment of the chain. */
async function anySpend(devnode: Devnode): Promise<JsonObject> {
  for (let height = devnode.height(); height >= 0; height--) {
    const { micro_blocks: hashes } = await read(devnode, `/v3/generations/height/${height}`);
    for (const micro of hashes as string[]) {
      const { transactions } = await read(devnode, `/v3/micro-blocks/hash/${micro}/transactions`);
      const found = (transactions as JsonObject[]).find(({ tx }) => (tx as JsonObject)['type'] === 'SpendTx');
      if (found !== undefined) return found;
    }
  }
  throw new Error('the chain has no payment');
}

/** The node, with the forged block as its head while `forgery` returns one. */
export const startForger = (devnode: Devnode, forgery: () => Forgery | undefined): Promise<TestServer> =>
  startServer(async (request, response) => {
    const path = request.url!;
    const forged = forgery();
    if (forged !== undefined && path.includes(forged.hash)) {
      return reply(response, 200, path.endsWith('/header') ? stringifyExact(forged.header) : forged.transactions);
    }
    const answer = await fetch(devnode.externalUrl + path);
    const text = await answer.text();
    if (forged === undefined || !answer.ok) return reply(response, answer.status, text);
    if (/\/(headers|blocks)\/top$/.test(path)) return reply(response, 200, stringifyExact(forged.header));
    if (!path.includes('/generations/')) return reply(response, 200, text);
    const generation = parseExact(text) as { key_block: JsonObject; micro_blocks: string[] };
    if (generation.key_block['hash'] !== forged.keyHash) return reply(response, 200, text);
    reply(
      response,
      200,
      text.replace(
        /("micro_blocks":\[[^\]]*?)\]/,
        (_, list: string) => `${list}${list.endsWith('[') ? '' : ','}"${forged.hash}"]`,
      ),
    );
  });
