import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

const PAGE = new URL('../../docs/refusals.md', import.meta.url);

export interface Refusal {
  /** What an administrator writes. */
  written: object;
  /** What is read then. */
  read: string;
}

/** Compares a table of docs/refusals.md with the actual messages, or writes it with GOLDEN=write. */
export function expectTable(name: string, refusals: readonly Refusal[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  const rows = refusals.map(({ written, read }) => `| ${inCode(onOneLine(written))} | ${inCode(read)} |\n`);
  const table = `| Written | Read |\n| --- | --- |\n${rows.join('')}`;
  if (process.env['GOLDEN'] === 'write') writeFileSync(PAGE, page.slice(0, from) + table + page.slice(to));
  else expect(page.slice(from, to)).to.equal(table);
}

const onOneLine = (written: object): string =>
  stringify(written, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false })
    .trim()
    .replace(/^\{(.*)\}$/s, '$1');

const inCode = (text: string): string =>
  `\`${text
    .trim()
    .replaceAll('`', "'")
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')}\``;
