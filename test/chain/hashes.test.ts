import { blake2b as reference } from '@noble/hashes/blake2.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { checksum } from '../../src/chain/crypto/checksum.js';
import { blake2b, sha256 } from '../../src/chain/crypto/hashes.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** Every length around the ends of blocks, and one of several pages of memory. */
const LENGTHS = [...Array(520).keys(), 200_000];
const message = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);

describe('BLAKE2b-256', () => {
  it('returns the same as another implementation, for messages of any length', () => {
    for (const length of LENGTHS) {
      expect(hex(blake2b(message(length))), `${length}`).to.equal(hex(reference(message(length), { dkLen: 32 })));
    }
  });

  it('accepts a message in parts', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (parts) => {
        expect(hex(blake2b(...parts))).to.equal(hex(blake2b(Buffer.concat(parts))));
      }),
    );
  });
});

describe('SHA-256', () => {
  it('returns the same as OpenSSL, for messages of any length', () => {
    for (const length of LENGTHS) {
      const expected = createHash('sha256').update(message(length)).digest('hex');
      expect(hex(sha256(message(length))), `${length}`).to.equal(expected);
    }
  });
});

describe('the checksum of identifiers', () => {
  it('is the beginning of the double SHA-256 of OpenSSL, for bytes of any length', () => {
    for (const length of LENGTHS) {
      const once = createHash('sha256').update(message(length)).digest();
      const expected = createHash('sha256').update(once).digest().readInt32BE();
      expect(checksum(message(length)), `${length}`).to.equal(expected);
    }
  });
});
