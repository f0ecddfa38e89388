/** Proves that the content of blocks matches their hashes. */
import { encodeId, hash } from '../encoding/encoding.js';
import { isObject, parseExact } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import { tallyOf } from '../encoding/json-walk.js';
import type { KeyBlock, MicroBlock } from '../facts.js';
import { MalformedError } from '../malformed.js';
import { NEWEST_VERSION, keyHeaderBytes, microHeaderBytes } from '../serialize/headers.js';
import { transactionsRoot } from '../serialize/txs-root.js';
import { createCachedDecode } from './decode.js';
import type { ExtraMembers, Flaw, Mismatch, Proof, ProofLevel } from './level.js';
import { printedMismatch } from './printed.js';
import { proveTransaction } from './transaction.js';

const KEY_MEMBERS: ReadonlySet<string> = new Set([
  'beneficiary',
  'flags',
  'hash',
  'height',
  'info',
  'miner',
  'nonce',
  'pow',
  'prev_hash',
  'prev_key_hash',
  'state_hash',
  'target',
  'time',
  'version',
]);
const MICRO_MEMBERS: ReadonlySet<string> = new Set([
  'flags',
  'hash',
  'height',
  'pof_hash',
  'prev_hash',
  'prev_key_hash',
  'signature',
  'state_hash',
  'time',
  'txs_hash',
  'version',
]);

const decode = createCachedDecode();

/** Proves that the hash of a key block is the hash of its header. */
export function proveKeyBlock(block: KeyBlock, level: ProofLevel): Proof {
  if (level === 'off') return { unproven: [] };
  return headerProof(block, 'KeyBlock', read(block.body));
}

/** Proves a micro block according to the level: its header, its transactions, and that it contains exactly these transactions. */
export function proveMicroBlock(block: MicroBlock, level: ProofLevel): Proof {
  if (level === 'off') return { unproven: [] };
  const header = read(block.body);
  const proof = headerProof(block, 'MicroBlock', header);
  if (proof.flaw !== undefined || level === 'headers') return proof;
  const signed: Uint8Array[] = [];
  const extra: ExtraMembers[] = [...(proof.extra ?? [])];
  for (const transaction of block.transactions) {
    const proven = proveTransaction(transaction, block, level, decode);
    if ('mismatch' in proven)
      return { ...proof, flaw: { block: block.hash, transaction: transaction.hash, ...proven.mismatch } };
    if (proven.extra.length > 0) extra.push({ transaction: transaction.hash, members: proven.extra });
    if (proven.unproven !== undefined)
      proof.unproven.push({ hash: transaction.hash, type: transaction.type, reason: proven.unproven });
    signed.push(proven.signed);
  }
  if (encodeId('bx', transactionsRoot(signed)) === header['txs_hash'])
    return { ...proof, signed, ...(extra.length > 0 && { extra }) };
  const reason = `it does not match the ${signed.length} transactions that the node answers`;
  return { ...proof, flaw: { block: block.hash, field: 'txs_hash', reason } };
}

function headerProof(
  block: { hash: string; body: string },
  type: 'KeyBlock' | 'MicroBlock',
  header: JsonObject,
): Proof {
  const version = header['version'];
  if (typeof version === 'number' && version > NEWEST_VERSION)
    return { unknownVersion: version, unproven: [{ hash: block.hash, type, reason: `version ${version}` }] };
  const proven = provenHeader(block, type, header);
  if ('reason' in proven) return { unproven: [], flaw: { block: block.hash, ...proven } };
  const members = type === 'KeyBlock' ? KEY_MEMBERS : MICRO_MEMBERS;
  const extra = Object.keys(header).filter((member) => !members.has(member));
  return { unproven: [], header: proven, ...(extra.length > 0 && { extra: [{ members: extra }] }) };
}

/** The bytes of the header, or why they do not have this hash. */
function provenHeader(
  { hash: claimed, body }: { hash: string; body: string },
  type: 'KeyBlock' | 'MicroBlock',
  header: JsonObject,
): Uint8Array | Mismatch {
  try {
    const printed = printedMismatch(tallyOf(body), Object.keys(header).length);
    if (printed !== undefined) return printed;
    const bytes = type === 'KeyBlock' ? keyHeaderBytes(header, decode) : microBytes(header);
    const computed = encodeId(type === 'KeyBlock' ? 'kh' : 'mh', hash(bytes));
    return computed === claimed ? bytes : { reason: 'the hash of its header is different' };
  } catch (error) {
    if (error instanceof MalformedError) return { reason: error.message };
    throw error;
  }
}

function microBytes(header: JsonObject): Uint8Array {
  if (header['signature'] === undefined) throw new MalformedError('signature: missing');
  return microHeaderBytes(header);
}

function read(body: string): JsonObject {
  const header = parseExact(body);
  return isObject(header) ? header : {};
}

/** Describes in one sentence that the version of a block is not known. */
export const describeUnknownVersion = (hash: string, version: number): string =>
  `block ${hash} has protocol version ${version}, and this release knows those up to ${NEWEST_VERSION}`;

/** Names members that the bytes do not contain, in one sentence. */
export const describeExtra = (extra: readonly ExtraMembers[]): string =>
  `its bytes do not contain ${[...new Set(extra.flatMap(({ members }) => members))].join(', ').slice(0, 200)}`;

/** Describes a flaw in one sentence. */
export const describeFlaw = (flaw: Flaw): string =>
  `${placeOf(flaw)} is not proven: ${flaw.field === undefined ? '' : `${flaw.field}: `}${flaw.reason}`;

/** Where a flaw is. */
export const placeOf = ({ block, transaction }: Flaw): string =>
  transaction === undefined ? `block ${block}` : `transaction ${transaction} of block ${block}`;
