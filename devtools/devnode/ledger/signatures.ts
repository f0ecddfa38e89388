/** Verifies the signatures of a transaction that is posted. */
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { isValidSignatureSync } from '../../../src/chain/signatures/ed25519.js';
import { serializeSigned } from '../../../src/chain/serialize/transactions.js';
import { signedLayers } from '../../../src/chain/signatures/transaction.js';
import type { SignedLayer } from '../../../src/chain/signatures/transaction.js';
import type { Records } from './state.js';

interface SignedTransaction {
  /** sg_ */
  signatures: string[];
  tx: JsonObject;
}

/** Whether a transaction and its nested ones have exactly the required signatures, and all are valid. */
export function isSigned({ signatures, tx }: SignedTransaction, state: Records, networkId: string): boolean {
  const parties = (id: string): readonly string[] | undefined => {
    const channel = state.channel(id);
    return channel && [channel.initiator, channel.responder];
  };
  const hasNone = tx['type'] === 'GAMetaTx';
  if (hasNone && signatures.length > 0) return false;
  const signed = serializeSigned(hasNone ? { tx } : { signatures, tx });
  return signedLayers(signed, tx, { networkId, parties }).every(hasSignatures);
}

function hasSignatures({ signatures, signers, unknownSigners, messages }: SignedLayer): boolean {
  const isSignedBy = (signer: string): boolean =>
    signatures.some((signature) =>
      messages.some((message) => isValidSignatureSync(message, signature, decodeId(signer))),
    );
  return signatures.length === signers.length + unknownSigners && signers.every(isSignedBy);
}
