import { expect } from 'chai';
import fc from 'fast-check';
import { parseExact, stringifyExact, withExactIntegers } from '../../src/chain/encoding/json.js';
import { compactBytes, elementTexts, memberText, objectSpans, tallyOf } from '../../src/chain/encoding/json-walk.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { MalformedError } from '../../src/chain/malformed.js';

const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '\ud800', '"', '\\', '\\"', '{[,:]}', '__proto__'),
);
const scalar = fc.oneof(
  anyText.map((text) => JSON.stringify(text)),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.constantFrom('true', 'false', 'null', '"\\u0000"', '"\\ud83d\\ude00"', '-0', '1E+2'),
);

/** JSON.parse of Node 24 may misread such members: a quote as a backslash once it has seen a member of that name. */
const hasEscapedKey = (text: string): boolean =>
  (text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? []).some((key) => key.includes('\\'));

/** JSON texts with space wherever it is allowed. */
const { source } = fc.letrec<{ source: string; array: string; object: string }>((tie) => ({
  source: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('array'), tie('object')),
  array: fc
    .tuple(fc.array(fc.tuple(space, tie('source'), space), { maxLength: 4 }), space)
    .map(([elements, inside]) => `[${elements.map((parts) => parts.join('')).join(',') || inside}]`),
  object: fc
    .tuple(fc.array(fc.tuple(space, anyText, space, space, tie('source'), space), { maxLength: 4 }), space)
    .map(([members, inside]) => `{${members.map(member).join(',') || inside}}`),
}));

function member([before, key, after, beforeValue, value, afterValue]: string[]): string {
  return `${before}${JSON.stringify(key)}${after}:${beforeValue}${value}${afterValue}`;
}

/** What `JSON.parse` would return: every integer as a double. */
function rounded(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)]));
}

