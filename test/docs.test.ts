import { expect } from 'chai';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { documents } from '../scripts/docs.js';
import { endpoints } from '../src/api/endpoints.js';

const made = await documents();

describe('the generated files', () => {
  for (const { file, text, wanted } of made) {
    it(`${file} is up to date with the source (make docs)`, () => {
      expect(text).to.equal(wanted);
    });
  }
});

describe('comments', () => {
  it('name only documents and files that exist in the repository', () => {
    const root = new URL('../', import.meta.url);
    const missing = ['src', 'devtools', 'migrations', 'test/support'].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|sql)$/.test(file))
        .flatMap((file) => {
          const text = readFileSync(new URL(`${folder}/${file}`, root), 'utf8');
          const named =
            text.match(/(?<![\w/.}-])[\w-]+(\/[\w.-]+)*\.md\b|\b(src|devtools|migrations)\/[\w./-]+\.(ts|sql)\b/g) ??
            [];
          return named.filter((name) => !existsSync(new URL(name, root))).map((name) => `${file}: ${name}`);
        }),
    );
    expect(missing).to.deep.equal([]);
  });
});

describe('the table of endpoints in docs/http.md', () => {
  const suite = (name: string): string => readFileSync(new URL(`${name}.test.ts`, import.meta.url), 'utf8');
  const plans =
    suite('api/plans') + suite('api/plans-objects') + suite('api/compat/plans') + suite('api/compat/token-plans');

  for (const { path, evidence } of endpoints) {
    it(`names a suite that requests ${path}, and the plan test of its statement`, () => {
      const { test, plan } = evidence;
      expect(existsSync(new URL(`${test}.test.ts`, import.meta.url)), test).to.equal(true);
      // The part before the first parameter. Suites may omit the beginning that all their paths have in common.
      const fixed = path.split('{')[0]!.replace(/^\/(middleware|v2)?\/?|\/$/g, '');
      const last = fixed.lastIndexOf('/');
      const text = suite(test);
      const isRequested =
        text.includes(fixed) || (text.includes(`${fixed.slice(0, last)}'`) && text.includes(`}${fixed.slice(last)}`));
      expect(isRequested, `${test}: ${path}`).to.equal(true);
      if (plan !== null) expect(plans).to.contain(`'${plan}'`);
    });
  }
});
