/** Reads blocks and transactions from the texts that the node answers. */
import { exactInteger, isObject, parseExact, parsePlain, withExactIntegers } from './encoding/json.js';
import { compactBytes, memberText, objectSpan, objectSpans, tallyOf } from './encoding/json-walk.js';
import type { Json, JsonObject } from './encoding/json.js';
import type { Span, Tally } from './encoding/json-walk.js';
import { MalformedError } from './malformed.js';
import { MAX_HEIGHT, MAX_TX } from './position.js';
import { consensusOf } from './protocol/generations.js';
import type { Consensus } from './protocol/generations.js';

/** The latest time that a `Date` can have, ms since 1970. A later one could not be printed as a date, for example in an export. */
const MAX_TIME = 8_640_000_000_000_000;

interface BlockRef {
  height: number;
  hash: string;
}

/** Something that cannot be proven, because its type or version is not known. */
export interface Unproven {
  /** Hash of the transaction or of the block. */
  hash: string;
  /** Type of the transaction; `KeyBlock` or `MicroBlock` for a block. */
  type: string;
  reason: string;
}

interface Provable extends BlockRef {
  /** The parts of the block that cannot be proven; absent if there are none, or if nothing was checked. */
  unproven?: readonly Unproven[];
  /** True if everything is proven except the parts in `unproven`; absent if a lower proof level was requested. */
  proven?: boolean;
}

export interface KeyBlock extends Provable {
  prevHash: string;
  prevKeyHash: string;
  /** The account that leads the generation. */
  miner: string;
  beneficiary: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Protocol version of the generation. */
  version: number;
  target: bigint;
  /** What made it; undefined for the genesis block. */
  consensus: Consensus | undefined;
  /** Exact text of the node. */
  body: string;
}

export interface MicroBlock extends Provable {
  /** As its header says it: that of its key block, or of the next one. */
  height: number;
  prevHash: string;
  prevKeyHash: string;
  time: number;
  /** Protocol version, which is that of its key block. */
  version: number;
  /** Exact text of the header. */
  body: string;
  transactions: Transaction[];
}

/** The JSON of an envelope as it was read. Integers beyond 2^53 in `value` are not exact. */
interface Envelope {
  value: JsonObject;
  tally: Tally;
}

export interface Transaction {
  hash: string;
  type: string;
  /** Exact text of the envelope. */
  body: string;
  /** Where the inner transaction is in `body`: its first character (counted from 1) and its length, in characters as PostgreSQL counts them. */
  txStart: number;
  txLength: number;
  /** Size of the inner transaction as compact JSON, in bytes. */
  size: number;
  fee: bigint;
  tx: JsonObject;
  /** The parsed envelope. Only the proof uses it, and drops it afterwards. */
  envelope?: Envelope | undefined;
  /** Exact text of the node's call information; null if it was not requested, the node no longer has it, or it is unknown. */
  info: string | null;
  /** True if no node answered with the call information, of which it depends what the transaction does: see `needsInfo`. */
  isInfoUnknown?: boolean;
}

/** Reads a key block. This function and all other readers of this file throw MalformedError, which names the wrong field. */
export function readKeyBlock(text: string): KeyBlock {
  return keyBlock(text.trim(), parseExact(text));
}

/** Reads `{key_block, micro_blocks}`: the key block and the hashes of the generation's micro blocks, oldest first. */
export function readGeneration(text: string): { keyBlock: KeyBlock; microHashes: string[] } {
  const generation = object(parseExact(text), 'generation');
  const body = memberText(text, 'key_block');
  if (body === undefined) throw new MalformedError('generation: key_block is missing');
  const hashes = generation['micro_blocks'];
  if (!Array.isArray(hashes)) throw new MalformedError('generation: micro_blocks is not a list');
  return {
    keyBlock: keyBlock(body, generation['key_block']!),
    microHashes: hashes.map((hash) => {
      if (isIdentifier(hash)) return hash;
      throw new MalformedError('generation: micro_blocks has an element that is not a hash');
    }),
  };
}

/** Reads a micro block from its header and from `{transactions: [...]}`. */
export function readMicroBlock(headerText: string, transactionsText: string): MicroBlock {
  const body = headerText.trim();
  const header = object(parseExact(body), 'micro block');
  return {
    hash: id(header, 'hash', 'micro block'),
    height: count(header, 'height', 'micro block', MAX_HEIGHT),
    prevHash: id(header, 'prev_hash', 'micro block'),
    prevKeyHash: id(header, 'prev_key_hash', 'micro block'),
    time: count(header, 'time', 'micro block', MAX_TIME),
    version: count(header, 'version', 'micro block', 0x7fffffff),
    body,
    transactions: readTransactions(transactionsText),
  };
}

