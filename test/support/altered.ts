/** Random alterations of JSON, in value, spelling, type, order and number of members, and what may differ between two nodes that print the same. */
import { isObject } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { FORTUNA, IRIS, ROMA } from '../../src/chain/protocol/versions.js';
import type { Choices } from './histories.js';

const PREFIXES = ['ak', 'ct', 'ok', 'nm', 'cm', 'ch', 'kh', 'mh', 'th', 'bx', 'bs', 'ba', 'cb', 'ov', 'tx', 'sg', 'oq'];

interface Place {
  of: JsonObject | Json[];
  at: string | number;
  /** Members on the way, without indexes. */
  path: string;
}

function* placesIn(value: Json | undefined, path = ''): Generator<Place> {
  if (Array.isArray(value))
    for (const at of value.keys()) {
      yield { of: value, at, path };
      yield* placesIn(value[at], path);
    }
  else if (isObject(value))
    for (const at of Object.keys(value)) {
      const inner = path === '' ? at : `${path}.${at}`;
      yield { of: value, at, path: inner };
      yield* placesIn(value[at], inner);
    }
}

const valueAt = ({ of, at }: Place): Json => (of as Record<string | number, Json>)[at]!;

function put({ of, at }: Place, value: Json): void {
  (of as Record<string | number, Json>)[at] = value;
}

function otherNumber(value: number | bigint, random: Choices): Json {
  const exact = BigInt(value);
  const all: Json[] = [
    ...[exact + 1n, exact - 1n, exact * 10n, exact + (1n << 64n), -exact - 1n, 0n],
    ...[String(exact), `0x${exact.toString(16)}`, `0x${exact.toString(16).padStart(4, '0')}`, `${exact}.0`, [exact]],
  ];
  return all[random.int(0, all.length - 1)]!;
}

function otherText(value: string, random: Choices): Json {
  const at = random.int(0, Math.max(value.length - 1, 0));
  const all: Json[] = [
    `${value.slice(0, at)}${random.chance(0.5) ? 'x' : '2'}${value.slice(at + 1)}`,
    value.slice(0, at) + value.slice(at + 1),
    `${PREFIXES[random.int(0, PREFIXES.length - 1)]}${value.slice(2)}`,
    ...[`${value}=`, `${value} `, `${value}\u200b`, ` ${value}`, value.toUpperCase(), '', 0, value.length, [value]],
    ...[Buffer.from(value.slice(3), 'base64').toString('latin1'), `ba_${value}`, value.slice(3)],
  ];
  return all[random.int(0, all.length - 1)]!;
}

/** Alters one place below the members of `root`, which stay. Returns the path of the altered member. */
export function alter(root: JsonObject, random: Choices): string {
  const places = [...placesIn(root)].filter(({ of }) => of !== root);
  if (places.length === 0) return '';
  const place = places[random.int(0, places.length - 1)]!;
  const value = valueAt(place);
  const other = structuredClone(valueAt(places[random.int(0, places.length - 1)]!));
  const kind = random.int(0, 9);
  if (kind === 0 && !Array.isArray(place.of)) delete place.of[place.at];
  else if (kind === 1) put(place, other);
  else if (kind === 2) put(place, [null, true, [], {}, ''][random.int(0, 4)]!);
  else if (kind === 3 && !Array.isArray(place.of)) place.of[random.chance(0.5) ? 'colour' : 'payer_id'] = other;
  else if (kind === 4 && Array.isArray(place.of)) place.of.splice(random.int(0, place.of.length), 0, value);
  else if (kind === 5 && Array.isArray(place.of)) place.of.splice(Number(place.at), 1);
  else if (kind === 6 && Array.isArray(place.of)) place.of.reverse();
  else if (typeof value === 'number' || typeof value === 'bigint') put(place, otherNumber(value, random));
  else if (typeof value === 'string') put(place, otherText(value, random));
  else put(place, other);
  return place.path;
}

/**
 * As nodes print it today, with sorted members and signatures. What nodes of the time of the block may leave out is ignored if `other` lacks it.
 */
export function canonical(
  value: Json | undefined,
  other: Json | undefined,
  version: number,
  of = '',
): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item, i) => canonical(item, Array.isArray(other) ? other[i] : undefined, version)!);
    return of === 'signatures' ? items.map(String).sort() : items;
  }
  if (!isObject(value)) {
    const isVersion = of === 'vm_version' || of === 'abi_version';
    return isVersion && version <= FORTUNA && typeof value === 'string' ? Number(value) : value;
  }
  const mayLack = (member: string): boolean =>
    member === 'encoded_key' ||
    // Nodes before 7.3 do not print them.
    member === 'flags' ||
    (member === 'encoded_tx' && version <= IRIS) ||
    (member === 'ttl' && value['ttl'] === 0 && version <= FORTUNA) ||
    (member === 'info' && version <= ROMA);
  const isLacked = (member: string): boolean => isObject(other) && !Object.hasOwn(other, member);
  const members = Object.entries(value)
    .filter(([member]) => !(mayLack(member) && isLacked(member)))
    // Before 5.0, nodes printed version 1 of a claim.
    .map(([member, inner]): [string, Json] => {
      const isClaim = member === 'version' && value['type'] === 'NameClaimTx' && version <= FORTUNA;
      return [member, isClaim && inner === 1 ? 2 : inner];
    });
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([member, inner]) => [
      member,
      canonical(inner, isObject(other) ? other[member] : undefined, version, member)!,
    ]),
  );
}
