import { expect } from 'chai';
import fc from 'fast-check';
import { base58Decode, base58Encode } from '../../src/chain/encoding/base58.js';
import { decodeId, encodeId, hash, isId } from '../../src/chain/encoding/encoding.js';
import { MalformedError } from '../../src/chain/malformed.js';

const ACCOUNT = 'ak_2pxAtcbSsaP6hxvNGj5NuUitb5RGqMSeBQgsZ7HcUCm7ZkQKw2';
const PUBLIC_KEY = 'f093401869b183da3dc0011471918695e6eb68e15521d6e362bbb24d71216e1a';
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The simple algorithm with one big integer. */
function slowBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)]! + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

describe('base58', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 140 }),
    fc.uint8Array({ maxLength: 20 }).map((tail) => Uint8Array.from([0, 0, 0, ...tail])),
    // The largest values of each length, on both sides of that from which on big integers are used.
    fc.constantFrom(32, 33, 36, 68, 93, 94, 95, 96, 97, 98, 99).map((length) => new Uint8Array(length).fill(255)),
    fc.constantFrom(96, 97, 200).map((length) => new Uint8Array(length)),
  );

  it('returns the same as arithmetic on one big number', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(base58Encode(value)).to.equal(slowBase58(value));
      }),
    );
  });

  it('decodes to the same bytes', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(Buffer.from(base58Decode(base58Encode(value))!).toString('hex')).to.equal(
          Buffer.from(value).toString('hex'),
        );
      }),
    );
  });

  for (const length of [1, 4, 5, 125, 127, 128, 129, 130, 300]) {
    it(`decodes the largest number of ${length} digits`, () => {
      const text = 'z'.repeat(length);
      expect(slowBase58(base58Decode(text)!)).to.equal(text);
      expect(base58Encode(base58Decode(text)!)).to.equal(text);
      expect(base58Decode(`${text}0`)).to.equal(undefined);
      expect(base58Decode(`Ā${text}`)).to.equal(undefined);
    });
  }

  for (const text of ['0', 'O', 'I', 'l', 'ab c', 'é', '12345_']) {
    it(`refuses ${text}`, () => expect(base58Decode(text)).to.equal(undefined));
  }
});

describe('identifiers', () => {
  const vectors: [prefix: Parameters<typeof encodeId>[0], hex: string, id: string][] = [
    ['ak', PUBLIC_KEY, ACCOUNT],
    ['ak', '00'.repeat(32), 'ak_11111111111111111111111111111111273Yts'],
    ['nm', '01022a', 'nm_3DZUwMat2'],
    ['ba', '01022a', 'ba_AQIq9Y55kw=='],
    ['cb', '', 'cb_Xfbg4g=='],
    ['tx', '', 'tx_Xfbg4g=='],
    ['ov', Buffer.from('How are you?').toString('hex'), 'ov_SG93IGFyZSB5b3U/ECfONQ=='],
    ['or', Buffer.from('I am fine, thanks!').toString('hex'), 'or_SSBhbSBmaW5lLCB0aGFua3Mh8NPUkA=='],
  ];
  for (const [prefix, hex, id] of vectors) {
    it(`writes and reads ${id}`, () => {
      expect(encodeId(prefix, Buffer.from(hex, 'hex'))).to.equal(id);
      expect(Buffer.from(decodeId(id, prefix)).toString('hex')).to.equal(hex);
    });
  }

  it('reads oracle queries and responses in the base58 of early nodes', () => {
    expect(Buffer.from(decodeId('ov_9wnkKJ3Qf2trdpq9EQbWQC')).toString()).to.equal('How are you?');
    expect(Buffer.from(decodeId('or_Lr9RvdW8vZR8wq14ic7yUyC2vzi4nT')).toString()).to.equal('I am fine, thanks!');
  });

  it('does not decode base58 that takes long', () => {
    const bytes = new Uint8Array(1_400).fill(255);
    expect(Buffer.compare(decodeId(encodeId('nm', bytes)), bytes)).to.equal(0);
    const long = new Uint8Array(1_500).fill(255);
    expect(() => decodeId(encodeId('nm', long))).to.throw(MalformedError, 'is mistyped');
    expect(isId(`or_${base58Encode(long)}`)).to.equal(false);
  });

  const wrong = {
    'another prefix': [ACCOUNT, 'ok'],
    'an unknown prefix': [`zz_${ACCOUNT.slice(3)}`, undefined],
    'no underscore': [`ak${ACCOUNT.slice(3)}`, undefined],
    'a mistyped character': [ACCOUNT.replace('pxA', 'pxB'), 'ak'],
    'a character outside the alphabet': [`${ACCOUNT.slice(0, -1)}0`, 'ak'],
    'space around it': [` ${ACCOUNT}`, 'ak'],
    'a wrong length': ['ak_3DZUwMat2', 'ak'],
    'base64 without padding': ['ba_AQIq9Y55kw', 'ba'],
    'nothing after the prefix': ['ak_', 'ak'],
  } as const;
  for (const [what, [id, prefix]] of Object.entries(wrong)) {
    it(`refuses ${what}`, () => {
      expect(() => decodeId(id, prefix)).to.throw(MalformedError);
      expect(prefix === undefined ? isId(id) : isId(id, prefix)).to.equal(false);
    });
  }

  it('accepts only identifiers of the given kinds', () => {
    expect(isId(ACCOUNT)).to.equal(true);
    expect(isId(ACCOUNT, 'ct', 'ak')).to.equal(true);
    expect(isId(ACCOUNT, 'ct')).to.equal(false);
    expect(isId('nm_3DZUwMat2'), 'a name text in the place of its hash').to.equal(false);
    expect(isId('')).to.equal(false);
    expect(isId('1e999')).to.equal(false);
  });

  it('hashes parts as if they were one text', () => {
    const parts = ['ab', '', 'c'].map((part) => Buffer.from(part));

    expect(hash(...parts)).to.deep.equal(hash(Buffer.from('abc')));
  });
});
