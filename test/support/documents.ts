/** Commands and code blocks in the documents. */
import { readFileSync } from 'node:fs';
import { blocksOf, namesOf } from '../../scripts/guide/markdown.js';
import { masked } from './secrets.js';

const ROOT = new URL('../../', import.meta.url);

const SHELLS = ['sh', 'bash', 'shell', 'console'];

/** The code blocks of a document in some languages, in order. */
export const codeOf = (file: string, languages: readonly string[]): { language: string; text: string }[] =>
  blocksOf(readFileSync(new URL(file, ROOT), 'utf8')).filter(({ language }) => languages.includes(language));

/** The commands of a document, block by block. */
export const commandsOf = (file: string): string[] => codeOf(file, SHELLS).map(({ text }) => text);

/** A block of commands as the title of a test. Passwords in URLs are masked. */
export const titleOf = (block: string): string => masked(block.trim().replaceAll('\n', '; '));

/** The commands that the sentences and tables of a document name, each once. */
export const namedIn = (file: string, pattern: RegExp): string[] => {
  const named = namesOf(readFileSync(new URL(file, ROOT), 'utf8'));
  return [...new Set(named.filter((text) => pattern.test(text)))];
};
