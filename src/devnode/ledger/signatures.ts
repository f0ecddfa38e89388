/** Determines who must sign a transaction, and verifies the signatures. */
import { createPublicKey, verify } from 'node:crypto';
import { decodeId } from '../../chain/encoding/encoding.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import { innerNetwork, signedMessages } from '../../chain/protocol/signing.js';
import { serializeTransaction } from '../../chain/serialize/transactions.js';
import { transactionType } from '../../chain/transactions/catalogue.js';
import { innerOf, object, originOf, text } from './members.js';
import type { Records } from './state.js';

function signersOf(tx: JsonObject, state: Records): string[] {
  const type = text(tx, 'type');
  if (type === 'GAMetaTx') return [];
  if (type === 'ChannelCreateTx') return [text(tx, 'initiator_id'), text(tx, 'responder_id')];
  if (transactionType(type)?.bothSign !== true) return [originOf(tx)];
  const channel = state.channel(text(tx, 'channel_id'));
  return channel === undefined ? [originOf(tx)] : [channel.initiator, channel.responder];
}

interface SignedTransaction {
  /** sg_ */
  signatures: readonly string[];
  tx: JsonObject;
}

/** Whether a transaction and its nested ones have exactly the required signatures, and all are valid. */
export function isSigned(signed: SignedTransaction, state: Records, networkId: string): boolean {
  return check(signed, state, networkId, undefined);
}

/** `authenticated`: the account of the surrounding GAMetaTx, which does not have to sign. */
function check(
  { signatures, tx }: SignedTransaction,
  state: Records,
  network: string,
  authenticated?: string,
): boolean {
  const unsigned = serializeTransaction(tx);
  const signers = signersOf(tx, state).filter((signer) => signer !== authenticated);
  if (signatures.length !== signers.length) return false;
  const messages = signedMessages(unsigned, network);
  const valid = signers.every((signer) =>
    signatures.some((signature) => messages.some((message) => verified(message, signature, signer))),
  );
  if (!valid || tx['tx'] === undefined) return valid;
  const envelope = object(tx, 'tx');
  const nested = { signatures: (envelope['signatures'] ?? []) as string[], tx: innerOf(tx) };
  return text(tx, 'type') === 'PayingForTx'
    ? check(nested, state, innerNetwork(network))
    : check(nested, state, network, text(tx, 'ga_id'));
}

function verified(message: Uint8Array, signature: string, signer: string): boolean {
  try {
    const x = Buffer.from(decodeId(signer)).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, message, key, decodeId(signature, 'sg'));
  } catch {
    // Not all 32 bytes are a point on the curve.
    return false;
  }
}
