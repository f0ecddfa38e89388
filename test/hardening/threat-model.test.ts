import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

describe('the threat model in docs/security.md', () => {
  it('names an existing test in each of its rows', () => {
    const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
    const [table = ''] = /\| Who [^]*?\n\n/.exec(text) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(rows).to.have.length.at.least(10);
    for (const row of rows) {
      const named = [...row.matchAll(/`(test\/[\w/-]+)`/g)].map(([, name]) => name!);
      expect(named, row).to.have.length.at.least(1);
      for (const name of named)
        expect(existsSync(new URL(`${name}.test.ts`, ROOT)) || existsSync(new URL(`${name}/`, ROOT)), name).to.equal(
          true,
        );
    }
  });
});
