import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'bench/README.md';
const HEAD = `# Measured

What the code does on the machine that ran it last; each part names its command. Machines differ and are shared: the
ratios, taken in one run, say more than the figures.
`;

/** Replaces one part of bench/README.md, or adds it. */
export function writeSection(name: string, lines: readonly string[]): void {
  const [begin, finish] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
  const section = [begin, ...lines, finish].join('\n');
  const start = text.indexOf(begin);
  const stop = text.indexOf(finish);
  const next = start < 0 ? `${text}\n${section}\n` : text.slice(0, start) + section + text.slice(stop + finish.length);
  writeFileSync(FILE, next);
}
