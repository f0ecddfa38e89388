/** Makes the pages of the guide from the documents. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import type { Tokens } from 'marked';
import { CONTENTS, FILES, PAGES, SECTIONS } from './contents.js';
import type { Page } from './contents.js';
import { createAnchors, plainText } from './markdown.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Part {
  source: string;
  /** Prefix of the anchors if several documents form a page; otherwise empty. */
  prefix: string;
}

interface Heading {
  depth: number;
  anchor: string;
  text: string;
}

/** All files that are served under `/guide`: name and content. */
export function guideFiles(): Map<string, string> {
  const files = new Map<string, string>();
  const styles = [readFileSync(new URL('style.css', import.meta.url), 'utf8')];
  for (const page of [CONTENTS, ...PAGES]) files.set(`${page.name}.html`, pageOf(page, styles));
  files.set('guide.css', styles.join('\n'));
  for (const [name, source] of Object.entries(FILES)) files.set(name, read(source));
  return files;
}

/** The documents of a page; in a folder `README.md` comes first. */
export function partsOf({ source, documents = () => true }: Page): Part[] {
  if (!statSync(join(ROOT, source)).isDirectory()) return [{ source, prefix: '' }];
  const names = readdirSync(join(ROOT, source)).filter((name) => name.endsWith('.md') && documents(name));
  return names
    .sort((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b, 'en'))
    .map((name) => ({ source: `${source}/${name}`, prefix: name.replace(/\.md$/, '').toLowerCase() }));
}

/** The list of pages in Markdown, with links relative to `docs`. */
export function contentsList(): string {
  const line = (page: Page): string => {
    // A folder that is divided into pages is linked by their first documents.
    const target = page.documents === undefined ? page.source : partsOf(page)[0]!.source;
    return `- [${page.title}](${target.startsWith('docs/') ? target.slice('docs/'.length) : `../${target}`}): ${page.about}`;
  };
  return SECTIONS.map((section) => `## ${section.title}\n\n${section.pages.map(line).join('\n')}`).join('\n\n');
}

function pageOf(page: Page, styles: string[]): string {
  const parts = partsOf(page);
  const headings: Heading[] = [];
  // A page of one document already begins with a title.
  const body = parts.map((part) => bodyOf(part, parts.length > 1 ? 1 : 0, headings, styles)).join('\n');
  const whole = parts.length > 1 ? `<h1>${escape(page.title)}</h1>\n${body}` : body;
  return frame(
    page,
    whole.replace('</h1>\n', () => `</h1>\n${here(headings)}`),
  );
}

