import { ContractByteArrayEncoder } from '@aeternity/aepp-calldata';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { readCallData, readValue } from '../../src/chain/fate/values.js';
import type { TypedValue } from '../../src/chain/fate/values.js';

/** A value in the form of the reference encoder, its type, and the expected result. */
interface Sample {
  type: object;
  value: unknown;
  typed: TypedValue;
}

const exact = (value: bigint) =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
const integers = fc.oneof(fc.bigInt({ min: -70n, max: 70n }), fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }));
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.string({ minLength: 60, maxLength: 70 }));
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const addresses = [
  ['account_pubkey', 'address', 'ak'],
  ['contract_pubkey', 'contract', 'ct'],
  ['oracle_pubkey', 'oracle', 'ok'],
  ['oracle_query_id', 'oracle_query', 'oq'],
  ['channel', 'channel', 'ch'],
] as const;

const { sample } = fc.letrec<{ sample: Sample; leaf: Sample }>((tie) => ({
  leaf: fc.oneof(
    integers.map((value): Sample => ({ type: { name: 'int' }, value, typed: { type: 'int', value: exact(value) } })),
    fc.boolean().map((value): Sample => ({ type: { name: 'bool' }, value, typed: { type: 'bool', value } })),
    texts.map((value): Sample => ({ type: { name: 'string' }, value, typed: { type: 'string', value } })),
    fc.uint8Array({ minLength: 1, maxLength: 80 }).map((value): Sample => ({
      type: { name: 'bytes', size: value.length },
      value,
      typed: { type: 'bytes', value: encodeId('ba', value) },
    })),
    fc.tuple(fc.constantFrom(...addresses), keys).map(([[name, type, prefix], key]): Sample => {
      const value = encodeId(prefix, key);
      return { type: { name }, value, typed: { type, value } };
    }),
  ),
  sample: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc
      .oneof(
        fc.array(tie('leaf'), { minLength: 2, maxLength: 18 }),
        fc.array(tie('sample'), { minLength: 2, maxLength: 3 }),
      )
      .map((items): Sample => ({
        type: { name: 'tuple', valueTypes: items.map(({ type }) => type) },
        value: items.map(({ value }) => value),
        typed: { type: 'tuple', value: items.map(({ typed }) => typed) },
      })),
    fc
      .oneof(fc.tuple(tie('leaf'), fc.nat({ max: 20 })), fc.tuple(tie('sample'), fc.nat({ max: 2 })))
      .map(([item, count]): Sample => ({
        type: { name: 'list', valuesType: item.type },
        value: Array.from({ length: count }, () => item.value),
        typed: { type: 'list', value: Array.from({ length: count }, () => item.typed) },
      })),
    fc.tuple(tie('leaf'), tie('sample')).map(([key, item]): Sample => ({
      type: { name: 'map', keyType: key.type, valueType: item.type },
      value: [[key.value, item.value]],
      typed: { type: 'map', value: [{ key: key.typed, val: item.typed }] },
    })),
    fc.tuple(fc.nat({ max: 3 }), tie('sample')).map(([constructor, item]): Sample => ({
      type: {
        name: 'variant',
        variants: [0, 1, 2, 3].map((i) => ({ [`C${i}`]: i === constructor ? [item.type] : [] })),
      },
      value: { [`C${constructor}`]: [item.value] },
      typed: { type: 'variant', value: [constructor, item.typed] },
    })),
  ),
}));

function encoded({ type, value }: Sample): Uint8Array {
  // The type declarations of the package do not match its exports.
  const encoder = new ContractByteArrayEncoder() as unknown as { encodeWithType(value: unknown, type: object): string };
  return decodeId(encoder.encodeWithType(value, type), 'cb');
}

describe('FATE values', () => {
  it('reads what the reference encoder writes', () => {
    fc.assert(
      fc.property(sample, (one) => {
        expect(readValue(encoded(one))).to.deep.equal(one.typed);
      }),
      { numRuns: 200 },
    );
  });

  it('reads the empty tuple as unit, and an empty map in both encodings', () => {
    expect(readValue(Uint8Array.of(0x3f))).to.deep.equal({ type: 'unit', value: '' });
    expect(readValue(Uint8Array.of(0xdf))).to.deep.equal({ type: 'map', value: [] });
    expect(readValue(Uint8Array.of(0x2f, 0x00))).to.deep.equal({ type: 'map', value: [] });
  });

  it('returns bits of either sign as integers', () => {
    expect(readValue(Uint8Array.of(0x4f, 0x05))).to.deep.equal({ type: 'bits', value: 5 });
    expect(readValue(Uint8Array.of(0xcf, 0x01))).to.deep.equal({ type: 'bits', value: -1 });
  });

  it('returns a string that is not UTF-8 as bytes', () => {
    expect(readValue(Uint8Array.of(0x09, 0xc3, 0x28))).to.deep.equal({
      type: 'bytes',
      value: encodeId('ba', Uint8Array.of(0xc3, 0x28)),
    });
  });

  it('throws only MalformedError for anything else', () => {
    const harmless = (read: (bytes: Uint8Array) => unknown, bytes: Uint8Array) => {
      try {
        read(bytes);
      } catch (error) {
        expect(error).to.be.instanceOf(MalformedError);
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        harmless(readValue, bytes);
        harmless(readCallData, bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts lengths that are encoded longer than necessary, as the node does', () => {
    for (const integer of [[0x05], [0x81, 0x05], [0xb8, 0x01, 0x05], [0xb9, 0x00, 0x01, 0x05]])
      expect(readValue(Uint8Array.from([0x6f, ...integer]))).to.deep.equal({ type: 'int', value: 69 });
  });

  it('refuses values that are cut off at any position', () => {
    fc.assert(
      fc.property(sample, fc.nat(), (one, at) => {
        const bytes = encoded(one);
        expect(() => readValue(bytes.subarray(0, at % bytes.length))).to.throw(MalformedError);
      }),
      { numRuns: 100 },
    );
  });

  it('needs time proportional to the size of long lists, and refuses very deep nesting', () => {
    const count = 300_000;
    const list = Buffer.concat([Buffer.from([0x1f, 0x83, 0x04, 0x93, 0xd0]), Buffer.alloc(count, 2)]);

    expect(readValue(list).value).to.have.lengthOf(count);
    expect(() => readValue(new Uint8Array(100_000).fill(0x13))).to.throw(MalformedError, 'nested');
  });
});
