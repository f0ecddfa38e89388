/** Compares the node's JSON of a transaction with the content of its bytes. */
import { isObject } from '../encoding/json.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { hasSameReplacements } from '../serialize/parse-fields.js';
import type { Extra } from '../serialize/fields.js';
import { hexadecimalVersion, isSpelling } from '../serialize/spellings.js';
import type { Mismatch } from './level.js';

interface Reading {
  /** Protocol version of the block. */
  protocol: number;
  extra?: Extra;
}

/** Returns the first member in which the node's JSON and the bytes differ; undefined if there is none. Members of the JSON alone are no difference: `extra` is called with their paths. */
export function differenceOf(
  claimed: Json | undefined,
  proven: Json,
  reading: Reading,
  path = '',
): Mismatch | undefined {
  if (isObject(proven) && isObject(claimed)) return differenceOfMembers(claimed, proven, reading, path);
  if (Array.isArray(proven) && Array.isArray(claimed)) {
    if (claimed.length !== proven.length)
      return { field: path, reason: `${claimed.length} instead of ${proven.length}` };
    return firstMismatch(proven.keys(), (index) =>
      differenceOf(claimed[index], proven[index]!, reading, `${path}[${index}]`),
    );
  }
  if (isSame(claimed, proven) || isHexadecimal(claimed, proven, reading.protocol, path)) return undefined;
  return { field: path, reason: `${printed(claimed)} instead of ${printed(proven)}` };
}

function differenceOfMembers(
  claimed: JsonObject,
  proven: JsonObject,
  reading: Reading,
  path: string,
): Mismatch | undefined {
  const at = (member: string, of = path): string => (of === '' ? member : `${of}.${member}`);
  const different = firstMismatch(Object.keys(proven), (member) => {
    if (member === 'encoded_key' && claimed[member] === undefined && isSpelling('withoutEncodedKey', reading.protocol))
      return undefined;
    // Only claims of version 1 have no fee for the name.
    if (
      member === 'version' &&
      isSpelling('versionOfClaim', reading.protocol) &&
      claimed[member] === 1 &&
      proven['type'] === 'NameClaimTx' &&
      !Object.hasOwn(proven, 'name_fee')
    )
      return undefined;
    return differenceOf(claimed[member], proven[member]!, reading, at(member));
  });
  if (different !== undefined) return different;
  for (const member of Object.keys(claimed)) {
    if (Object.hasOwn(proven, member)) continue;
    if (member === 'ttl') {
      if (claimed[member] === 0 && isSpelling('ttlOfZero', reading.protocol)) continue;
      return { field: at(member), reason: `${printed(claimed[member])} instead of nothing` };
    }
    // It is left out of each item of a list. Members that are known have no brackets in their names.
    reading.extra?.(at(member, path.replace(/\[\d+\]/g, '')));
  }
  return undefined;
}

function isSame(claimed: Json | undefined, proven: Json): boolean {
  if (typeof proven === 'string') return typeof claimed === 'string' && hasSameReplacements(claimed, proven);
  const isNumber = typeof claimed === 'bigint' || (typeof claimed === 'number' && Number.isSafeInteger(claimed));
  return isNumber && (typeof proven === 'number' || typeof proven === 'bigint') && BigInt(claimed) === BigInt(proven);
}

const isHexadecimal = (claimed: Json | undefined, proven: Json, protocol: number, path: string): boolean =>
  /\b(?:vm|abi)_version$/.test(path) && hexadecimalVersion(claimed, protocol) === proven;

function firstMismatch<T>(items: Iterable<T>, compare: (item: T) => Mismatch | undefined): Mismatch | undefined {
  for (const item of items) {
    const found = compare(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function printed(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object') return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
