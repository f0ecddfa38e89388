/** What a node answers about the present state of a name, an auction or an oracle. */
import { isId } from '../chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';

interface NodeName {
  /** Absent in answers of nodes before 5.6.2. */
  owner: string | undefined;
  /** Last height. */
  endsAt: bigint;
  /** Exact JSON text. */
  pointers: string;
}

interface NodeAuction {
  bidder: string;
  bid: bigint;
  endsAt: bigint;
}

/** A name has at most 32 pointers, each with a key of 256 bytes and up to 1024 bytes of data. */
const MAX_POINTERS_LENGTH = 262_144;

/** A number of coins that exists has fewer digits. */
const MAX_BID = 10n ** 40n;

/** Throws MalformedError if the answer is not about the name. */
export function readName(text: string, nameHash: string): NodeName {
  const answer = about(text, nameHash);
  const { owner, pointers } = answer;
  if (owner !== undefined) mustBeAccount(owner);
  if (!Array.isArray(pointers) || !pointers.every(isPointer)) throw new MalformedError('a name: no pointers');
  const printed = stringifyExact(pointers);
  if (printed.length > MAX_POINTERS_LENGTH) throw new MalformedError('a name: its pointers are too long');
  return { owner: owner as string | undefined, endsAt: heightIn(answer, 'ttl'), pointers: printed };
}

/** Throws MalformedError if the answer is not about the auction of the name. */
export function readAuction(text: string, nameHash: string): NodeAuction {
  const answer = about(text, nameHash);
  const bid = natural(answer['highest_bid']);
  if (bid === undefined || bid > MAX_BID) throw new MalformedError('an auction: no bid');
  const bidder = mustBeAccount(answer['highest_bidder']);
  return { bidder, bid, endsAt: heightIn(answer, 'ends_at') };
}

/** Last height of an oracle. Throws MalformedError if the answer is not about it. */
export function readOracleEnd(text: string, oracle: string): bigint {
  return heightIn(about(text, oracle), 'ttl');
}

function about(text: string, id: string): JsonObject {
  const answer = parseExact(text);
  if (!isObject(answer) || answer['id'] !== id) throw new MalformedError(`an answer that is not about ${id}`);
  return answer;
}

function mustBeAccount(value: Json | undefined): string {
  if (typeof value === 'string' && isId(value, 'ak', 'ct')) return value;
  throw new MalformedError('an owner or bidder that is no account');
}

const isPointer = (value: Json): boolean =>
  isObject(value) && typeof value['key'] === 'string' && typeof value['id'] === 'string' && isId(value['id']);

function heightIn(answer: JsonObject, member: string): bigint {
  const height = natural(answer[member]);
  if (height !== undefined && height <= BigInt(Number.MAX_SAFE_INTEGER)) return height;
  throw new MalformedError(`${member} is no height`);
}

const natural = (value: Json | undefined): bigint | undefined =>
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) || (typeof value === 'bigint' && value >= 0n)
    ? BigInt(value)
    : undefined;
