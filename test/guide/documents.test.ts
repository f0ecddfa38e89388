import { expect } from 'chai';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { CONTENTS, FILES, PAGES } from '../../scripts/guide/contents.js';
import { anchorsOf, linksOf } from '../../scripts/guide/markdown.js';
import { guideFiles, partsOf } from '../../scripts/guide/render.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const all = [CONTENTS, ...PAGES];
const sources = all.flatMap((page) => partsOf(page).map(({ source }) => source));

describe('the contents of the guide', () => {
  it('list every file of docs', () => {
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
    const shown = new Set([...sources, ...Object.values(FILES), ...pictures()]);
    expect(files.filter((file) => !shown.has(file))).to.deep.equal([]);
  });

  it('list each page and each document once', () => {
    expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length);
    expect(new Set(sources).size).to.equal(sources.length);
  });
});

/** Images of the documents. */
function pictures(): string[] {
  return sources.flatMap((source) =>
    linksOf(read(source))
      .filter((href) => /\.(svg|webp)$/.test(href))
      .map((href) => normalize(join(dirname(source), href))),
  );
}

describe('the links of the documents', () => {
  for (const source of [...sources, 'README.md']) {
    it(`lead from ${source} to existing targets`, () => {
      const broken = linksOf(read(source)).filter((href) => !leads(href, source));
      expect(broken).to.deep.equal([]);
    });
  }
});

function leads(href: string, source: string): boolean {
  // Of links to other sites only the form is checked; they are not requested.
  if (/^[a-z]+:/.test(href)) return URL.canParse(href) && /^https?:\/\/[\w.-]+(:\d+)?(\/|$)/.test(href);
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? source : normalize(join(dirname(source), path));
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  return anchorsOf(read(target)).includes(anchor);
}

describe('the links of the pages', () => {
  const files = guideFiles();
  /** Other pages of the server. */
  const served = ['../', '../docs', '../explorer/main.css', '../explorer/icon.svg'];
  const valuesOf = (html: string, name: string): string[] =>
    [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value!);

  for (const { name } of all) {
    const html = files.get(`${name}.html`)!;
    it(`lead from ${name} to existing pages and anchors`, () => {
      const broken = valuesOf(html, 'href').filter((href) => {
        if (/^https?:/.test(href) || served.includes(href)) return false;
        if (href.startsWith('pictures/')) return !existsSync(join(ROOT, 'docs', href));
        const [page, anchor] = href.split('#');
        const target = page === '' ? html : (files.get(`${page}.html`) ?? files.get(page!));
        return target === undefined || (anchor !== undefined && !valuesOf(target, 'id').includes(anchor));
      });
      expect(broken).to.deep.equal([]);
      expect(valuesOf(html, 'src').filter((src) => !existsSync(join(ROOT, 'docs', src)))).to.deep.equal([]);
    });

    it(`have unique anchors in ${name}`, () => {
      const ids = valuesOf(html, 'id');
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).to.deep.equal([]);
    });
  }

  it('lead from each page to the previous and the next page', () => {
    const next = (html: string, rel: string): string | undefined =>
      new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(html)?.[1];
    for (const [at, { name }] of PAGES.entries()) {
      const html = files.get(`${name}.html`)!;
      expect([next(html, 'prev'), next(html, 'next')]).to.deep.equal([PAGES[at - 1]?.name, PAGES[at + 1]?.name]);
    }
  });
});
