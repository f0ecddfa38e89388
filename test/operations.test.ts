import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('..', import.meta.url);
const text = readFileSync(new URL('docs/operations.md', ROOT), 'utf8');
const rows = [...text.matchAll(/^\| (\d+) \| (.*) \| (.*) \| (.*) \|$/gm)].map(([, number, injected, , test]) => ({
  number: Number(number),
  injected: injected!,
  test: test!,
}));

describe('the table of failures in docs/operations.md', () => {
  it('has rows for each of the 26 modes', () => {
    const numbers = new Set(rows.map(({ number }) => number));

    expect([...numbers].sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 26 }, (_, at) => at + 1));
  });

  for (const { number, injected, test } of rows) {
    it(`names a test that is there, or says why there is none: ${number}, ${injected}`, () => {
      const [, file, title] = /^`(test\/[^`]+)` “([^”]+)”$/.exec(test) ?? [];

      if (file === undefined || title === undefined) {
        expect(test).to.match(/^Not tested/);
        return;
      }
      expect(existsSync(new URL(file, ROOT)), file).to.equal(true);
      // Long titles are broken over lines, and quotes are escaped.
      const source = readFileSync(new URL(file, ROOT), 'utf8').replaceAll("\\'", "'");
      expect(source, file).to.contain(title);
    });
  }
});
