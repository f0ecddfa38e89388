/** Commands and flags that do not exist, and which ones were probably meant. */
import type { Config } from '@oclif/core';
import { MiddlewareError } from '../observe/errors.js';
import { isLeftOut } from './development.js';

/** Refuses words that name no command, before the library joins them to names that nobody wrote. */
export function refuseUnknownCommand(argv: readonly string[], { commands }: Config): void {
  const [first = '', second] = argv;
  if (isLeftOut(first)) {
    throw usage(
      `${first} is for development and not in container images: run it from the npm package, npx mdw ${first}`,
    );
  }
  const known = commands.filter(({ hidden }) => hidden !== true).map(({ id }) => id.split(':'));
  const below = known.flatMap(([topic, name]) => (topic === first && name !== undefined ? [name] : [])).sort();
  const command = commands.find(({ id }) => id === first);
  if (command === undefined && below.length === 0) {
    const names = [...new Set(known.map(([name]) => name!))];
    throw usage(`There is no command ${first}${didYouMean(first, names)}`);
  }
  if (second === undefined || second.startsWith('-') || below.includes(second)) return;
  if (below.length > 0) {
    throw usage(`${first} has no command ${second}${didYouMean(second, below) || `, but ${below.join(', ')}`}`);
  }
  if (command !== undefined && Object.keys(command.args ?? {}).length === 0) {
    throw usage(`${first} takes no argument: ${second}`);
  }
}

/** The error to report instead of the library's, if that is about flags that `command` does not have. */
export function unknownFlag(error: Error, command: string | undefined, flags: readonly string[]): Error {
  const [, list] = /^Nonexistent flags?: (.+)/.exec(error.message) ?? [];
  const [first] = list?.split(', ') ?? [];
  if (first === undefined) return error;
  const asked = first.startsWith('--')
    ? didYouMean(
        first,
        flags.map((name) => `--${name}`),
      )
    : '';
  return usage(`${command === undefined ? 'There is' : `${command} has`} no flag ${first}${asked}`);
}

const usage = (message: string): MiddlewareError => new MiddlewareError('usage', message);

function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `. Did you mean ${found}?`;
}

/** The nearest candidate, if changing a third of the letters, or one letter, is enough to get it. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(word.replace(/^--/, '').length / 3));
  const [best] = candidates
    .map((candidate) => ({ candidate, changes: changes(word, candidate) }))
    .sort((a, b) => a.changes - b.changes);
  return best !== undefined && best.changes <= max ? best.candidate : undefined;
}

/** Letters to insert, remove or replace, and neighbours to swap, that turn one word into the other. */
function changes(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let min = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) min = Math.min(min, rows[i - 2]![j - 2]! + 1);
      row.push(min);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
