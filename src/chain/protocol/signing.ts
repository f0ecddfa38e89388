/** What a signature of a transaction is made over. */
import { hash } from '../encoding/encoding.js';

/** Network id for the transaction inside a PayingForTx, so that what is signed for one place is not valid in the other. */
export const innerNetwork = (networkId: string): string => `${networkId}-inner_tx`;

/** The bytes wallets sign since Lima: network id and hash of the unsigned transaction. */
export const signedMessage = (transaction: Uint8Array, networkId: string): Uint8Array =>
  prefixed(networkId, hash(transaction));

/** All that the node accepts a signature of: the hash or, as before Lima, the transaction itself. */
export const signedMessages = (transaction: Uint8Array, networkId: string): Uint8Array[] => [
  prefixed(networkId, transaction),
  signedMessage(transaction, networkId),
];

const prefixed = (networkId: string, bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(networkId), bytes]);