/** @param shift levels that are added to the depth of headings. */
function bodyOf({ source, prefix }: Part, shift: number, headings: Heading[], styles: string[]): string {
  const anchor = createAnchors();
  const idOf = (heading: Tokens.Heading): string =>
    prefix === '' ? anchor(heading) : heading.depth === 1 ? prefix : `${prefix}-${anchor(heading)}`;
  const marked = new Marked({
    renderer: {
      heading(heading) {
        const depth = heading.depth + shift;
        const id = idOf(heading);
        headings.push({ depth, anchor: id, text: plainText(heading.tokens) });
        return `<h${depth} id="${id}">${this.parser.parseInline(heading.tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, source, prefix);
        return address === undefined ? text : `<a href="${escape(address)}">${text}</a>`;
      },
      // Code that is wider than the window scrolls on its own; `tabindex` makes this possible with the keyboard.
      code: ({ text, lang = '' }) =>
        `<pre tabindex="0"><code class="language-${escape(lang)}">${escape(text)}</code></pre>\n`,
      // On a phone the style shows the cells of a row below each other, each with the title of its column.
      table({ header, rows }) {
        const titles = header.map(({ tokens }) => escape(plainText(tokens)));
        const cell = (one: Tokens.TableCell, column: number): string =>
          this.tablecell(one).replace('<td', () => `<td data-title="${titles[column] ?? ''}"`);
        const row = (text: string): string => this.tablerow({ text });
        const body = rows.map((cells) => row(cells.map(cell).join(''))).join('');
        const head = row(header.map((one) => this.tablecell(one)).join(''));
        return `<table>\n<thead>\n${head}</thead>\n<tbody>${body}</tbody></table>\n`;
      },
      image: ({ href, text }) =>
        href.endsWith('.webp') ? picture(href, text) : drawing(join(dirname(source), href), text, styles),
      html({ text }) {
        // Markers of generated sections.
        if (/^(<!--[^]*?-->\s*)+$/.test(text)) return '';
        throw new Error(`${source}: HTML in a document: ${text}`);
      },
    },
  });
  const html = marked.parse(read(source), { async: false });
  return (
    html
      // An empty header cell is not a heading, and a row of empty header cells is removed.
      .replace(/<th( align="\w+")?><\/th>/g, '<td$1></td>')
      .replace(/<thead>\s*<tr>\s*(<td[^>]*><\/td>\s*)+<\/tr>\s*<\/thead>\s*/g, '')
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
  );
}

/** Address of the target of a link within the guide; undefined if the guide does not contain the target. */
export function addressOf(href: string, source: string, prefix = ''): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [path = '', anchor = ''] = href.split('#');
  if (path === '') return `#${prefix === '' ? anchor : `${prefix}-${anchor}`}`;
  const target = normalize(join(dirname(source), path)).replace(/\/$/, '');
  const file = Object.entries(FILES).find(([, of]) => of === target);
  if (file !== undefined) return file[0];
  const page = [CONTENTS, ...PAGES].find(
    (one) => one.source === target || partsOf(one).some((part) => part.source === target),
  );
  if (page === undefined) return undefined;
  const part = partsOf(page).find((one) => one.source === target);
  const id = [part?.prefix, anchor].filter((text) => text !== undefined && text !== '').join('-');
  return id === '' ? page.name : `${page.name}#${id}`;
}

/** An SVG drawing as part of the page, so that it uses the colours of the page. Its style is moved to `styles`. */
function drawing(path: string, title: string, styles: string[]): string {
  const svg = read(path).replace(/<style>([^]*?)<\/style>\s*/, (_, style: string) => {
    styles.push(style);
    return '';
  });
  const named = svg.replace('<svg ', `<svg role="img" aria-label="${escape(title)}" `);
  return `<span class="scroll picture" tabindex="0">${named.trim()}</span>`;
}

/** Where pictures are, in the documents and in the guide. */
export const PICTURES = 'pictures';

/** A picture of a page of the explorer. Its place has the right size before it is loaded, so nothing jumps. */
function picture(href: string, title: string): string {
  const [width, height] = /-phone-/.test(href) ? [293, 633] : [720, 450];
  const size = `width="${width}" height="${height}"`;
  return `<a href="${escape(href)}"><img src="${escape(href)}" alt="${escape(title)}" ${size} loading="lazy" /></a>`;
}

/** A list of the main headings; empty if the page has fewer than four. */
function here(headings: readonly Heading[]): string {
  const main = headings.filter(({ depth }) => depth === 2);
  if (main.length < 4) return '';
  const items = main.map(({ anchor, text }) => `<li><a href="#${anchor}">${escape(text)}</a></li>`);
  return `<details class="here"><summary>On this page</summary><ul>${items.join('')}</ul></details>\n`;
}

function frame(page: Page, body: string): string {
  const at = PAGES.indexOf(page);
  const [before, after] = at === -1 ? [undefined, PAGES[0]] : [PAGES[at - 1], PAGES[at + 1]];
  const link = (to: Page, rel: string, word: string): string =>
    `<a rel="${rel}" href="${to.name}"><span class="quiet">${word}</span> ${escape(to.title)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escape(page.title)} · Guide</title>
<link rel="icon" type="image/svg+xml" href="../explorer/icon.svg" />
<link rel="stylesheet" href="../explorer/main.css" />
<link rel="stylesheet" href="guide.css" />
</head>
<body class="guide">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="introduction">Guide</a>
<nav aria-label="This service">
<a class="phone" href="contents">Contents</a>
<a href="../">Explorer</a>
<a href="../docs">API</a>
</nav>
</header>
<div class="sides">
<nav class="contents" aria-label="Guide">
${navigation(page)}
</nav>
<main id="content" tabindex="-1">
${body}
<nav class="next" aria-label="Next and previous page">
${before === undefined ? '<span></span>' : link(before, 'prev', 'Before:')}
${after === undefined ? '' : link(after, 'next', 'Next:')}
</nav>
</main>
</div>
</body>
</html>
`;
}

const navigation = (current: Page): string =>
  SECTIONS.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const mark = page === current ? ' aria-current="page"' : '';
      return `<li><a href="${page.name}"${mark}>${escape(page.title)}</a></li>`;
    });
    return `<p>${escape(title)}</p>\n<ul>${items.join('')}</ul>`;
  }).join('\n');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
