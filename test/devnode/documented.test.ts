import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/devnode.md', import.meta.url), 'utf8');
const proof = text.slice(text.indexOf('## Proof: rows of the specification'), text.indexOf('\n## Builders'));
/** Rows of the tables: the rule, and the tests for it. */
const rows = [...proof.matchAll(/^\| (?!Row|---)(.+?) \| (.+) \|$/gm)].map(([, row, tests]) => ({
  row: row!,
  tests: tests!,
}));

const suite = (file: string): URL => new URL(`${file}.test.ts`, import.meta.url);

describe('docs/devnode.md', () => {
  it('has a row for each row of the tables of the specification', () => {
    expect(rows.length).to.be.greaterThan(60);
  });

  for (const { row, tests } of rows) {
    it(`names tests that exist: ${row}`, () => {
      let source = '';
      for (const [, file, title] of tests.matchAll(/`([\w./-]+)`|"([^"]+)"/g)) {
        if (file !== undefined && !file.includes('key-blocks')) {
          expect(existsSync(suite(file)), file).to.equal(true);
          source = readFileSync(suite(file), 'utf8');
        }
        // The document may contain only a part of the title.
        if (title !== undefined) expect(plain(source), title).to.contain(plain(title.replace(/ ?…$/, '')));
      }
    });
  }
});

/** Without the line breaks and escapes of the code. */
const plain = (written: string): string => written.replace(/\s+/g, ' ').replaceAll("\\'", "'");
