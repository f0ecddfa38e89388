/** Compares the node's JSON of a transaction with the content of its bytes. */
import { isObject } from '../encoding/json.js';
import type { Json, JsonObject } from '../encoding/json.js';
import { withMergedReplacements } from '../serialize/parse-fields.js';
import type { Mismatch } from './level.js';

/** Returns the first member in which the node's JSON and the bytes differ; undefined if there is none. */
export function differenceOf(claimed: Json | undefined, proven: Json, path = ''): Mismatch | undefined {
  if (isObject(proven) && isObject(claimed)) return differenceOfMembers(claimed, proven, path);
  if (Array.isArray(proven) && Array.isArray(claimed)) {
    if (claimed.length !== proven.length)
      return { field: path, reason: `${claimed.length} instead of ${proven.length}` };
    return firstMismatch(proven.keys(), (index) => differenceOf(claimed[index], proven[index]!, `${path}[${index}]`));
  }
  if (isSame(claimed, proven)) return undefined;
  return { field: path, reason: `${printed(claimed)} instead of ${printed(proven)}` };
}

function differenceOfMembers(claimed: JsonObject, proven: JsonObject, path: string): Mismatch | undefined {
  const at = (member: string): string => (path === '' ? member : `${path}.${member}`);
  const different = firstMismatch(Object.keys(proven), (member) => {
    // Nodes before 7.1 print only the text of a pointer's key.
    if (member === 'encoded_key' && claimed[member] === undefined) return undefined;
    // Only claims of version 1 have no fee for the name. Releases before 5.0 printed this version.
    if (
      member === 'version' &&
      claimed[member] === 1 &&
      proven['type'] === 'NameClaimTx' &&
      !Object.hasOwn(proven, 'name_fee')
    )
      return undefined;
    return differenceOf(claimed[member], proven[member]!, at(member));
  });
  if (different !== undefined) return different;
  return firstMismatch(Object.keys(claimed), (member) =>
    Object.hasOwn(proven, member) || (member === 'ttl' && claimed[member] === 0)
      ? undefined
      : { field: at(member), reason: 'its bytes do not contain this member' },
  );
}

function isSame(claimed: Json | undefined, proven: Json): boolean {
  if (typeof proven === 'string')
    return typeof claimed === 'string' && withMergedReplacements(claimed) === withMergedReplacements(proven);
  if (typeof claimed === 'string' && /^0x[0-9a-f]{1,8}$/i.test(claimed)) return Number(claimed) === proven;
  const isNumber = typeof claimed === 'bigint' || (typeof claimed === 'number' && Number.isSafeInteger(claimed));
  return isNumber && BigInt(claimed) === BigInt(proven as number | bigint);
}

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