describe('parsing JSON exactly', () => {
  it('keeps every digit of integers beyond 2^53 - 1 and leaves smaller ones numbers', () => {
    const value = parseExact('[9007199254740991, 9007199254740992, -9007199254740993, 12345678901234567890, 0, 1.5]');

    expect(value).to.deep.equal([
      9007199254740991,
      9007199254740992n,
      -9007199254740993n,
      12345678901234567890n,
      0,
      1.5,
    ]);
  });

  it('returns the last of several members with the same name, with and without long numbers', () => {
    expect(parseExact('{"a": 1, "a": 2}')).to.deep.equal({ a: 2 });
    expect(parseExact('{"a": 1, "a": 12345678901234567890}')).to.deep.equal({ a: 12345678901234567890n });
  });

  for (const text of [
    '',
    '{',
    '{"a":1,}',
    '[1 2]',
    '{"a":12345678901234567890',
    '[12345678901234567890,]',
    'nul',
    '"\u0001"',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseExact(text)).to.throw(MalformedError, 'not JSON');
    });
  }

  it('agrees with JSON.parse except for long integers', () => {
    fc.assert(
      fc.property(source, (text) => {
        fc.pre(!hasEscapedKey(text));
        expect(rounded(parseExact(text))).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('writes texts that parse to the same', () => {
    fc.assert(
      fc.property(source, (text) => {
        fc.pre(!hasEscapedKey(text));
        const written = stringifyExact(parseExact(text));
        expect(stringifyExact(parseExact(written))).to.equal(written);
        expect(JSON.parse(written)).to.deep.equal(JSON.parse(JSON.stringify(JSON.parse(text))));
      }),
    );
  });
});

describe('taking JSON texts apart', () => {
  it('restores the digits of integers that JSON.parse rounded, for the last of several members with the same name', () => {
    const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'tx'), anyText);
    const object = fc
      .array(fc.tuple(key, source), { maxLength: 8 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
    fc.assert(
      fc.property(object, (text) => {
        fc.pre(!hasEscapedKey(text));
        const exact = withExactIntegers(text, JSON.parse(text) as JsonObject);
        expect(stringifyExact(exact)).to.equal(stringifyExact(parseExact(text)));
      }),
    );
    const twice = '{"n":18439611149950595087,"n":1,"m":[99999999999999999999]}';
    expect(withExactIntegers(twice, JSON.parse(twice) as JsonObject)).to.deep.equal({
      n: 1,
      m: [99999999999999999999n],
    });
  });

  it('finds the elements of a list of objects with a member of each', () => {
    const text = ' { "b":[{"tx":4}], "list": [ {"tx":1,"a":{"tx":2}} , {} ,{"a":[3],"t\\u0078":"]"}] , "c":1}';
    const found = objectSpans(text, 'list', 'tx').map(({ start, end, member }) => [
      text.slice(start, end),
      member && text.slice(member.start, member.end),
    ]);
    expect(found).to.deep.equal([
      ['{"tx":1,"a":{"tx":2}}', '1'],
      ['{}', undefined],
      ['{"a":[3],"t\\u0078":"]"}', '"]"'],
    ]);
    expect(objectSpans('{"list":[{"tx":1}],"list":[],"tx":[{}]}', 'list', 'tx')).to.deep.equal([]);
    expect(objectSpans('{"list":[{"tx":1}],"list":{"tx":[{}]}}', 'list', 'tx')).to.deep.equal([]);
    expect(() => objectSpans('{"list":[{"a":1},2]}', 'list', 'a')).to.throw(MalformedError, 'expected {');
  });

  it('finds every member as JSON.parse does', () => {
    const object = fc.dictionary(anyText, source, { noNullPrototype: true, maxKeys: 6 });
    fc.assert(
      fc.property(object, space, (members, gap) => {
        const text = `${gap}{${gap}${Object.entries(members)
          .map(([key, value]) => `${JSON.stringify(key)}${gap}:${gap}${value}`)
          .join(`${gap},${gap}`)}${gap}}`;
        for (const [key, value] of Object.entries(members)) expect(memberText(text, key)).to.equal(value);
        expect(memberText(text, 'no such member')).to.equal(undefined);
      }),
    );
  });

  it('finds every element as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 5 }), space, (elements, gap) => {
        const text = `${gap}[${gap}${elements.join(`${gap},${gap}`)}${gap}]`;
        expect(elementTexts(text)).to.deep.equal(elements);
      }),
    );
  });

  it('recognises a member whose name is written with escapes', () => {
    expect(memberText('{"\\u0074x": 5}', 'tx')).to.equal('5');
  });

  it('returns the last of several members with the same name', () => {
    expect(memberText('{"tx": 5, "tx": [ 6 ]}', 'tx')).to.equal('[ 6 ]');
  });

  for (const text of ['', '[', '[1', '["a', '[1,]', '[,]', '{"a":1}']) {
    it(`refuses ${JSON.stringify(text)} as a list`, () => {
      expect(() => elementTexts(text)).to.throw(MalformedError);
    });
  }
});

describe('what is in a JSON text', () => {
  const plain = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = (text: string): string[] => plain(text).match(/-?\d[\d.eE+-]*/g) ?? [];

  it('is counted outside of strings', () => {
    fc.assert(
      fc.property(source, space, (text, gap) => {
        expect(tallyOf(gap + text + gap)).to.deep.equal({
          members: plain(text).split(':').length - 1,
          spaces: plain(text).replace(/\S/g, '').length + 2 * gap.length,
          longNumbers: numbers(text).filter((number) => number.length >= 16).length,
          otherNumbers: numbers(text).filter((number) => /[.eE]|^-0$/.test(number)).length,
        });
      }),
    );
  });

  it('is counted for each element of a list', () => {
    const text = '{"list":[ {"a":1e3,"a":[ -0]},{"tx":{"b":1234567890123456}} ],"c":7.0}';
    expect(objectSpans(text, 'list', 'tx').map(({ tally }) => tally)).to.deep.equal([
      { members: 2, spaces: 1, longNumbers: 0, otherNumbers: 2 },
      { members: 2, spaces: 0, longNumbers: 1, otherNumbers: 0 },
    ]);
  });
});

describe('bytes of compact JSON', () => {
  it('does not count space between the tokens', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme' }), (text) => {
        const value: unknown = JSON.parse(text);
        expect(compactBytes(JSON.stringify(value, null, 2))).to.equal(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  it('counts space inside strings, also after escaped quotes', () => {
    expect(compactBytes('{ "a\\" b" : "c d\\\\" , "e" : 1 }')).to.equal('{"a\\" b":"c d\\\\","e":1}'.length);
  });
});
