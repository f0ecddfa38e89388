/**
 * Random alterations of the members of recorded blocks, in value, spelling, type, order and number. `ROUNDS` and `SEED` choose how many and
 * which: `make altered-members` makes 200,000.
 */
import { expect } from 'chai';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { readGeneration, readMicroBlock } from '../../src/chain/facts.js';
import { FORTUNA, IRIS, ROMA } from '../../src/chain/protocol/versions.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { proveKeyBlock, proveMicroBlock } from '../../src/chain/proof/block.js';
import { keyBlockWithout, microBlockWithout } from '../../src/chain/proof/extra.js';
import type { Choices } from '../support/histories.js';
import { choices } from '../support/histories.js';
import { RECORDINGS, recordedGenerations } from '../support/recording.js';

const ROUNDS = Number(process.env.ROUNDS ?? 6_000);
const SEED = Number(process.env.SEED ?? 35);

const PREFIXES = ['ak', 'ct', 'ok', 'nm', 'cm', 'ch', 'kh', 'mh', 'th', 'bx', 'bs', 'ba', 'cb', 'ov', 'tx', 'sg', 'oq'];

/** Everything that is proven of a block. */
interface Printed {
  header: JsonObject;
  transactions?: Json[];
}

const blocks: Printed[] = RECORDINGS.flatMap((of) => recordedGenerations(of)).flatMap(({ generation, microBlocks }) => [
  { header: (parseExact(generation) as { key_block: JsonObject }).key_block },
  ...microBlocks.map(({ header, transactions }) => ({
    header: parseExact(header) as JsonObject,
    transactions: (parseExact(transactions) as { transactions: Json[] }).transactions,
  })),
]);

type Place = { of: JsonObject | Json[]; at: string | number };

function* placesIn(value: Json | undefined): Generator<Place> {
  if (Array.isArray(value))
    for (const at of value.keys()) {
      yield { of: value, at };
      yield* placesIn(value[at]);
    }
  else if (isObject(value))
    for (const at of Object.keys(value)) {
      yield { of: value, at };
      yield* placesIn(value[at]);
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

/** Alters one place. */
function alter(printed: Printed, random: Choices): void {
  const places = [...placesIn(printed as unknown as Json)].filter(
    ({ of }) => of !== (printed as unknown as JsonObject),
  );
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
}

/** What is stored of a block; undefined if it is refused. */
function accepted({ header, transactions }: Printed): Printed | undefined {
  try {
    if (transactions === undefined) {
      const { keyBlock } = readGeneration(stringifyExact({ key_block: header, micro_blocks: [] }));
      const { flaw, unproven, unknownVersion, extra } = proveKeyBlock(keyBlock, 'full');
      if (flaw !== undefined || unknownVersion !== undefined) return undefined;
      expect(unproven).to.deep.equal([]);
      return { header: parseExact(keyBlockWithout(keyBlock, extra ?? []).body) as JsonObject };
    }
    const block = readMicroBlock(stringifyExact(header), stringifyExact({ transactions }));
    const { flaw, unproven, unknownVersion, extra } = proveMicroBlock(block, 'full');
    if (flaw !== undefined || unknownVersion !== undefined) return undefined;
    expect(unproven).to.deep.equal([]);
    const stored = microBlockWithout(block, extra ?? []);
    return {
      header: parseExact(stored.body) as JsonObject,
      transactions: stored.transactions.map(({ body }) => parseExact(body)),
    };
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

/**
 * As nodes print it today, with sorted members and signatures. What nodes of the time of the block may leave out is ignored if `other` lacks it.
 */
function canonical(value: Json | undefined, other: Json | undefined, version: number, of = ''): Json | undefined {
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

describe('blocks whose members were altered at random', () => {
  it(`are refused, or nothing of the alteration is stored: ${ROUNDS} times`, function () {
    this.timeout(3_600_000);
    const random = choices(SEED);
    let accepts = 0;
    let altered = 0;
    while (altered < ROUNDS) {
      const block = blocks[random.int(0, blocks.length - 1)]!;
      const printed = structuredClone(block);
      for (let i = random.int(1, 2); i > 0; i--) alter(printed, random);
      const version = Number(block.header['version']);
      if (stringifyExact(printed) === stringifyExact(block)) continue;
      altered += 1;
      const result = accepted(printed);
      if (result === undefined) continue;
      accepts += 1;
      const [truth, stored] = [block, result] as unknown as [Json, Json];
      expect(stringifyExact(canonical(stored, truth, version)), stringifyExact(printed)).to.equal(
        stringifyExact(canonical(truth, stored, version)),
      );
    }
    // Members that the bytes do not contain are left out, so not all are refused.
    expect(accepts).to.be.within(1, ROUNDS / 2);
  });
});
