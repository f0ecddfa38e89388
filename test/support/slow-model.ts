/**
 * What the service should answer, computed in the simplest way from the node's blocks: each function loops over all transactions. Written from
 * the contract, without the database and the code that fills it.
 */
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import type { IdPrefix } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { elementTexts, memberText } from '../../src/chain/encoding/json-walk.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { recordedGenerations, recordedInfo } from './recording.js';
import type { RecordedGeneration } from './recording.js';

/** A chain as a node answers it. */
export interface PlainChain {
  generations: readonly RecordedGeneration[];
  info: (hash: string) => string | null;
}

export interface PlainTransaction {
  height: number;
  /** Protocol of its generation. */
  version: number;
  /** Of its micro block, ms. */
  time: number;
  blockHash: string;
  hash: string;
  type: string;
  /** The node's whole answer. */
  whole: JsonObject;
  /** Exact text of the inner transaction. */
  text: string;
  tx: JsonObject;
  /** The innermost transaction that takes effect, and how deep it is wrapped. */
  effective: JsonObject;
  depth: number;
  /** Authentication id of a generalized account whose transaction this is. */
  authentication: { account: string; id: Uint8Array } | undefined;
}

export const recordedChain = (to = Infinity): PlainChain => ({
  generations: recordedGenerations().filter(({ height }) => height <= to),
  info: recordedInfo,
});

const read = new WeakMap<PlainChain, PlainTransaction[]>();

/** All transactions in chain order. */
export function plainTransactions(chain: PlainChain): PlainTransaction[] {
  const found = read.get(chain) ?? readTransactions(chain);
  read.set(chain, found);
  return found;
}

function readTransactions({ generations, info }: PlainChain): PlainTransaction[] {
  const found: PlainTransaction[] = [];
  for (const { height, keyBlock, microBlocks } of generations) {
    const { version } = parseExact(keyBlock) as { version: number };
    for (const { hash: blockHash, header, transactions } of microBlocks) {
      const { time } = parseExact(header) as { time: number };
      for (const source of elementTexts(memberText(transactions, 'transactions')!)) {
        const whole = parseExact(source) as JsonObject;
        const tx = whole['tx'] as JsonObject;
        found.push({
          height,
          version,
          time,
          blockHash,
          hash: textOf(whole['hash']),
          type: textOf(tx['type']),
          whole,
          text: memberText(source, 'tx')!,
          tx,
          ...unwrap(tx, info(textOf(whole['hash']))),
        });
      }
    }
  }
  return found;
}

function unwrap(
  outer: JsonObject,
  info: string | null,
): Pick<PlainTransaction, 'effective' | 'depth' | 'authentication'> {
  let effective = outer;
  let depth = 0;
  let authentication: PlainTransaction['authentication'];
  let call = info === null ? undefined : (parseExact(info) as { ga_info?: JsonObject }).ga_info;
  for (;;) {
    const type = effective['type'];
    if (type === 'GAMetaTx' && call !== undefined && call['return_type'] !== 'ok') break;
    if (type !== 'GAMetaTx' && type !== 'PayingForTx') break;
    if (type === 'GAMetaTx') {
      const account = textOf(effective['ga_id']);
      const id = hash(decodeId(account), decodeId(textOf(effective['auth_data'])));
      authentication = { account, id };
      call = (call?.['inner_object'] as JsonObject | undefined)?.['ga_info'] as JsonObject | undefined;
    }
    effective = (effective['tx'] as JsonObject)['tx'] as JsonObject;
    depth += 1;
  }
  return { effective, depth, authentication };
}

/** A member that is text or a number, as text. */
export const textOf = (value: Json | undefined): string => `${value as string}`;

/** The nonce as bytes, or the authentication id of a generalized account. */
export function distinction(
  { authentication, effective }: PlainTransaction,
  account: string,
  length?: number,
): Uint8Array {
  if (authentication?.account === account) return authentication.id;
  const hex = BigInt(effective['nonce'] as number).toString(16);
  const even = length === undefined ? hex.padStart(hex.length + (hex.length % 2), '0') : hex.padStart(length * 2, '0');
  return Buffer.from(even, 'hex');
}

export const derivedId = (prefix: IdPrefix, ...parts: Uint8Array[]): string => encodeId(prefix, hash(...parts));

export const topHeight = ({ generations }: PlainChain): number => generations.at(-1)!.height;

/** The record form of a transaction. */
export function rawRecord({ height, blockHash, hash: id, type, whole, text, tx }: PlainTransaction): JsonObject {
  const signatures = whole['signatures'];
  return {
    block_height: height,
    block_hash: blockHash,
    hash: id,
    signatures: Array.isArray(signatures) ? (signatures as string[]).join(' ') || null : null,
    tx_type: type,
    tx,
    fee: textOf(tx['fee']),
    size: Buffer.byteLength(withoutSpaces(text)),
  };
}

/** JSON text without the spaces between its parts. */
function withoutSpaces(text: string): string {
  let compact = '';
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]!;
    if (character === '"') inString = !inString;
    if (inString && character === '\\') compact += text[i++]!;
    if (inString || !/\s/.test(character)) compact += text[i]!;
  }
  return compact;
}
