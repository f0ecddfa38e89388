/** The bytes that the signature of a transaction signs. */
import { hash } from '../encoding/encoding.js';

/** Network id for the transaction inside a PayingForTx. It differs, so that a signature for an inner transaction is not valid for an outer one. */
export const innerNetwork = (networkId: string): string => `${networkId}-inner_tx`;

/** The bytes that wallets sign since Lima: network id and hash of the unsigned transaction. */
export const signedMessage = (transaction: Uint8Array, networkId: string): Uint8Array =>
  prefixed(networkId, hash(transaction));

/**
 * The messages of which a signature is accepted: with the hash, or with the transaction itself. Nodes accept the hash only since Lima. Here it is
 * accepted at any height: who signed it agreed to the same transaction.
 */
export const signedMessages = (transaction: Uint8Array, networkId: string): Uint8Array[] => [
  signedMessage(transaction, networkId),
  prefixed(networkId, transaction),
];

const prefixed = (networkId: string, bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(networkId), bytes]);
