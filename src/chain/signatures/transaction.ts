/**
 * The signatures of a transaction: who must sign it, and what. Each account that must sign signs once, and there are no other signatures.
 *
 * A GAMetaTx has none: a contract of its account decides, which only a node can run. The same account does not sign the transaction inside.
 * If another signature of that inner transaction is missing, the GAMetaTx is valid, but the inner transaction has no effect.
 */
import { decodeId } from '../encoding/encoding.js';
import type { JsonObject } from '../encoding/json.js';
import { isObject } from '../encoding/json.js';
import { MalformedError } from '../malformed.js';
import { innerNetwork, signedMessages } from '../protocol/signing.js';
import { isValidSignature } from './ed25519.js';
import { decodeRlp } from '../serialize/decode-rlp.js';
import type { RlpItem } from '../encoding/rlp.js';
import { transactionType } from '../transactions/catalogue.js';
import { readId } from '../transactions/members.js';
import type { TransactionType } from '../transactions/type.js';

export interface SigningRules {
  networkId: string;
  /** Both parties of a channel, by `ch_…`; undefined if they are not known. */
  parties: (channel: string) => readonly string[] | undefined;
}

/** The signatures that a transaction has, or one that it wraps, and those that it must have. */
export interface SignedLayer {
  signatures: readonly Uint8Array[];
  /** Accounts and oracles that must sign it. */
  signers: readonly string[];
  /** Number of other accounts that must sign it but are not known: the other party of a channel. */
  unknownSigners: number;
  /** The messages of which a signature is valid. */
  messages: readonly Uint8Array[];
  /** It is inside a GAMetaTx. */
  authenticated: boolean;
}

interface Surroundings extends SigningRules {
  /** The accounts of the surrounding GAMetaTxs. */
  accounts: readonly string[];
  authenticated: boolean;
}

/** The layers of a transaction, the outermost first; without those of which it cannot be known who must sign. `signed`: the bytes whose hash is the transaction hash. Throws MalformedError. */
export const signedLayers = (signed: Uint8Array, tx: JsonObject, rules: SigningRules): SignedLayer[] =>
  layers(decodeRlp(signed), tx, { ...rules, accounts: [], authenticated: false });

function layers(signed: RlpItem, tx: JsonObject, around: Surroundings): SignedLayer[] {
  const [, , signatures, unsigned] = list(signed);
  const bytes = bytesOf(unsigned);
  const name = tx['type'];
  const type = typeof name === 'string' ? transactionType(name) : undefined;
  if (type === undefined) throw new MalformedError('type: not known');
  const required = signersOf(tx, type, around);
  const messages = signedMessages(bytes, around.networkId);
  const { authenticated } = around;
  const own =
    required === undefined ? [] : [{ signatures: list(signatures).map(bytesOf), ...required, messages, authenticated }];
  if (type.wraps === undefined) return own;
  // The wrapped transaction is the last field.
  const inner = decodeRlp(bytesOf(list(decodeRlp(bytes)).at(-1)));
  const envelope = tx['tx'];
  const innerTx = isObject(envelope) ? envelope['tx'] : undefined;
  if (!isObject(innerTx)) throw new MalformedError('tx: wraps no transaction');
  const within: Surroundings =
    type.wraps === 'paid'
      ? { ...around, networkId: innerNetwork(around.networkId), accounts: [] }
      : { ...around, accounts: [...around.accounts, readId(tx, 'ga_id')], authenticated: true };
  return [...own, ...layers(inner, innerTx, within)];
}

/** Undefined if it cannot be known how many must sign: the parties are not known, and accounts of a GAMetaTx may be among them. */
function signersOf(
  tx: JsonObject,
  { signers }: TransactionType,
  { accounts, parties }: Surroundings,
): Pick<SignedLayer, 'signers' | 'unknownSigners'> | undefined {
  const all = signers === 'parties' ? parties(readId(tx, 'channel_id')) : signers.map((member) => readId(tx, member));
  if (all !== undefined) return { signers: all.filter((signer) => !accounts.includes(signer)), unknownSigners: 0 };
  if (accounts.length > 0) return undefined;
  // The account that sends it is one of the parties.
  return { signers: [readId(tx, tx['from_id'] === undefined ? 'to_id' : 'from_id')], unknownSigners: 1 };
}

/** Why the signatures are not those that the transaction must have; undefined if they are. */
export async function signatureFault({
  signatures,
  signers,
  unknownSigners,
  messages,
}: SignedLayer): Promise<string | undefined> {
  const required = signers.length + unknownSigners;
  if (signatures.length !== required) return `${signatures.length} signatures instead of ${required}`;
  const unused = [...signatures];
  for (const signer of signers) {
    const found = await findSignature(unused, messages, decodeId(signer));
    if (found === undefined) return `${signer} did not sign it`;
    unused.splice(found, 1);
  }
  return undefined;
}

/** Index of the signature by this key; undefined if there is none. */
async function findSignature(
  signatures: readonly Uint8Array[],
  messages: readonly Uint8Array[],
  key: Uint8Array,
): Promise<number | undefined> {
  for (const [index, signature] of signatures.entries()) {
    for (const message of messages) if (await isValidSignature(message, signature, key)) return index;
  }
  return undefined;
}

function list(item: RlpItem | undefined): readonly RlpItem[] {
  if (item !== undefined && !(item instanceof Uint8Array)) return item;
  throw new MalformedError('binary: not a list');
}

function bytesOf(item: RlpItem | undefined): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw new MalformedError('binary: not bytes');
}
