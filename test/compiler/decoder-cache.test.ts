import { expect } from 'chai';
import { createDecoderCache } from '../../src/compiler/decoder-cache.js';
import type { ContractDecoder } from '../../src/compiler/decoder.js';

const NONE: ContractDecoder = { decodeCall: () => Promise.resolve(null), decodeResult: () => Promise.resolve(null) };

/** A cache that counts how often it parses a code. */
function counted() {
  const parsed: string[] = [];
  const cache = createDecoderCache((code) => {
    parsed.push(code);
    return { ...NONE };
  });
  return { cache, parsed };
}

describe('the cache of decoders of contracts', () => {
  it('parses a code once, however many contracts have it', () => {
    const { cache, parsed } = counted();

    for (let n = 0; n < 1_000; n++) cache.add(`contract ${n}`, `code ${n % 2}`);

    expect(parsed).to.deep.equal(['code 0', 'code 1']);
    expect(cache.get('contract 0')).to.equal(cache.get('contract 2')).and.not.to.equal(cache.get('contract 1'));
  });

  it('does not know a contract that was never added', () => {
    expect(counted().cache.get('contract 0')).to.equal(undefined);
  });

  it('decodes no call of a contract without code', async () => {
    const { cache, parsed } = counted();

    const decoder = cache.add('contract 0', null);

    expect(await decoder.decodeCall('cb_')).to.equal(null);
    expect(await decoder.decodeResult('init', 'cb_')).to.equal(null);
    expect(cache.get('contract 0')).to.equal(decoder);
    expect(parsed).to.deep.equal([]);
  });

  it('forgets the oldest of many contracts with short codes, which take more memory than their code', () => {
    const { cache } = counted();

    for (let n = 0; n < 100_000; n++) cache.add(`contract ${n}`, `code ${n}`);

    const kept = Array.from({ length: 100_000 }, (_, n) => cache.get(`contract ${n}`)).filter(
      (one) => one !== undefined,
    );
    expect(kept).to.have.length.within(1_000, 20_000);
    expect(cache.get('contract 99999')).not.to.equal(undefined);
  });

  it('forgets the oldest of many contracts with the same code', () => {
    const { cache } = counted();

    for (let n = 0; n < 100_000; n++) cache.add(`contract ${n}`, 'code');

    const kept = Array.from({ length: 100_000 }, (_, n) => cache.get(`contract ${n}`)).filter(
      (one) => one !== undefined,
    );
    expect(kept).to.have.length.within(10_000, 60_000);
  });

  it('keeps few contracts with long codes', () => {
    const { cache } = counted();

    for (let n = 0; n < 100; n++) cache.add(`contract ${n}`, String(n).padStart(1024 * 1024));

    const kept = Array.from({ length: 100 }, (_, n) => cache.get(`contract ${n}`)).filter((one) => one !== undefined);
    expect(kept).to.have.length.within(8, 16);
  });
});
