/** A wallet that signs transactions and posts them to a simulated node. */
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { serializeTransaction, wrapSigned } from '../../src/chain/serialize/transactions.js';
import { signedMessage } from '../../src/chain/protocol/signing.js';
import { keyPair } from '../../devtools/devnode/generate/signing.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { ask } from './devnode.js';
import type { Reply } from './devnode.js';

export interface Wallet {
  /** ak_ */
  id: string;
  /** Serialised and signed, as `tx_…`. */
  sign(tx: JsonObject, networkId?: string): string;
}

export function wallet(name: string): Wallet {
  const key = keyPair(hash(Buffer.from(name)));
  return {
    id: encodeId('ak', key.publicKey),
    sign(tx, networkId = 'ae_dev') {
      const unsigned = serializeTransaction({ version: 1, ...tx });
      return encodeId('tx', wrapSigned([key.sign(signedMessage(unsigned, networkId))], unsigned));
    },
  };
}

export const post = (devnode: Devnode, tx: string, path = '/v3/transactions'): Promise<Reply> =>
  ask(devnode, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringifyExact({ tx }),
  });

/** Posts a transaction and returns its hash. Throws if the status is not 200. */
export async function accepted(devnode: Devnode, tx: string, path?: string): Promise<string> {
  const { status, body } = await post(devnode, tx, path);
  if (status !== 200) throw new Error(`${status} ${body}`);
  return (JSON.parse(body) as { tx_hash: string }).tx_hash;
}