/** Reads the `{transactions: [...]}` of a micro block. */
export function readTransactions(answer: string): Transaction[] {
  // The text is parsed once as a whole. This also ensures that the JSON below is well-formed.
  const values = object(parsePlain(answer), 'transactions')['transactions'];
  if (!Array.isArray(values)) throw new MalformedError('transactions: transactions is not a list');
  if (values.length > MAX_TX + 1) throw new MalformedError(`transactions: ${values.length} in one micro block`);
  return objectSpans(answer, 'transactions', 'tx').map(({ start, end, member, tally }, i) => {
    const inner = member && { start: member.start - start, end: member.end - start };
    const value = object(values[i], 'transaction');
    return transaction(answer.slice(start, end), { value, tally }, inner);
  });
}

/** Reads one transaction from its envelope. The inner transaction only has to have a `type`. */
export function readTransaction(envelopeText: string): Transaction {
  const body = envelopeText.trim();
  const value = object(parsePlain(body), 'transaction');
  const { member, tally } = objectSpan(body, 0, 'tx');
  return transaction(body, { value, tally }, member);
}

/** Reads the envelope of a transaction. */
export const readEnvelope = (body: string): Envelope => ({
  value: object(parsePlain(body), 'transaction'),
  tally: tallyOf(body),
});

/** `inner`: where the inner transaction is in `body`. */
function transaction(body: string, envelope: Envelope, inner: Span | undefined): Transaction {
  const { value, tally } = envelope;
  const hash = id(value, 'hash', 'transaction');
  const plain = object(value['tx'], `transaction ${hash}: tx`);
  const type = typeName(text(plain, 'type', `transaction ${hash}: tx`));
  const { start, end } = inner!;
  const source = body.slice(start, end);
  const tx = tally.longNumbers === 0 ? plain : withExactIntegers(source, plain);
  return {
    hash,
    type,
    body,
    txStart: characters(body.slice(0, start)) + 1,
    txLength: characters(source),
    size: tally.spaces === 0 ? Buffer.byteLength(source) : compactBytes(source),
    fee: integer(tx['fee']) ?? 0n,
    tx,
    envelope,
    info: null,
  };
}

/** Every known type is one word. Any other text becomes `unknown`, because it may be too long or contain characters that PostgreSQL cannot store. */
const typeName = (type: string): string => (/^\w{1,64}$/.test(type) ? type : 'unknown');

/** The value as an integer, whether it was printed as a number or (with `int-as-string`) as text; undefined if it is not an integer. */
export function integer(value: Json | undefined): bigint | undefined {
  return typeof value === 'string' && /^\d{1,100}$/.test(value) ? BigInt(value) : exactInteger(value);
}

function keyBlock(body: string, value: Json): KeyBlock {
  const block = object(value, 'key block');
  return {
    height: count(block, 'height', 'key block', MAX_HEIGHT),
    hash: id(block, 'hash', 'key block'),
    prevHash: id(block, 'prev_hash', 'key block'),
    prevKeyHash: id(block, 'prev_key_hash', 'key block'),
    miner: id(block, 'miner', 'key block'),
    beneficiary: id(block, 'beneficiary', 'key block'),
    time: count(block, 'time', 'key block', MAX_TIME),
    version: count(block, 'version', 'key block', 0x7fffffff),
    target: BigInt(count(block, 'target', 'key block')),
    consensus: consensusOf(block),
    body,
  };
}

/** Length as PostgreSQL counts it: a character beyond the 16-bit range is one character there, but two units in JavaScript. */
function characters(source: string): number {
  if (!/[\ud800-\udbff]/.test(source)) return source.length;
  const pairs = source.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return source.length - (pairs?.length ?? 0);
}

function object(value: Json | undefined, what: string): JsonObject {
  if (isObject(value)) return value;
  throw new MalformedError(`${what} is not an object`);
}

/** Identifiers are stored, indexed and put into paths, so any other text is refused. */
const isIdentifier = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^[a-z]{2}_\w{1,80}$/.test(value);

function id(of: JsonObject, field: string, what: string): string {
  const value = of[field];
  if (isIdentifier(value)) return value;
  throw new MalformedError(`${what}: ${field} ${value === undefined ? 'is missing' : 'is not an identifier'}`);
}

function text(of: JsonObject, field: string, what: string): string {
  const value = of[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new MalformedError(`${what}: ${field} ${value === undefined ? 'is missing' : 'is not text'}`);
}

function count(of: JsonObject, field: string, what: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = of[field];
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new MalformedError(
    `${what}: ${field} ${value === undefined ? 'is missing' : `is not an integer from 0 to ${max}`}`,
  );
}
