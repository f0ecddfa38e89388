import { hash } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { innerNetwork, signedMessage } from '../../../src/chain/protocol/signing.js';
import { serializeTransaction, wrapSigned } from '../../../src/chain/serialize/transactions.js';
import type { Account, Identities } from './identities.js';
import type { Proposal } from './maker.js';

/** A signed transaction. `tail` is its envelope from `encoded_tx` on, which is the same in every block. */
export interface Sealed {
  hash: Uint8Array;
  /** The bytes of `encoded_tx`, whose hash is the transaction hash. */
  signed: Uint8Array;
  tail: string;
}

interface Sealer {
  sign(tx: JsonObject, account: Account, inner?: boolean): string;
  seal(proposal: Proposal): Sealed;
}

export function createSealer(ids: Identities, networkId: string): Sealer {
  const options = { decode: ids.decode };

  return {
    sign(tx, account, inner = false) {
      const network = inner ? innerNetwork(networkId) : networkId;
      return ids.encode('sg', account.sign(signedMessage(serializeTransaction(tx, options), network)));
    },
    seal({ tx, signers }) {
      const isMeta = tx['type'] === 'GAMetaTx';
      const unsigned = serializeTransaction(tx, options);
      const message = signedMessage(unsigned, networkId);
      const made = signers.map((account) => account.sign(message));
      const signed = wrapSigned(made, unsigned);
      const transaction = hash(signed);
      const listed = isMeta ? '' : `"signatures":[${made.map((bytes) => `"${ids.encode('sg', bytes)}"`).join(',')}],`;
      const tail = `"encoded_tx":"${ids.encode('tx', signed)}","hash":"${ids.encode('th', transaction)}",${listed}"tx":${stringifyExact(tx)}}`;
      return { hash: transaction, signed, tail };
    },
  };
}

/** Envelope of a transaction in a micro block; without `block`, in the pool. */
export const envelope = (tail: string, block?: { id: string; height: number }): string =>
  `{"block_hash":"${block?.id ?? 'none'}","block_height":${block?.height ?? -1},${tail}`;

const TAIL = '"encoded_tx":';
/** The tail of an envelope. Throws if it has no `encoded_tx`. */
export function tailOf(text: string): string {
  const at = text.indexOf(TAIL);
  if (at < 0) throw new Error('an envelope without encoded_tx');
  return text.slice(at);
}

/** `th_…` of an envelope. */
export const hashIn = (text: string): string => /"hash":"(th_\w+)"/.exec(text)?.[1] ?? '';
