import { expect } from 'chai';
import { hash } from '../../src/chain/encoding/encoding.js';
import { integersAsStrings } from '../../src/chain/encoding/integers-as-strings.js';
import { counts } from '../../devtools/devnode/store/column.js';
import { createHashIndex } from '../../devtools/devnode/store/hash-index.js';
import { createTextFile } from '../../devtools/devnode/store/text-file.js';

describe('the hash index', () => {
  it('finds the added hashes, also after it grew, and no others', () => {
    const index = createHashIndex();
    const keys = Array.from({ length: 10_000 }, (_, i) => hash(Buffer.from(String(i))));
    keys.forEach((key, row) => index.put(key, row));
    index.put(keys[5]!, 77_777);

    expect(keys.map(index.find).every((row, i) => row === (i === 5 ? 77_777 : i))).to.equal(true);
    expect(index.find(hash(Buffer.from('other')))).to.equal(-1);
  });
});

describe('columns', () => {
  it('grow and shrink', () => {
    const column = counts();
    for (let i = 0; i < 5000; i += 1) column.push(i * 2);
    column.truncate(4000);
    column.push(1);
    expect([column.length, column.get(3999), column.get(4000)]).to.deep.equal([4001, 7998, 1]);
  });
});

describe('the text file', () => {
  it('returns the appended texts, from the buffer, from disk and across both', () => {
    const file = createTextFile();
    const texts = Array.from({ length: 3000 }, (_, i) => `${i}:ü${'x'.repeat(i)}`);
    const long = 'ä'.repeat(2 ** 20);
    const places = [...texts, long, 'end'].map((text) => [file.append(text), Buffer.byteLength(text), text] as const);

    for (const [offset, length, text] of places) expect(file.read(offset, length).toString() === text).to.equal(true);
    expect(file.read(0, file.size).length).to.equal(file.size);
    expect(() => file.read(file.size, 10)).to.throw(RangeError);
    file.close();
  });
});

describe('integers as strings', () => {
  it('does not change floats, texts and words', () => {
    expect(integersAsStrings('{"a":-1,"b":[1,20],"c":"3 \\"4\\" 5","d":100.0,"e":1e5,"f":true,"7":null}')).to.equal(
      '{"a":"-1","b":["1","20"],"c":"3 \\"4\\" 5","d":100.0,"e":1e5,"f":true,"7":null}',
    );
  });
});
