import { isObject } from '../chain/encoding/json.js';
import type { Json } from '../chain/encoding/json.js';

/** Max length of a value in a message. */
const MAX_TEXT = 80;

/** Describes the first member in which the answers of two nodes differ; undefined if they are the same. The order of members does not count. */
export function differingMember(one: Json | undefined, other: Json | undefined, path = ''): string | undefined {
  if (isObject(one) && isObject(other)) {
    const members = new Set([...Object.keys(one), ...Object.keys(other)]);
    return first(members, (member) =>
      differingMember(
        Object.hasOwn(one, member) ? one[member] : undefined,
        Object.hasOwn(other, member) ? other[member] : undefined,
        path === '' ? member : `${path}.${member}`,
      ),
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return first(one.keys(), (index) => differingMember(one[index], other[index], `${path}[${index}]`));
  return one === other ? undefined : `${path}: ${printed(one)} and ${printed(other)}`;
}

function first<T>(items: Iterable<T>, describe: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = describe(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function printed(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return 'an object';
  const text = String(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
